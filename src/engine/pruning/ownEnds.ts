// The ended objects that these files declared before: an end removes no other object. A declaration that is new and already ended
// may name, or bind by id, an object of somebody else.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { nameLive } from '../pairing/named.ts';
import type { PlanInput } from '../scope/run.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { declaredBefore } from './declaredBefore.ts';
import { declaringText, droppingHint } from './declaringFolder.ts';
import type { Declarer } from './elsewhere.ts';
import { mayBeOwnGrant } from './ownGrants.ts';

/** Whether the object of a pair that has ended is the one that the files gave its end. */
export type IsOwnEnd = (pair: Pair) => boolean;

/**
 * By the bases and the journals. Without any base, nothing shows what was applied before, and the files are trusted; of a file of grants,
 * only where a journal tells, or where the audit log does and the content is its own.
 */
export function ownEnds(input: PlanInput, names: Names): IsOwnEnd {
  const isBefore = declaredBefore(input, names);
  if (input.recorded?.hasBase) return isBefore;
  const mayBeOwn = mayBeOwnGrant(input, names);
  return pair => pair.desired.isGrant !== true || isBefore(pair) || mayBeOwn(pair);
}

type Names = Pick<Pairing, 'base' | 'formerNames' | 'naming'>;

/** The warnings for other objects that have the name of one that ends: they may be copies of it, and stay. */
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
  // Parts of one object are one finding.
  const wholes = new Map(
    copied.map(({ desired }) => [
      addressOf(desired.kind, desired.part?.whole ?? desired.key),
      desired,
    ]),
  );
  return [...wholes.values()].map(one => endOfOther(one, one.part?.whole ?? one.key, known));
}

/** What is known of an object that has the name of one that ends. */
interface NotOurs extends Pick<PlanInput, 'recordedIds' | 'recorded'> {
  /** The object; absent if it is not the one that the name leads to. */
  readonly live?: Live;
}

/** The warning for the object of a declaration that has ended, if the files did not give it that end. */
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
    : 'nothing recorded says that these files made it';
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

/** The warning for an object that has ended and that another folder declares. */
export function endOfShared({ desired }: Pair, by: Declarer | undefined): Diagnostic[] {
  if (by === undefined) return [];
  const { kind, key, part, at } = desired;
  return [
    {
      code: 'END_HELD',
      severity: 'warning',
      message: `${addressOf(kind, part?.whole ?? key)} has ended and stays: also declared by ${declaringText(by)}`,
      at,
      hint: droppingHint(by),
    },
  ];
}
