// RULE_SHADOWED and RULE_DUPLICATE: rules whose whole effect another rule also has.
import { byPosition } from '../../../model/byPosition.ts';
import { placeText } from '../../../model/diagnostic.ts';
import { compareTexts } from '../../../model/text/compareTexts.ts';
import { ignoredAccess } from '../../state/ignoredFields.ts';
import type { Found, Lint } from '../lint.ts';
import type { LintContext, LintedRule } from '../lintContext.ts';
import { listsBy } from '../listsBy.ts';
import { positionOf } from '../positions.ts';
import { lastsAsLong } from '../ruleEnds.ts';
import { ruleAt, ruleName } from '../ruleNames.ts';
import { type Cover, coverNow, coverOf } from './covers.ts';

interface Covered {
  readonly linted: LintedRule;
  readonly by: LintedRule;
  readonly cover: Cover;
  /** Whether each of the two rules covers the other. */
  readonly isMutual: boolean;
}

/**
 * Finds the rules that another rule covers, unless each covers the other. A rule between all
 * machines, such as the rule of a new account's default policy, covers most other rules. In that
 * case, there is a single finding, for the rule between all machines.
 */
export const shadowedRules: Lint = context => {
  const shadowed = coveredIn(context).filter(({ isMutual }) => !isMutual);
  const byAll = shadowed.filter(one => isBetweenAll(one.by, context) && !isSilenced(one));
  const groups = [...Map.groupBy(byAll, ({ by }) => by)].filter(([, list]) => list.length > 1);
  const grouped = new Set(groups.flatMap(([, list]) => list));
  const single = shadowed.filter(one => !grouped.has(one));
  return [...single.map(shadowedBy), ...groups.map(([by, list]) => shadowsMany(by, list))];
};

const isBetweenAll = ({ rule: { source, destination } }: LintedRule, { groups }: LintContext) =>
  [source, destination].every(side => side.type === 'groups' && side.groups.some(groups.isAll));

// An entry of `lint_ignore` silences only the finding about its own rule.
const isSilenced = ({ linted }: Covered): boolean =>
  linted.object.lifecycle.lint_ignore?.RULE_SHADOWED !== undefined;

const shadowedBy = ({ linted, by, cover }: Covered): Found => ({
  ...ruleAt(linted),
  message: `${ruleName(linted)} has no effect: ${ruleName(by)} (${whereOf(by)}) ${effectOf(by)} all of it${ASSUMING[cover]}`,
  hint: 'remove this rule, or narrow the other rule',
});

/** The maximum number of rules in a message. */
const LISTED = 5;

function shadowsMany(by: LintedRule, covered: readonly Covered[]): Found {
  const names = covered.map(({ linted }) => `${ruleName(linted)} (${whereOf(linted)})`);
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  const cover = covered.find(one => one.cover === 'assuming')?.cover ?? 'full';
  return {
    ...ruleAt(by),
    message: `${names.length} rules have no effect, because ${ruleName(by)} ${effectOf(by)} all of it: ${names.slice(0, LISTED).join(', ')}${more}${ASSUMING[cover]}`,
    hint: 'narrow or disable this rule when the others accept what is needed',
  };
}

const effectOf = ({ rule }: LintedRule): string => (rule.isDrop ? 'drops' : 'accepts');

/** Finds the rules with the same effect as an earlier rule. */
export const duplicateRules: Lint = context =>
  coveredIn(context)
    .filter(({ isMutual }) => isMutual)
    .map(({ linted, by, cover }) => ({
      ...ruleAt(linted),
      message: `${ruleName(linted)} has the same effect as ${ruleName(by)} (${whereOf(by)})${ASSUMING[cover]}`,
      hint: 'remove one of the two',
    }));

const ASSUMING: Readonly<Record<Cover, string>> = {
  none: '',
  assuming: ', considering only the declared network resources and routes',
  full: '',
};

const known = new WeakMap<LintContext, readonly Covered[]>();

// Cached, because both lints need the result.
function coveredIn(context: LintContext): readonly Covered[] {
  const covered = known.get(context) ?? findCovered(context);
  known.set(context, covered);
  return covered;
}

// The covered rules, each with the rule that covers it: a stronger rule if there is one, otherwise the first equal rule.
function findCovered(context: LintContext): readonly Covered[] {
  // The files do not show an ignored field, because an apply leaves the field unchanged in the
  // account. So rules with such fields are left out.
  const active = activeIn(context).filter(({ object }) => ignoredAccess(object).length === 0);
  const candidates = candidatesIn(active, context);
  const order = new Map(active.map((linted, number) => [linted, number]));
  return active.flatMap(linted => {
    let equal: Covered | undefined;
    for (const by of candidates(linted)) {
      const cover = coverOf(linted, by, context.groups);
      if (cover === 'none') continue;
      if (coverNow(by, linted, context.groups) === 'none')
        return { linted, by, cover, isMutual: false };
      if ((order.get(by) ?? 0) < (order.get(linted) ?? 0))
        equal ??= { linted, by, cover, isMutual: true };
    }
    return equal ?? [];
  });
}

function activeIn({ rules }: LintContext): readonly LintedRule[] {
  return rules
    .filter(({ compiled, rule }) => compiled.isActive && rule.source.type !== 'resource')
    .filter(({ rule: { source } }) => source.type !== 'groups' || source.groups.length > 0)
    .filter(
      ({ rule: { destination } }) => destination.type !== 'groups' || destination.groups.length > 0,
    )
    .toSorted(inFiles);
}

// Returns the rules that may cover a rule. The sources of these rules contain its first source.
function candidatesIn(
  active: readonly LintedRule[],
  { groups }: LintContext,
): (linted: LintedRule) => readonly LintedRule[] {
  const bySource = listsBy(active, linted => sourceNames(linted, groups.keyOf));
  const everyone = active.filter(
    ({ rule: { source } }) => source.type === 'groups' && source.groups.some(groups.isAll),
  );
  return linted => {
    const { source } = linted.rule;
    const [first = ''] = sourceNames(linted, groups.keyOf);
    const holding = source.type === 'machine' ? groups.holding(source.machine) : [];
    const names = [first, ...holding.map(name => `group ${name}`)];
    const found = new Set([...everyone, ...names.flatMap(name => bySource.get(name) ?? [])]);
    return [...found].sort(inFiles);
  };
}

/** The rules that have the whole effect of a given rule. */
export interface CoverOfRule {
  /** The first earlier accept rule with the same effect. */
  readonly equal?: { readonly by: LintedRule; readonly cover: Cover };
  /**
   * The accept rules that accept more and expire no later than this rule. If they are removed, this
   * rule still accepts its part of their traffic.
   */
  readonly wider: readonly LintedRule[];
}

/**
 * The accept rules that cover each accept rule. Rules that no other rule covers are left out. A break-glass object does not count
 * as covering: its access is for emergencies, and it may be disabled afterwards.
 */
export function acceptCovers(context: LintContext): ReadonlyMap<LintedRule, CoverOfRule> {
  const active = activeIn(context).filter(({ rule }) => !rule.isDrop);
  const candidates = candidatesIn(active, context);
  const order = new Map(active.map((linted, number) => [linted, number]));
  const isBefore = (one: LintedRule, other: LintedRule): boolean =>
    (order.get(one) ?? 0) < (order.get(other) ?? 0);
  return new Map(
    active.flatMap(linted => {
      const covering = candidates(linted).flatMap(by => {
        const cover = coverOf(linted, by, context.groups);
        const isMutual = cover !== 'none' && coverNow(by, linted, context.groups) !== 'none';
        return cover === 'none' ? [] : { by, cover, isMutual };
      });
      const equal = covering.find(
        ({ by, isMutual }) => isMutual && isBefore(by, linted) && !isBreakGlass(by),
      );
      const wider = covering.flatMap(({ by, isMutual }) =>
        isMutual || isBreakGlass(linted) || !lastsAsLong(linted.ends, by.ends) ? [] : by,
      );
      if (!equal && wider.length === 0) return [];
      return [[linted, { ...(equal && { equal }), wider }]];
    }),
  );
}

const isBreakGlass = ({ object }: LintedRule): boolean => object.lifecycle.break_glass === true;

function sourceNames({ rule: { source } }: LintedRule, keyOf: (name: string) => string): string[] {
  if (source.type === 'groups') return source.groups.map(name => `group ${keyOf(name)}`);
  return source.type === 'machine' ? [`machine ${source.machine}`] : [];
}

// Rules that a YAML alias repeats have the same position.
function inFiles(one: LintedRule, other: LintedRule): number {
  return byPosition(at(one), at(other)) || compareTexts(one.object.key, other.object.key);
}

const at = (linted: LintedRule) => positionOf(ruleAt(linted));
const whereOf = (linted: LintedRule): string => placeText(at(linted));
