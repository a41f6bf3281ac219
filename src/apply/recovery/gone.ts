// Whether an object is no longer there, as far as the errors of calls tell it.
import type { Kind } from '../../kinds/kind.ts';
import { ApiError } from '../../model/errors.ts';
import type { AccountPort, Place } from '../run/port.ts';

/** Whether a read ended because there is nothing to read. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.details.code === 'API_NOT_FOUND';
}

/** Whether a read finds nothing. One that fails for another reason says nothing, and so does this: false. */
export function isGoneNow(port: AccountPort, kind: Kind, at: Place): Promise<boolean> {
  return port.read(kind, at).then(() => false, isGone);
}

/** What a list holds; nothing where what it is a list of is gone. */
export function listedOrNothing<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  return list.catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
}

/**
 * Whether a delete that failed may have found nothing to delete, or done it without an answer.
 * A delete of an unknown group is refused as invalid (docs/server-behaviour.md#groups).
 */
export function leavesGoneOpen(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, mayHaveHappened } = error.details;
  return mayHaveHappened || code === 'API_NOT_FOUND' || code === 'API_INVALID';
}
