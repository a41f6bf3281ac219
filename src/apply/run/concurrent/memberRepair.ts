// Restores, in one object, the member changes by others that a run undid. Members that joined are
// added again, and members that others removed are removed again.
import { ApiError, InvariantError } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/value.ts';
import { encodeUpdate } from '../../../wire/encode.ts';
import type { AccountPort } from '../../port.ts';
import { isNotFound } from '../recovery/notFound.ts';
import { Refused } from '../refused.ts';
import { resolverFor } from '../turns/resolver.ts';
import type { RunNames } from '../turns/runNames.ts';
import type { UndoneChanges } from './memberHistory.ts';
import { membersIn, type WrittenObject } from './ownWrites.ts';

/** A set in which a read shows that changes by others are undone. */
export interface UndoneSet extends UndoneChanges {
  readonly object: WrittenObject;
  readonly field: string;
}

/** The object of a written set; undefined if it no longer exists. Throws an `ApiError` if it cannot be read. */
export async function readWritten(
  { kind, at }: WrittenObject,
  port: AccountPort,
): Promise<JsonObject | undefined> {
  return port.read(kind, at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** The changes that are still undone in a set, according to a read of its object. */
export function stillUndone(
  { object, field, joined, left }: UndoneSet,
  read: JsonObject,
): UndoneSet {
  const there = membersIn(object.kind, field, read);
  return { object, field, joined: joined.difference(there), left: left.intersection(there) };
}

/** Whether a set has nothing to restore. */
export const isRestored = ({ joined, left }: UndoneChanges): boolean =>
  joined.size === 0 && left.size === 0;

/**
 * Writes the sets of one object as they are in `read`, with the changes by others. Resolves to the
 * reason of a failure, or to null. The update sends the sets whole, like any other update, so the
 * caller has to check again.
 */
export async function restoreMembers(
  undone: readonly UndoneSet[],
  { object: { kind, at }, read }: { readonly object: WrittenObject; readonly read: JsonObject },
  { port, names }: { readonly port: AccountPort; readonly names: RunNames },
): Promise<string | null> {
  const fields = Object.fromEntries(
    undone.map(({ field, joined, left }) => {
      const there = membersIn(kind, field, read);
      return [field, [...there.union(joined).difference(left)].sort()];
    }),
  );
  try {
    const resolve = await resolverFor(fields, { names, openSecret: noSecret });
    await port.update(kind, at, encodeUpdate(kind, fields, read, resolve));
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.fault.message;
    if (!(error instanceof ApiError)) throw error;
    // If the response is lost, the next read shows what was stored.
    return error.details.mayHaveHappened ? null : error.message;
  }
}

// The members of a set are not secret.
const noSecret = (): never => {
  throw new InvariantError('a set holds a secret');
};
