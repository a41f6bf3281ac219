// Sorts the access changes of a plan by weight. The changes that open most come first, and so do their causes.
import type { KindTable } from '../../kinds/kind.ts';
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { largest } from '../../model/text/longLists.ts';
import { moreText } from '../text/longList.ts';
import { openingOf, ranked } from '../view/opening.ts';
import type { AccessSentence } from './accessSentence.ts';
import { accessSentences, sentenceOf } from './accessSentences.ts';
import { withOrder } from './foldedSentences.ts';

/** How access changes are shortened. */
export interface AccessLimit {
  /**
   * The maximum number of sentences for each type of change, and of destinations in a sentence; infinite if nothing is left out.
   */
  readonly most: number;
  /** Called once if sentences, destinations or causes are left out. */
  readonly onCut?: () => void;
}

/** The maximum number of causes that a sentence names; the others are counted. */
const CAUSES = 5;

/** The sentences that are shown, and the number of changes of each type that are not shown. */
export interface ShownAccess {
  readonly sentences: readonly AccessSentence[];
  readonly rest: readonly (readonly [change: AccessChangeEntry['change'], count: number])[];
}

/**
 * The sentences about an access diff, within the limit. If a type of change has too many sentences, only those about the changes
 * that open most are kept, and these come first.
 */
export function shownSentences(
  { access, changes }: Pick<Plan, 'access' | 'changes'>,
  kinds: KindTable,
  { most, onCut }: AccessLimit,
): ShownAccess {
  const all = accessSentences(access?.changes ?? [], kinds);
  if (most === Number.POSITIVE_INFINITY) return { sentences: all, rest: [] };
  const weight = weights(changes, kinds);
  const shortened = (['gained', 'lost', 'changed'] as const).map(change => {
    const own = all.filter(one => one.change.change === change);
    if (own.length <= most) return { change, sentences: own, count: 0 };
    const sentences = ranked(own, one => sentenceWeight(one, weight)).slice(0, most);
    const count = changesIn(own) - changesIn(sentences);
    return { change, sentences, count };
  });
  const isCut = shortened.some(({ count }) => count > 0);
  const isLong = ({ change, destinations }: AccessSentence) =>
    change.causes.length > CAUSES || destinations.length > most;
  const kept = isCut ? shortened.flatMap(({ sentences }) => sentences) : all;
  if (isCut || kept.some(isLong)) onCut?.();
  return {
    sentences: kept.map(one => {
      // If only some destinations are named, they are the widest.
      const sentence = one.destinations.length > most ? widestFirst(one, weight, kinds) : one;
      const causes = shownCauses(one.change.causes, weight);
      return { ...sentence, change: { ...one.change, causes } };
    }),
    rest: shortened.flatMap(({ change, count }) => (count > 0 ? [[change, count] as const] : [])),
  };
}

function widestFirst(one: AccessSentence, weight: Weights, kinds: KindTable): AccessSentence {
  if (one.alike.length > 0)
    return withOrder(one, parts => ranked(parts, part => sentenceWeight(part, weight)));
  return sentenceOf(
    ranked(one.entries, entry => entryWeight(entry, weight)),
    kinds,
  );
}

const changesIn = (sentences: readonly AccessSentence[]): number =>
  sentences.reduce((sum, { entries }) => sum + entries.length, 0);

const sentenceWeight = ({ entries }: AccessSentence, weight: Weights): number =>
  largest(
    0,
    entries.map(entry => entryWeight(entry, weight)),
  );

/** The sentences of these changes; those that open most come first. */
export function sentencesByWeight(
  entries: readonly AccessChangeEntry[],
  changes: readonly ShownChange[],
  kinds: KindTable,
): readonly AccessSentence[] {
  const weight = weights(changes, kinds);
  return ranked(accessSentences(entries, kinds), one => sentenceWeight(one, weight));
}

type Weights = ReadonlyMap<string, number>;

// The weights of changes by address. A change of a kind that grants access always weighs more than a change of a kind that grants nothing.
// Among changes that grant nothing, a new object weighs least.
function weights(changes: readonly ShownChange[], kinds: KindTable): Weights {
  return new Map(
    changes.map(change => {
      const grants = kinds.get(change.kind)?.grantsNothing === false;
      const own = grants ? 2 + openingOf(change, kinds) : change.type === 'create' ? 0 : 1;
      return [change.address, own] as const;
    }),
  );
}

/** Limits the number of machines, so that no number weighs as much as everything. */
const MACHINES = 64;

function entryWeight(entry: AccessChangeEntry, weight: Weights): number {
  const { causes, machines, members_to_come, protocol, ports_after, address } = entry;
  const causing = largest(
    0,
    causes.map(cause => weight.get(cause) ?? 0),
  );
  const who = Math.log2(1 + machines.length + members_to_come.length) / MACHINES;
  const traffic = protocol === 'all' ? 1 : ports_after.includes('*') ? 0.5 : 0;
  const where = address !== undefined && /\/0$|\*/.test(address) ? 1 : 0;
  return causing + who + traffic + where;
}

function shownCauses(causes: readonly string[], weight: Weights): readonly string[] {
  if (causes.length <= CAUSES) return causes;
  const first = ranked(causes, cause => weight.get(cause) ?? 0).slice(0, CAUSES);
  return [...first, moreText(causes.length - first.length)];
}
