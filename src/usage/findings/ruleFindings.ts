// Rules, groups and directions that nobody used.
import { groupsOf as groupsIn, type RuleNarrowing, spanOf } from '../../access/narrow/narrowing.ts';
import type { Named, Rule, Side } from '../../access/state/accessState.ts';
import { namesOf } from '../../access/world/roster.ts';
import type { KindName } from '../../model/names.ts';
import { visible } from '../../model/text/visible.ts';
import type { NarrowedObject, TightenFinding } from '../../model/tightening.ts';
import { daysOfText, inTheseDays } from '../../model/usageWords.ts';
import { daysOf } from '../attribution/flowCount.ts';
import type { RuleUse, Use } from '../attribution/uses.ts';
import type { Candidate } from './candidate.ts';
import { breadthOf } from './duplicates.ts';
import { type Evidence, type RuleEvidence, ruleCoverage } from './evidence.ts';
import { type JudgedFinding, judged, lastText } from './judged.ts';

/** Use below this share of days, members or flows is rare, and a person should decide. */
const RARE = { days: 0.05, members: 0.25, flows: 0.01 } as const;

/** The finding that a whole rule is unused; undefined if it is used. `own` are the uses that no narrower rule admits. */
export function wholeRule(
  one: RuleEvidence,
  own: readonly Use[],
  {
    evidence,
    nounOf,
  }: { readonly evidence: Evidence; readonly nounOf: (kind: KindName) => string },
): Candidate | undefined {
  const { rule, use } = one;
  const flows = own.map(({ flow }) => flow);
  const days = daysOf(flows, evidence.usedDays).size;
  if (days > evidence.days * RARE.days) return undefined;
  const { isOnly, whole } = rule;
  const isCovered = own.length === 0 && use.uses.length > 0;
  const observed = isCovered
    ? 'narrower rules accept all of its flows'
    : flows.length === 0
      ? unused(evidence)
      : `used on ${daysOfText(days, evidence.days)}, last ${lastText(flows)}`;
  return candidate(one, evidence, {
    type: isOnly ? 'unused-policy' : 'unused-rule',
    what: isOnly ? nounOf(whole.kind) : 'rule',
    observed,
    lost: own,
    ...doubtIf(emptySide(rule.linted.rule, evidence)),
    narrowing: { takes: 'rule', rule },
  });
}

const doubtIf = (doubt: string | undefined) => (doubt === undefined ? {} : { doubt });

// Why nobody could use the rule: it may be for machines that join later.
function emptySide({ source, destination }: Rule, evidence: Evidence): string | undefined {
  if (isEmptySide(source, evidence)) return 'no machine is in its source groups';
  const controlled = new Set(evidence.current.routes.flatMap(({ accessControl }) => accessControl));
  const isOfRoute = (groupsIn(destination) ?? []).some(group =>
    controlled.has(keyOf(group, evidence)),
  );
  return !isOfRoute && isEmptySide(destination, evidence)
    ? 'no machine or network resource is in its destination groups'
    : undefined;
}

function isEmptySide(side: Side, evidence: Evidence): boolean {
  const groups = groupsIn(side);
  return groups !== undefined && areEmpty(groups, evidence);
}

/** Whether no machine and no network resource is in any of these groups. */
export const areEmpty = (some: readonly string[], evidence: Evidence): boolean =>
  some.every(group => membersOf(keyOf(group, evidence), evidence) === 0);

/** `unused in these 45 days`. */
export const unused = ({ days }: Evidence): string => `unused ${inTheseDays(days)}`;

/** The groups of a used rule that nobody used, or of which few members were used. */
export function groups(one: RuleEvidence, evidence: Evidence): readonly Candidate[] {
  const { source, destination } = one.rule.linted.rule;
  return [
    ...groupsOn(one, 'source', source, evidence),
    ...groupsOn(one, 'destination', destination, evidence),
  ];
}

function groupsOn(
  one: RuleEvidence,
  side: 'source' | 'destination',
  declared: Side,
  evidence: Evidence,
): readonly Candidate[] {
  const { rule, use } = one;
  const listed = groupsIn(declared) ?? [];
  if (listed.length < 2) return [];
  const groupsOf = side === 'source' ? sourceGroups : destinationGroups;
  // A flow that matched none of the groups came through the routing machine: it is unknown which groups it needs.
  if (use.uses.some(each => groupsOf(each).length === 0)) return [];
  return listed.flatMap(group => {
    const key = keyOf(group, evidence);
    const by = use.uses.filter(each => groupsOf(each).includes(key));
    const lost = by.filter(each => groupsOf(each).every(other => other === key));
    const members = membersOf(key, evidence);
    const found = usersOf(by, side);
    if (by.length > 0 && (lost.length === 0 || found > members * RARE.members)) return [];
    const observed =
      by.length === 0
        ? unused(evidence)
        : `${found} of ${members} used it, last ${lastText(by.map(({ flow }) => flow))}`;
    const takes = side === 'source' ? 'source-group' : 'destination-group';
    const part = side === 'source' ? { sourceGroups: [key] } : { destinationGroups: [key] };
    return candidate(one, evidence, {
      type: `unused-${takes}`,
      what: `${side} group/${group}`,
      observed,
      lost,
      part,
      ...(members === 0 && { doubt: 'no machine or network resource is in the group' }),
      narrowing: { takes, group, rule },
    });
  });
}

const sourceGroups = (use: Use): readonly string[] => use.sourceGroups;
const destinationGroups = (use: Use): readonly string[] => use.destinationGroups;

/** The key of a group by its name or its id. */
export const keyOf = (group: string, { current }: Evidence): string =>
  current.groups.find(({ key, id }) => key === group || `id:${id}` === group)?.key ?? group;

function membersOf(key: string, { current }: Evidence): number {
  const resources = current.networks.flatMap(network => network.resources);
  const inside = resources.filter(({ groups: own }) => own.includes(key)).length;
  return (current.groups.find(group => group.key === key)?.machines.length ?? 0) + inside;
}

// The number of users on a side of a rule. In reverse use, the source of the flow is a destination of the rule.
function usersOf(uses: readonly Use[], side: 'source' | 'destination'): number {
  const ends = uses.map(({ flow, isReverse }) =>
    (side === 'source') === isReverse ? flow.destination : flow.source,
  );
  return new Set(ends.map(end => JSON.stringify(end))).size;
}

/** The reverse direction of a used rule, if nobody used it. */
export function reverse(one: RuleEvidence, evidence: Evidence): readonly Candidate[] {
  const { rule, use } = one;
  const { linted } = rule;
  if (!linted.rule.isBidirectional || !linted.leadsToMachines) return [];
  if (use.uses.some(({ isReverse }) => isReverse)) return [];
  return [
    candidate(one, evidence, {
      type: 'unused-reverse',
      what: 'reverse direction',
      observed: unused(evidence),
      edit: 'bidirectional: false',
      lost: [],
      narrowing: { takes: 'reverse', rule },
    }),
  ];
}

/** A part of a rule, and a finding about it. */
export interface Part extends Pick<TightenFinding, 'type' | 'what' | 'observed'> {
  /** `remove` if absent. */
  readonly edit?: string;
  /** The uses that are lost with the part. */
  readonly lost: readonly Use[];
  readonly part?: Parameters<typeof ruleCoverage>[2];
  /** Why the log is not conclusive, besides missing coverage. */
  readonly doubt?: string;
  readonly narrowing: RuleNarrowing;
}

/** A candidate about a part of a rule. */
export function candidate(one: RuleEvidence, evidence: Evidence, part: Part): Candidate {
  const { rule, use } = one;
  const { type, what, observed, edit = 'remove', narrowing } = part;
  const object = objectOf(one);
  const covered = ruleCoverage(evidence, use, part.part);
  const verdict = judged(
    {
      lost: part.lost.map(({ flow }) => flow),
      all: use.uses.map(({ flow }) => flow),
      unknown: use.unknown,
      covered,
    },
    evidence,
  );
  return {
    object: rule.whole,
    narrowings: [narrowing],
    breadth: breadthOf(rule),
    finding: {
      type,
      object,
      at: spanOf(narrowing),
      what,
      observed,
      edit,
      ...doubted(verdict, part.doubt ?? unknownSide(use, evidence) ?? movedSide(use, evidence)),
    },
  };
}

// Without names of machines in the store, it is unknown which machines the files mean.
function unknownSide({ rule }: RuleUse, { current }: Evidence): string | undefined {
  const sides = [rule.source, rule.destination];
  const isKnown = sides.every(side => {
    if (side.type === 'machine') return isAmong(side.machine, current.machines);
    if (side.type !== 'resource') return true;
    return current.networks.some(({ resources }) => isAmong(side.resource, resources));
  });
  return isKnown ? undefined : 'the rule names objects that are not in the observed account';
}

function movedSide({ rule }: RuleUse, { moved }: Evidence): string | undefined {
  const name = moved.in(rule.source) ?? moved.in(rule.destination);
  return name === undefined ? undefined : movedText(name);
}

/** Why nothing is certain about a name that meant another object at some time in the window. */
export const movedText = (name: string): string =>
  `the name ${visible(name)} meant another object of the account for a time`;

const isAmong = (name: string, list: readonly Named[]): boolean =>
  list.some(one => namesOf(one).includes(name));

/** The verdict, or `unknown` with the doubt; a verdict of `decide` stays. */
export const doubted = (verdict: JudgedFinding, doubt: string | undefined): JudgedFinding =>
  doubt === undefined || verdict.state === 'decide'
    ? verdict
    : { ...verdict, state: 'unknown', reason: doubt };

/** A rule as findings name it. */
const objectOf = ({ rule }: RuleEvidence): NarrowedObject => ({
  kind: rule.whole.kind,
  key: rule.whole.key,
  rule: rule.linted.rule.name,
  at: spanOf({ takes: 'rule', rule }),
});

/** Whether a number is a small share of the flows of a rule. */
export const isRareAmong = (some: number, all: number): boolean => some <= all * RARE.flows;
