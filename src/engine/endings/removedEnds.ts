// Objects and members whose end time has passed and is only in the base, because the files no
// longer declare them. Without this check, removing the file of a grant would make its access
// permanent.
import type { KindTable } from '../../kinds/kind.ts';
import { mapEnds } from '../../kinds/values/mapEnds.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { type Ending, endTime } from '../../model/ending.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { bases, type PlanInput, partedInput, runOf } from '../scope/planInput.ts';
import { endedInBase, overMembers, type WithEnded, withEndedOfBase } from './removedMembers.ts';

/**
 * Ended declarations of a base, in the form of declarations in files. If the files declare the
 * object without the ended members, this declaration replaces the declaration in the files.
 */
export interface RemovedEnds {
  readonly desired: readonly Desired[];
  readonly endings: readonly Ending[];
}

/**
 * Returns objects whose end time in a base is before `now`, if no file declares them and the
 * account still has them under the id in the base. Also returns the objects with members to which
 * the same applies.
 */
export function removedEnds(written: PlanInput, now: number): RemovedEnds {
  const own = new Map(written.desired.map(one => [addressOf(one.kind, one.key), one]));
  const over = new Map(
    bases(written).flatMap(object => {
      const until = endTime(object.lifecycle.until);
      const isOver = until !== undefined && until <= now;
      return isOver ? [[addressOf(object.kind, object.key), { object, until }] as const] : [];
    }),
  );
  const gone = new Set([...over.keys()].filter(one => isGone(own.get(one))));
  const partly = withEndedMembers(written, { now, gone }, over);
  for (const address of own.keys()) over.delete(address);
  const declared = partly.filter(({ address }) => own.has(address));
  const others = partly.filter(({ address }) => !own.has(address));
  if (over.size + others.length === 0) return joined(declared);
  const isLeft = leftInAccount(written);
  const whole = [...over].flatMap(([address, { object, until }]) => {
    const { kind, key, at } = object;
    return isLeft(address, object)
      ? [{ desired: ended(object), endings: [{ kind, key, until, at }] }]
      : [];
  });
  const rest = others.filter(({ address, desired }) => isLeft(address, desired));
  return joined([...whole, ...declared, ...rest]);
}

const joined = (all: readonly WithEnded[]): RemovedEnds => ({
  desired: all.map(({ desired }) => desired),
  endings: all.flatMap(({ endings }) => endings),
});

// Whether an object that has ended in the base is absent from the files, or has ended there too.
const isGone = (declared: Desired | undefined): boolean =>
  declared === undefined || declared.ended?.isWhole === true;

// The declarations of bases that contain ended members, but have not ended themselves.
function withEndedMembers(
  written: PlanInput,
  time: { readonly now: number; readonly gone: ReadonlySet<Address> },
  over: ReadonlyMap<Address, unknown>,
): readonly (WithEnded & { readonly address: Address })[] {
  const { kinds, snapshot, desired } = written;
  const files = new Map(desired.map(one => [addressOf(one.kind, one.key), one]));
  const inBases = new Map(bases(written).map(one => [addressOf(one.kind, one.key), one]));
  return [...inBases].flatMap(([address, recorded]) => {
    const kind = kinds.get(recorded.kind);
    if (!kind || (recorded.ends === undefined && over.size === 0) || over.has(address)) return [];
    const base = underPresentNames(recorded, kinds, snapshot.objects);
    const gone = overMembers(base, kind, time);
    if (gone.length === 0) return [];
    const own = files.get(address);
    const found = own
      ? withEndedOfBase(own, { base, over: gone }, kinds)
      : endedInBase(base, kind, gone);
    return found ? [{ ...found, address }] : [];
  });
}

// A base that an undo recorded may refer to an object by its id.
function underPresentNames(object: Desired, kinds: KindTable, live: readonly Live[]): Desired {
  const kind = kinds.get(object.kind);
  if (!kind) return object;
  const named = (ref: KindName, key: string): string => {
    const id = idInKey(key);
    return id === null ? key : (live.find(one => one.kind === ref && one.id === id)?.key ?? key);
  };
  const fields = mapFieldRefs(kind, object.fields, named);
  return { ...object, fields, ends: mapEnds(kind, object.ends ?? [], named) };
}

// Returns whether an object of a base, or a part of it, is still in the account under its id
// although no file declares it.
function leftInAccount(written: PlanInput): (address: Address, object: Desired) => boolean {
  const { kinds, snapshot, meant, recordedIds } = written;
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
  return (address, object) => (parts.get(address) ?? [object]).some(isThere);
}

const ended = (object: Desired): Desired => ({
  ...object,
  lifecycle: { ...object.lifecycle, delete: true },
  ended: { isWhole: true, fields: object.fields, members: [] },
});
