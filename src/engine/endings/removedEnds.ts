// Objects and members whose end is only in the base: the files no longer declare them, and the end is past. Removing the file of
// a grant does not make its access permanent.
import { type Ending, endTime } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { bases, type PlanInput, partedInput, runOf } from '../scope/planInput.ts';

/** Ended declarations of a base, in the form of declarations in files. */
export interface RemovedEnds {
  readonly desired: readonly Desired[];
  readonly endings: readonly Ending[];
}

/**
 * Returns the objects to which a base gave an end before `now`, which are still in the account by their ids, and which no file
 * declares.
 */
export function removedEnds(written: PlanInput, now: number): RemovedEnds {
  const { kinds, snapshot, meant, recordedIds } = written;
  const over = new Map(
    bases(written).flatMap(object => {
      const until = endTime(object.lifecycle.until);
      const isOver = until !== undefined && until <= now;
      return isOver ? [[addressOf(object.kind, object.key), { object, until }] as const] : [];
    }),
  );
  for (const { kind, key } of written.desired) over.delete(addressOf(kind, key));
  if (over.size === 0) return { desired: [], endings: [] };
  const input = partedInput(written);
  const { paired, isMarkedForDeletion } = runOf(input);
  const rules = { isMarkedForDeletion, meant, recordedIds };
  const { unpaired } = pairObjects(
    { kinds, desired: paired, live: snapshot.objects, base: input.base },
    rules,
  );
  const free = new Set(unpaired.map(({ kind, id }) => `${kind} ${id}`));
  const isThere = ({ kind, key }: Desired) =>
    free.has(`${kind} ${recordedIds?.get(addressOf(kind, key))}`);
  const parts = Map.groupBy(bases(input), ({ kind, key, part }) =>
    addressOf(kind, part?.whole ?? key),
  );
  const left = [...over].flatMap(([address, one]) =>
    (parts.get(address) ?? [one.object]).some(isThere) ? [one] : [],
  );
  return {
    desired: left.map(({ object }) => ended(object)),
    endings: left.map(({ object: { kind, key, at }, until }) => ({ kind, key, until, at })),
  };
}

const ended = (object: Desired): Desired => ({
  ...object,
  lifecycle: { ...object.lifecycle, delete: true },
  ended: { isWhole: true, fields: object.fields, members: [] },
});
