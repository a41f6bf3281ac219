// Combines access changes that differ only in their destination into one sentence: `group/laptops (12) → 2 network resources in
// office`.
import type { KindTable } from '../../kinds/kind.ts';
import { addressText } from '../../model/access/accessName.ts';
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText } from '../../model/text/visible.ts';
import { moreText } from '../text/longList.ts';
import { counted } from '../text/summary.ts';
import { type AccessSentence, placeOf } from './accessSentence.ts';
import { foldedSentences } from './foldedSentences.ts';

/**
 * The sentences of an access diff, each at the position of its first change. Sentences that differ
 * only in a name, such as the name of a network, are combined into one.
 */
export function accessSentences(
  entries: readonly AccessChangeEntry[],
  kinds: KindTable,
): readonly AccessSentence[] {
  const alike = Map.groupBy(entries, entry => {
    const { to, address, ...same } = entry;
    const place = placeOf(entry, kinds);
    return jsonText(place ? [place.kind.name, place.parent, same] : [to, address, same]);
  });
  const sentences = [...alike.values()].map(members => sentenceOf(members, kinds));
  return foldedSentences(sentences, kinds);
}

/** The sentence for changes that differ only in their destination. */
export function sentenceOf(
  entries: readonly AccessChangeEntry[],
  kinds: KindTable,
): AccessSentence {
  const [change] = entries as readonly [AccessChangeEntry];
  const place = placeOf(change, kinds);
  if (entries.length === 1 || place === null)
    return { change, target: targetText(change), destinations: [], entries, alike: [] };
  const { kind, parent } = place;
  const within = parent === undefined ? '' : ` in ${nameText(parent)}`;
  const target = counted(entries.length, kind.noun, kind.plural) + within;
  const destinations = entries.map(entry => {
    const name = placeOf(entry, kinds)?.name ?? entry.to;
    return [nameText(name), ...addressIn(entry)].join(' ');
  });
  return { change, target, destinations, entries, alike: [] };
}

/** The destination of a change, with its address if it has one. */
const targetText = (entry: AccessChangeEntry): string => [entry.to, ...addressIn(entry)].join(' ');

const addressIn = ({ address }: AccessChangeEntry): readonly string[] =>
  address === undefined ? [] : [addressText(address)];

/** The names of the destinations as a text. At most `most` are named, and the others are counted. */
export function destinationsText({ destinations }: AccessSentence, most: number): string {
  if (destinations.length <= most) return destinations.join(', ');
  return [...destinations.slice(0, most), moreText(destinations.length - most)].join(', ');
}
