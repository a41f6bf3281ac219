// The access during an apply: what is missing or open for a while, which sources lose access in which step, and the access after
// each step.
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessStep, AccessStepChange } from '../../model/access/accessPicture.ts';
import type { AccessStepEntry, PlanAccess } from '../../model/access/planAccess.ts';
import type { Plan } from '../../model/plan.ts';
import { accessSentences } from '../access/accessSentences.ts';
import { orderNotes, spanText, stepSentence } from '../access/accessStepsText.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { counted } from '../text/summary.ts';
import {
  changeSentence,
  cutSentenceList,
  sentenceList,
  temporarySentence,
} from './changeSentence.ts';
import { inCode } from './code.ts';
import { shortened } from './table.ts';

/** The part about the steps of an apply. `steps`: absent if they were not evaluated. */
export function stepsPart(
  { access, actions }: Plan,
  kinds: KindTable,
  steps: readonly AccessStep[] | undefined,
): Content {
  if (access === undefined || actions.length === 0) return undefined;
  const heading = [element('h3', {}, 'During the apply'), outOfBounds(access)];
  if (steps === undefined)
    return [
      heading,
      element('p', {}, 'The account is too large to show the access after each step.'),
    ];
  if (steps.length === 0) return [heading, element('p', {}, 'No action can change access.')];
  const losses = lossItems(steps);
  const items = steps.map(step => stepItem(step, { kinds, access, count: actions.length }));
  const slider = element(
    'div',
    { class: 'slider', id: 'slider', hidden: true },
    element('label', { for: 'step' }, 'Step'),
    element('input', { id: 'step', type: 'range', min: 1, max: steps.length, value: 1 }),
    element('output', { id: 'step-count', for: 'step' }),
  );
  const note = `${steps.length} of ${counted(actions.length, 'action')} may change access. The access after each of them, compared with the access before the apply:`;
  return [
    heading,
    losses.length <= LOSSES && lossesPart(losses),
    element('p', {}, note),
    slider,
    element('ol', { id: 'steps', class: 'steps', 'aria-live': 'polite' }, ...items),
    losses.length > LOSSES && lossesPart(losses),
  ];
}

/** Access that is missing or open for a while, and the order of actions, in the words of the plan's text. */
function outOfBounds({ steps, order }: PlanAccess): Content {
  const notes = orderNotes(order).map(text => element('p', {}, text));
  if (steps.length === 0) return notes;
  const items = steps.map(step =>
    element('li', {}, warning(step), element('p', { class: 'hint' }, spanText(step))),
  );
  return [sentenceList(items), notes];
}

const warning = (step: AccessStepEntry): Markup =>
  element('p', { class: 'warning' }, stepSentence(step));

/** The sources that lose access, and the steps that take it, for readers who do not look at each step. */
function lossItems(steps: readonly AccessStep[]): readonly Markup[] {
  const known = new Set<string>();
  const nameOf = ({ from, to, protocol, until_step }: AccessStepChange) =>
    [from, to, protocol, until_step].join('\n');
  return steps.flatMap(({ position, action, changes }): readonly Markup[] => {
    const lost = changes.filter(({ change, loses }) => change === 'lost' || loses !== undefined);
    const fresh = lost.filter(one => !known.has(nameOf(one)));
    for (const one of fresh) known.add(nameOf(one));
    return [...Map.groupBy(fresh, one => one.until_step)].map(([until, losses]) => {
      const losers = [...new Set(losses.map(({ from }) => from))];
      const step = [`Step ${position}, `, inCode(action), ', takes access from '];
      const end = until === undefined ? '' : ` until step ${until}`;
      return element('li', {}, step, shortened(losers), end);
    });
  });
}

/** More steps than this are collapsed, so that the slider stays in sight. */
const LOSSES = 4;

function lossesPart(items: readonly Markup[]): Content {
  if (items.length === 0) return element('p', {}, 'No step takes access from anybody.');
  if (items.length <= LOSSES) return sentenceList(items);
  const summary = `${items.length} times a step takes access`;
  return element(
    'details',
    { class: 'more' },
    element('summary', {}, summary),
    sentenceList(items),
  );
}

interface StepsOf {
  readonly kinds: KindTable;
  readonly access: PlanAccess;
  /** The number of actions of the plan. */
  readonly count: number;
}

function stepItem(
  { position, action, changes }: AccessStep,
  { kinds, access, count }: StepsOf,
): Markup {
  const during = access.steps.filter(
    ({ from_step, until_step }) => from_step <= position && position < until_step,
  );
  const items = [...Map.groupBy(changes, one => one.until_step)].flatMap(([until, own]) =>
    accessSentences(own, kinds).map(one =>
      element('li', {}, until === undefined ? changeSentence(one) : temporarySentence(one, until)),
    ),
  );
  return element(
    'li',
    {},
    element('p', {}, `After step ${position} of ${count}: `, inCode(action)),
    ...during.map(warning),
    items.length === 0
      ? element('p', {}, 'Access is as before the apply.')
      : cutSentenceList(items),
  );
}
