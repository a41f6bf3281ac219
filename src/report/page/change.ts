// The view of how a plan changes access: sentences that the reader can open to see their causes, and the access after each step
// of an apply.
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessStep } from '../../model/access/accessPicture.ts';
import type { AccessChangeEntry, RightEntry } from '../../model/access/planAccess.ts';
import type { RuleUse } from '../../model/access/ruleUse.ts';
import { spanText } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonString } from '../../model/text/visible.ts';
import type { AccessSentence } from '../access/accessSentence.ts';
import { accessSentences } from '../access/accessSentences.ts';
import { grantText, posturesText } from '../access/accessWords.ts';
import { accessLine, causeText } from '../access/planAccessText.ts';
import { lastUseText, stoppedText } from '../access/useWords.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { stepsPart } from './applySteps.ts';
import { changeLegend, changeSentence, cutSentenceList, sentenceList } from './changeSentence.ts';
import { inCode } from './code.ts';
import { idlePart } from './idle.ts';
import type { Section } from './section.ts';
import { shortened, type TableRow, table } from './table.ts';

interface Made {
  readonly kinds: KindTable;
  /** The access after each step of an apply, if that was evaluated. */
  readonly steps?: readonly AccessStep[] | undefined;
  /** The observed use of rules before the plan; absent if no store was read. */
  readonly uses?: readonly RuleUse[] | undefined;
}

/** The view of what a plan changes. */
export function changeSection(plan: Plan, { kinds, steps, uses = [] }: Made): Section {
  return {
    id: 'change',
    title: 'What the plan changes about access',
    label: 'Change',
    isView: true,
    content: [accessDiff(plan, kinds, { uses, steps: steps ?? [] }), stepsPart(plan, kinds, steps)],
  };
}

/** Facts about a change that are not in the plan. */
interface Beside {
  readonly uses: readonly RuleUse[];
  readonly steps: readonly AccessStep[];
}

function accessDiff(plan: Plan, kinds: KindTable, { uses, steps }: Beside): Content {
  const { access } = plan;
  const useOf = usesByName(uses);
  if (access === undefined) return element('p', {}, 'Access was not compared.');
  return [
    element('p', {}, element('strong', {}, accessLine(access))),
    idlePart(access),
    access.unread.map(text =>
      element('p', { class: 'warning' }, `Not read: ${text}. It is not compared.`),
    ),
    access.changes.length > 0 && [
      changeLegend(),
      changeList(accessSentences(access.changes, kinds), one => [
        ...factsOf(one, plan, steps),
        ...usesOf(one, useOf),
      ]),
    ],
    access.rights &&
      table('Rights that the plan grants', ['Object', 'Right'], rightRows(access.rights)),
  ];
}

const rightRows = (rights: readonly RightEntry[]): readonly TableRow[] =>
  rights.map(({ object, message }) => ({
    cells: [inCode(object), message],
    look: 'gained',
  }));

type UseOf = (policy: string, rule: string) => RuleUse | undefined;

// Finds the use of a rule by name. If several rules have the same name, none is returned, because it is unknown which of them a
// line means.
function usesByName(uses: readonly RuleUse[]): UseOf {
  const nameOf = (policy: string, rule: string) => `${jsonString(policy)} ${jsonString(rule)}`;
  const known = Map.groupBy(uses, ({ policy, rule }) => nameOf(policy, rule));
  return (policy, rule) => {
    const found = known.get(nameOf(policy, rule)) ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
}

/** The sentences, with a field that filters them, which the script of the page shows. */
function changeList(sentences: readonly AccessSentence[], toldOf: Told): Content {
  const field = element(
    'div',
    { class: 'filters', id: 'change-filter', role: 'search', hidden: true },
    element('input', {
      type: 'search',
      id: 'of-change',
      'aria-label': 'Filter of the changes',
      placeholder: 'Filter by name or port',
    }),
    element('output', { id: 'changes-shown', for: 'of-change' }),
  );
  const items = sentences.map(one => sentenceItem(one, toldOf));
  return [
    element(
      'div',
      { class: 'change-head' },
      element('p', {}, OPENING),
      items.length > FEW && field,
    ),
    element('div', { id: 'changes' }, cutSentenceList(items)),
  ];
}

const OPENING = 'Open a line to see its cause, its rule, and its file.';

/** The number of sentences that need no filter. */
const FEW = 3;

type Told = (one: AccessSentence) => readonly Fact[];

/** A sentence that opens its facts; one about several names opens the sentences about each. */
function sentenceItem(one: AccessSentence, toldOf: Told): Markup {
  const told = one.alike.length > 0 ? [] : toldOf(one);
  const facts = told.map(([name, content]) => [
    element('dt', {}, name),
    element('dd', {}, content),
  ]);
  const alike = one.alike.map(part => sentenceItem(part, toldOf));
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element('summary', {}, changeSentence(one)),
      alike.length > 0 ? sentenceList(alike) : element('dl', {}, ...facts),
    ),
  );
}

type Fact = readonly [name: string, content: Content];

function factsOf(
  { change, destinations }: AccessSentence,
  { changes }: Plan,
  steps: readonly AccessStep[],
): readonly Fact[] {
  const caused = new Set(change.causes);
  const places = changes.flatMap(({ address, at }) =>
    at && caused.has(address) ? spanText(at) : [],
  );
  const rule = change.change === 'lost' ? 'Rule before' : 'Rule';
  const plan = element('a', { href: '#plan' }, 'The plan');
  const facts: readonly Fact[] = [
    ['Destinations', destinations.length > 0 && linesOf(destinations)],
    ['Cause', change.causes.length > 0 && [causeText(change), ' ', plan]],
    [rule, linesOf(change.via.map(grantText))],
    ['File', linesOf(places)],
    ['Step', linesOf(firstStepOf(change, steps))],
    ['Posture', linesOf(posturesText(change))],
    ['Machines', change.machines.length > 0 && shortened(change.machines)],
    ['Future members', change.members_to_come.length > 0 && shortened(change.members_to_come)],
  ];
  return facts.filter(([, content]) => content !== false);
}

// The use of lost or changed access: a reader wants to know whether lost access was used.
function usesOf({ change }: AccessSentence, useOf: UseOf): readonly Fact[] {
  if (change.change === 'gained') return [];
  const texts = change.via.flatMap(grant => {
    const use = useOf(grant.policy ?? '', grant.rule ?? '');
    if (use === undefined) return [];
    const parts = [lastUseText(use), stoppedText(use)].filter(text => text !== undefined);
    return `${grantText({ policy: use.policy, rule: use.rule })}: ${parts.join('; ')}`;
  });
  return texts.length > 0 ? [['Use', linesOf(texts)]] : [];
}

/** The first step of the apply that permanently causes a change of access; empty if no step does. */
function firstStepOf(
  { change, from, to, protocol }: AccessChangeEntry,
  steps: readonly AccessStep[],
): readonly string[] {
  const found = steps.find(step =>
    step.changes.some(
      one =>
        one.until_step === undefined &&
        one.change === change &&
        one.from === from &&
        one.to === to &&
        one.protocol === protocol,
    ),
  );
  return found === undefined ? [] : [`${found.position}: ${found.action}`];
}

const linesOf = (texts: readonly string[]): Content =>
  texts.length > 0 && texts.map(text => element('div', {}, text));
