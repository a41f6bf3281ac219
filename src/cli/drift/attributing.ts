// Determines from the audit log of the account who caused the drift. Drift is reported even if the
// log cannot be read.
import { ownUser, readAuditLog } from '../../api/events/audit.ts';
import { type Moment, momentOfClock } from '../../api/events/time.ts';
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import { runWindows } from '../../apply/earlierRuns/runWindows.ts';
import { attributed, unattributed } from '../../attribution/attribute.ts';
import { ownEntries } from '../../attribution/ownRuns.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Attributions } from '../../model/audit/attribution.ts';
import type { ShownChange } from '../../model/change.ts';
import type { ComparedAccount } from '../../model/comparedAccount.ts';
import { ApiError } from '../../model/errors.ts';
import { baseMoment } from '../../read/git/baseMoment.ts';
import { journalHost } from '../apply/journalHost.ts';
import type { Io } from '../io.ts';

/** The place of the files, and the flags of the attribution. */
export interface AttributionRequest {
  readonly kinds: KindTable;
  readonly account: ComparedAccount;
  /** The folder or file, as the user named it and as an absolute path. */
  readonly folder: string;
  readonly path: string;
  readonly base: string | undefined;
  /** The id of the account that the project file names. */
  readonly accountId: string | undefined;
  /** The `name` in the project file. */
  readonly name: string | undefined;
  readonly since: Moment | undefined;
  readonly own: readonly string[];
}

/**
 * How long to wait for the log, in milliseconds. The server writes an event after its response, so
 * events of recent changes may be missing.
 */
const GRACE = 1_500;

/** Resolves to the users who caused each of these differences. */
export async function attributeDrift(
  changes: readonly ShownChange[],
  connection: TransportOptions,
  request: AttributionRequest,
  io: Io,
): Promise<Attributions> {
  if (changes.length === 0) return new Map();
  const { kinds, account, own, folder } = request;
  const transport = readTransport(connection);
  await io.sleep(GRACE);
  const log = await readAuditLog(transport).catch((error: unknown) => {
    if (error instanceof ApiError) return { why: whyUnread(error) };
    throw error;
  });
  if ('why' in log) return unattributed(changes, log.why);
  const self = await ownUser(transport, kinds);
  const windows = await runWindows(folder, journalHost(io, connection.token));
  const since = request.since ?? (await recordedMoment(request, io));
  return attributed(changes, {
    kinds,
    account,
    ...log,
    isOwn: ownEntries(log.entries, { self, windows, named: own }),
    self: self?.id ?? null,
    ...(since !== undefined && { since, isFromBase: request.since === undefined }),
  });
}

// The tolerance in milliseconds. The time of the base does not come from the clock of the server.
const SKEW = 60_000;

async function recordedMoment(
  { path, base, accountId, name }: AttributionRequest,
  host: Io,
): Promise<Moment | undefined> {
  const recorded = await baseMoment({ path, base, account: accountId, name, host });
  return recorded === null ? undefined : momentOfClock(recorded * 1000 - SKEW);
}

function whyUnread({ message, details: { status } }: ApiError): string {
  if (status === 403 || status === 401) return 'the token may not read the audit log';
  if (status === 404 || status === 405) return 'the server has no audit log';
  return `the audit log could not be read: ${message}`;
}
