// Folds sentences that differ in one name only: `group["‹network› staff"] → group["‹network›
// services"] (20 networks)`. A change that affects every office becomes one line instead of one
// line for each office.
import type { KindTable } from '../../kinds/kind.ts';
import { addressText, partsOfAccessName } from '../../model/access/accessName.ts';
import type { AccessChangeEntry, AccessGrant } from '../../model/access/planAccess.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { nameText } from '../../model/text/visible.ts';
import { type Rename, renaming } from '../text/renaming.ts';
import { counted } from '../text/summary.ts';
import { type AccessSentence, placeOf } from './accessSentence.ts';

/** The minimum number of sentences that are folded: two lines are shorter than a line with a list. */
const FEWEST = 3;
/**
 * The maximum number of words in a name, and of destinations in a sentence, that are compared. The
 * names that people write have fewer words.
 */
const MOST = { words: 4, destinations: 50 };

/** The sentences. Those that differ only in a name are combined at the position of the first. */
export function foldedSentences(
  sentences: readonly AccessSentence[],
  kinds: KindTable,
): readonly AccessSentence[] {
  if (sentences.length < FEWEST) return sentences;
  const forms = formsOf(sentences, kinds);
  const nounOf = parentNouns(sentences, kinds);
  const folded = new Set<AccessSentence>();
  return sentences.flatMap(sentence => {
    if (folded.has(sentence)) return [];
    const alike = largestOf(forms, sentence).filter(({ of }) => !folded.has(of));
    if (alike.length < FEWEST) return [sentence];
    for (const { of } of alike) folded.add(of);
    return [foldOf(alike, nounOf)];
  });
}

/** The folded sentence with its parts in this order. */
export function withOrder(
  folded: AccessSentence,
  order: (parts: readonly AccessSentence[]) => readonly AccessSentence[],
): AccessSentence {
  const names = new Map(folded.alike.map((one, at) => [one, folded.destinations[at] ?? '']));
  const alike = order(folded.alike);
  return { ...folded, alike, destinations: alike.map(one => names.get(one) ?? '') };
}

/** A sentence and the word in it that may stand for a name. */
interface Named {
  readonly of: AccessSentence;
  readonly word: string;
}

/** Sentences by their text with one word removed, and for each sentence all of these texts. */
interface Forms {
  readonly sentences: ReadonlyMap<string, readonly Named[]>;
  readonly of: ReadonlyMap<AccessSentence, readonly string[]>;
}

// Only sentences that agree in everything but names are compared word by word.
function formsOf(sentences: readonly AccessSentence[], kinds: KindTable): Forms {
  const found = new Map<string, Named[]>();
  const ownOf = new Map<AccessSentence, string[]>();
  const short = sentences.filter(({ entries }) => entries.length <= MOST.destinations);
  for (const [frame, alike] of Map.groupBy(short, frameOf)) {
    if (alike.length < FEWEST) continue;
    for (const sentence of alike)
      for (const { word, form } of wordForms(sentence, kinds)) {
        const key = `${frame}\n${form}`;
        listAt(found, key).push({ of: sentence, word });
        listAt(ownOf, sentence).push(key);
      }
  }
  return { sentences: found, of: ownOf };
}

function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/**
 * The largest set of sentences that differ from this sentence only in a name. Of sets of the same
 * size, the one with the shortest name.
 */
function largestOf(forms: Forms, sentence: AccessSentence): readonly Named[] {
  let best: readonly Named[] = [];
  for (const form of forms.of.get(sentence) ?? []) {
    const named = forms.sentences.get(form) ?? [];
    if (named.length > best.length) best = named;
  }
  return best;
}

/**
 * The forms of a sentence, each without one word that may be the name of a place. A word may be one
 * if several names contain it, or the name of a parent of a destination.
 */
function wordForms(
  sentence: AccessSentence,
  kinds: KindTable,
): readonly { readonly word: string; readonly form: string }[] {
  const names = namesOf(sentence);
  const { parent = '' } = placeOf(sentence.change, kinds) ?? {};
  return wordsOf(sentence).flatMap(word => {
    const rename = renaming(word, PLACEHOLDER);
    const renamed = names.map(rename);
    const count = renamed.filter((text, at) => text !== names[at]).length;
    const isPlace = count >= 2 || rename(parent) !== parent;
    return isPlace ? [{ word, form: renamed.join('\n') }] : [];
  });
}

const PLACEHOLDER = '‹›';

/** The content of a sentence without its names. */
function frameOf({ change, entries }: AccessSentence): string {
  const { from, to, address, machines, members_to_come, via, causes, ...others } = change;
  const { to_machines, to_members_to_come, ...same } = others;
  const counts = [members_to_come.length, to_members_to_come?.length, causes.length];
  const isNow = [machines.length > 0, to_machines !== undefined];
  const widths = entries.map(one => widthOf(one.address));
  const grants = via.map(({ policy, rule, through, at, ...grant }) => [grant, through?.length]);
  return jsonLine([same, counts, isNow, widths, grants]);
}

/** The names in a sentence. */
const namesOf = ({ change, entries }: AccessSentence): readonly string[] => [
  change.from,
  ...entries.map(one => one.to),
  ...entries.flatMap(one => domainOf(one.address)),
  ...change.members_to_come,
  ...change.via.flatMap(({ policy = '', rule = '', through = [] }) => [policy, rule, ...through]),
  ...change.causes,
];

const ADDRESS = /^(?:[\d.]+|[\da-f:.]*:[\da-f:.]*)(\/\d+)?$/i;

// Only the prefix length of an address is compared, because each office has its own address.
const widthOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : (ADDRESS.exec(address)?.[1] ?? '');

const domainOf = (address: string | undefined): readonly string[] =>
  address === undefined || ADDRESS.test(address) ? [] : [address];

const WORDS = /[\p{L}\p{N}]+(?:[-_. ][\p{L}\p{N}]+)*/gu;

/** The words of the source and of the first destination, and adjacent words of them; the shortest first. */
function wordsOf({ change: { from, to } }: AccessSentence): readonly string[] {
  const found = new Set<string>();
  for (const name of [from, to])
    for (const [text] of (partsOfAccessName(name)?.key ?? '').matchAll(WORDS)) {
      const parts = text.split(/([-_. ])/);
      for (let first = 0; first < parts.length; first += 2)
        for (let end = first + 1; end <= parts.length && end - first < 2 * MOST.words; end += 2)
          found.add(parts.slice(first, end).join(''));
    }
  return [...found].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** The nouns of the kinds that have an object of a name, among the parents of destinations. */
function parentNouns(
  sentences: readonly AccessSentence[],
  kinds: KindTable,
): ReadonlyMap<string, string> {
  const nouns = new Map<string, string>();
  for (const { change } of sentences) {
    const place = placeOf(change, kinds);
    const noun = place?.kind.parent && kinds.get(place.kind.parent)?.noun;
    if (place?.parent !== undefined && noun) nouns.set(place.parent, noun);
  }
  return nouns;
}

function foldOf(named: readonly Named[], nounOf: ReadonlyMap<string, string>): AccessSentence {
  const [first] = named as readonly [Named];
  const nouns = new Set(named.map(({ word }) => nounOf.get(word)));
  const [noun = 'name'] = nouns.size === 1 ? nouns : [];
  const rename = renaming(first.word, `‹${noun}›`);
  const { change, target, entries } = first.of;
  const shown = rename(entries.length === 1 ? change.to : target);
  return {
    change: renamedChange(change, rename, named),
    target: `${shown} (${counted(named.length, noun)})`,
    destinations: named.map(nameOf),
    entries: named.flatMap(({ of }) => of.entries),
    alike: named.map(({ of }) => of),
  };
}

/** The name, with the address of the destination if there is one. */
function nameOf({ of, word }: Named): string {
  const address = of.entries.length === 1 ? of.change.address : undefined;
  return [nameText(word), ...(address === undefined ? [] : [addressText(address)])].join(' ');
}

function renamedChange(
  change: AccessChangeEntry,
  rename: Rename,
  named: readonly Named[],
): AccessChangeEntry {
  const { address, ...others } = change;
  return {
    ...others,
    from: rename(change.from),
    to: rename(change.to),
    machines: [...new Set(named.flatMap(({ of }) => of.change.machines))],
    members_to_come: change.members_to_come.map(rename),
    via: change.via.map(grant => renamedGrant(grant, rename)),
    causes: change.causes.map(rename),
  };
}

const renamedGrant = (grant: AccessGrant, rename: Rename): AccessGrant => ({
  ...grant,
  ...(grant.policy !== undefined && { policy: rename(grant.policy) }),
  ...(grant.rule !== undefined && { rule: rename(grant.rule) }),
  ...(grant.through && { through: grant.through.map(rename) }),
});
