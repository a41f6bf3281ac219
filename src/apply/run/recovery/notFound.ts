// Determines from the errors of requests whether an object no longer exists.
import type { ObjectId } from '../../../api/account/objectClient.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { ApiError } from '../../../model/errors.ts';
import type { AccountPort } from '../../port.ts';

/** Whether a read failed because the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.details.code === 'API_NOT_FOUND';
}

/** Whether a read shows that the object does not exist. False if the read fails for another reason. */
export function isAbsent(port: AccountPort, kind: Kind, at: ObjectId): Promise<boolean> {
  return port.read(kind, at).then(() => false, isNotFound);
}

/** The entries of a list; empty if the parent of the list does not exist. */
export function listedOrNothing<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  return list.catch((error: unknown) => {
    if (isNotFound(error)) return [];
    throw error;
  });
}

/**
 * Whether the object of a failed delete may be absent: the object did not exist, or the response
 * was lost. A server refuses to delete an unknown group because the request is invalid
 * (docs/server-behaviour.md#groups).
 */
export function mayBeAbsent(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, mayHaveHappened } = error.details;
  return mayHaveHappened || code === 'API_NOT_FOUND' || code === 'API_INVALID';
}
