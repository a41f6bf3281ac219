// The ended objects that these files declared before. No other object is removed. A new declaration
// that has already ended may have the name of somebody else's object, or bind it by id.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { nameLive } from '../pairing/namedObjects.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { declaredBefore } from './declaredBefore.ts';
import type { Declarer } from './declaredElsewhere.ts';
import { declaringText, droppingHint } from './declaringFolder.ts';
import { mayBeOwnGrant } from './ownGrants.ts';

/** Returns whether the live object of an ended pair is the object to which the files gave the end time. */
export type IsOwnEnd = (pair: Pair) => boolean;

/**
 * Returns whether an ended object belongs to these files, according to the bases and the journals.
 * Without any base, no record shows what was applied before, so the files are trusted. For a file
 * of grants, that requires more proof: a journal that shows the creation, or the audit log together
 * with the declared content.
 */
export function ownEnds(input: PlanInput, names: Names): IsOwnEnd {
  const isBefore = declaredBefore(input, names);
  if (input.recorded?.hasBase) return isBefore;
  const mayBeOwn = mayBeOwnGrant(input, names);
  return pair => pair.desired.isGrant !== true || isBefore(pair) || mayBeOwn(pair);
}

type Names = Pick<Pairing, 'base' | 'formerNames' | 'naming'>;

/** Warnings for other objects with the name of an ended object. They may be copies of it, and they stay. */
export function copiesOfEnded(
  ending: readonly Pair[],
  { unpaired, naming }: Pick<Pairing, 'unpaired' | 'naming'>,
  known: Pick<PlanInput, 'recordedIds' | 'recorded'> & { readonly kind: (name: KindName) => Kind },
): readonly Diagnostic[] {
  const own = new Set(ending.map(({ live }) => live));
  const isCopyOf = (desired: Desired) => (other: Live) =>
    other.kind === desired.kind &&
    !own.has(other) &&
    other.reserved === undefined &&
    nameLive(known.kind(desired.kind), other, naming).key === desired.key;
  const copied = ending.filter(({ desired }) => unpaired.some(isCopyOf(desired)));
  // If several parts belong to one object, the object is reported once.
  const wholes = new Map(
    copied.map(({ desired }) => [
      addressOf(desired.kind, desired.part?.whole ?? desired.key),
      desired,
    ]),
  );
  return [...wholes.values()].map(one => endOfOther(one, one.part?.whole ?? one.key, known));
}

/** What is known about an object that has the name of an ended object. */
interface NotOurs extends Pick<PlanInput, 'recordedIds' | 'recorded'> {
  /** The live object; absent if the name resolves to another object. */
  readonly live?: Live;
}

/** The warning for the live object of an ended declaration, if the files did not give the end time to this object. */
export const endOfOther = (
  { kind, at, isGrant }: Desired,
  key: Key,
  { recordedIds, recorded, live }: NotOurs,
): Diagnostic => {
  const address = addressOf(kind, key);
  const id = recordedIds?.get(address);
  const isOther = id !== undefined && id !== live?.id;
  const isTrustedElse = isGrant === true && recorded?.hasBase !== true;
  const unproven = isTrustedElse
    ? 'no base or journal shows that it was created for the grant, nor does the audit log'
    : 'no record shows that these files made it';
  const manage = isGrant ? '' : '; to manage it here, apply it once without the end';
  return {
    code: 'END_HELD',
    severity: 'warning',
    message: `${address} has ended, and the object of that name in the account stays, because ${isOther ? 'it is a different object' : unproven}`,
    at,
    hint: isOther
      ? 'look at it in the account: delete or rename it there, or remove the declaration'
      : `delete it in the account, or remove the declaration${manage}`,
  };
};

/** The warning for an ended object that another folder also declares. */
export function endOfShared({ desired }: Pair, by: Declarer | undefined): Diagnostic[] {
  if (by === undefined) return [];
  const { kind, key, part, at } = desired;
  return [
    {
      code: 'END_HELD',
      severity: 'warning',
      message: `${addressOf(kind, part?.whole ?? key)} has ended and stays, because it is also declared by ${declaringText(by)}`,
      at,
      hint: droppingHint(by),
    },
  ];
}
