// Facts from the audit log of an account: who created objects, and which object took over a name.

import { ownUser, readAuditLog } from '../api/events/audit.ts';
import type { ReadTransport } from '../api/transport/transport.ts';
import { createdSinceIn } from '../attribution/createdSince.ts';
import { isMadeByMachines, type Maker, madeBy, makersOf } from '../attribution/makers.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { ComparedAccount } from '../model/comparedAccount.ts';
import { ApiError } from '../model/errors.ts';
import { addressOf } from '../model/key.ts';
import type { NameTaken } from '../model/missingObjects.ts';
import type { Key, RemoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';

/**
 * The creators of the objects, by the ids of the objects, for kinds of which machines create
 * objects too. If there are no such objects, the audit log is not read.
 */
export async function makersIn(
  objects: readonly Pick<Live, 'kind' | 'id'>[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<ReadonlyMap<RemoteId, Maker>> {
  if (!objects.some(({ kind }) => isMadeByMachines(kinds, kind))) return new Map();
  return makersOf(objects, kinds, await logEntries(transport));
}

/** The objects that machines created temporarily, according to the audit log. */
export async function temporaryIn<T extends Pick<Live, 'kind' | 'id'>>(
  objects: readonly T[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<readonly T[]> {
  const makers = await makersIn(objects, kinds, transport);
  return objects.filter(
    ({ kind, id }) => isMadeByMachines(kinds, kind) && makers.get(id) === 'machine',
  );
}

/**
 * The objects that the user of the token created, according to the audit log. None if people sign
 * in as that user, because they may have created an object by hand.
 */
export async function madeByOwnUser(
  objects: readonly Live[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<ReadonlySet<RemoteId>> {
  const user = await ownUser(transport, kinds);
  return user?.isRobot
    ? madeBy(user.id, objects, { kinds, entries: await logEntries(transport) })
    : new Set();
}

/**
 * Returns, from the audit log, which objects got their names only after the objects of the base had
 * lost these names.
 */
export async function createdSince(
  objects: readonly Live[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<(taken: NameTaken) => boolean> {
  const entries = await logEntries(transport);
  return createdSinceIn({ kinds, account: accountOf(objects), entries });
}

/** The account, with the names of its live objects. */
export function accountOf(objects: readonly Live[]): ComparedAccount {
  const ids = new Map(objects.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  return { objects, idOf: (kind, key) => ids.get(addressOf(kind, key as Key)) };
}

/** Entries of the audit log. */
export type LogEntries = Awaited<ReturnType<typeof readAuditLog>>['entries'];

/** The entries of the audit log; none if the token may not read it. */
export async function logEntries(transport: ReadTransport): Promise<LogEntries> {
  try {
    return (await readAuditLog(transport)).entries;
  } catch (error) {
    // Without the log, a base may still show which objects the names denote.
    if (error instanceof ApiError) return [];
    throw error;
  }
}
