// Combines access changes that differ only in their destination into one sentence: `group/laptops (12) → 2 network resources in
// office`.
import type { KindTable } from '../../kinds/kind.ts';
import { addressText, partsOfAccessName } from '../../model/access/accessName.ts';
import type { AccessChangeEntry } from '../../model/access/planAccess.ts';
import { segmentsOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { nameText } from '../../model/text/visible.ts';
import { moreText } from '../text/longList.ts';
import { counted } from '../text/summary.ts';
import { readableNames } from './readableNames.ts';

/** A change of access to one destination, or the same change for several destinations of one kind in one parent. */
export interface AccessSentence {
  /** The first change of the sentence. */
  readonly change: AccessChangeEntry;
  /** `network_resource/office/wiki 10.0.0.1`, or `2 network resources in office`. */
  readonly target: string;
  /** The destinations, such as `wiki 10.0.0.1`, if there are several; otherwise empty. */
  readonly destinations: readonly string[];
  /** The changes that the sentence describes. */
  readonly entries: readonly AccessChangeEntry[];
}

/** The sentences of an access diff, each at the position of its first change. */
export function accessSentences(
  entries: readonly AccessChangeEntry[],
  kinds: KindTable,
): readonly AccessSentence[] {
  const alike = Map.groupBy(entries, entry => {
    const { to, address, ...same } = entry;
    const place = placeOf(entry, kinds);
    return jsonText(place ? [place.kind.name, place.parent, same] : [to, address, same]);
  });
  return [...alike.values()].map(members => sentenceOf(members, kinds));
}

/** The sentences as a page shows them: their targets are named as people write them. */
export function readableSentences(
  entries: readonly AccessChangeEntry[],
  kinds: KindTable,
): readonly AccessSentence[] {
  const readable = readableNames(kinds);
  return accessSentences(entries, kinds).map(one => ({ ...one, target: readable(one.target) }));
}

/** The sentence for changes that differ only in their destination. */
export function sentenceOf(
  entries: readonly AccessChangeEntry[],
  kinds: KindTable,
): AccessSentence {
  const [change] = entries as readonly [AccessChangeEntry];
  const place = placeOf(change, kinds);
  if (entries.length === 1 || place === null)
    return { change, target: targetText(change), destinations: [], entries };
  const { kind, parent } = place;
  const within = parent === undefined ? '' : ` in ${nameText(parent)}`;
  const target = counted(entries.length, kind.noun, kind.plural) + within;
  const destinations = entries.map(entry => {
    const name = placeOf(entry, kinds)?.name ?? entry.to;
    return [nameText(name), ...addressIn(entry)].join(' ');
  });
  return { change, target, destinations, entries };
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

// The kind, parent and name of a destination; null for a destination that is not an object, such as `4 machines`.
function placeOf({ to }: AccessChangeEntry, kinds: KindTable) {
  const parts = partsOfAccessName(to);
  const kind = parts && kinds.get(parts.type as KindName);
  const [name, parent] = (kind && segmentsOf(parts.key, kind.depth))?.toReversed() ?? [];
  return kind && name !== undefined ? { kind, parent, name } : null;
}
