// Whether a base that is to be recorded has other end times than the base before it. Such a change
// writes nothing to the server.
import isEqual from 'fast-deep-equal';
import { addressOf } from '../../model/key.ts';
import type { Plan } from '../../model/plan.ts';
import type { RecordedObject } from '../../model/recordedBase.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { type BaseHost, placeOf } from './gitPlace.ts';

/**
 * Whether a plan records other end times than the recorded base of its folder; false if that base
 * is unknown.
 */
export async function hasOtherEnds(
  { base, folder }: Pick<Plan, 'base' | 'folder'>,
  host: BaseHost,
): Promise<boolean> {
  const { content, recorded } = base ?? {};
  if (!content || recorded === undefined) return false;
  const before = await storedBase(placeOf(folder, host), recorded).catch(() => null);
  if (before === null || 'why' in before) return false;
  return haveOtherEnds(before.base.objects, content.objects);
}

/** Whether objects that are in both bases, or their members, have other end times. */
export function haveOtherEnds(
  before: readonly RecordedObject[],
  after: readonly RecordedObject[],
): boolean {
  const known = new Map(before.map(one => [addressOf(one.kind, one.key), endsOf(one)]));
  return after.some(one => {
    const ends = known.get(addressOf(one.kind, one.key));
    return ends !== undefined && !isEqual(ends, endsOf(one));
  });
}

const endsOf = ({ lifecycle, ends = [] }: RecordedObject): readonly string[] => [
  lifecycle?.until ?? '',
  ...ends.map(one => JSON.stringify([one.list, one.member, one.until])).sort(),
];
