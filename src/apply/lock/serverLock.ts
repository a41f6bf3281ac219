// Allows one apply at a time from one folder to one server. The data for a plan is read under the
// lock, or proven to be still valid under the lock. So if two applies follow each other, the second
// plans with the result of the first.
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { TransportOptions } from '../../api/transport/transport.ts';
import type { KnownSecrets } from '../../model/secrets/knownSecrets.ts';
import type { Signer } from '../../model/signer.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { misleadingWay } from '../../read/files/misleading.ts';
import { ForeignFolder } from '../../read/files/ownFolder.ts';
import type { ApplyHost } from '../host.ts';
import {
  isStateFolder,
  type JournalsHost,
  journalsAt,
  LinkedFolder,
  makeJournalsFor,
} from '../journal/journalFolder.ts';
import type { StartedJournal } from '../journal/startedJournal.ts';
import {
  isRefusal,
  type JournalRefusal,
  type LockRefusal,
  type SigningKeyRefusal,
} from '../refusal.ts';
import { signerOf } from '../signing/signer.ts';
import type { AccountLock, BeforeLock, HeldAccountLock, LockHolder } from './accountLock.ts';
import { fileLock } from './fileLock.ts';

/** The name and the path of a lock. */
export interface Locked {
  /** The folder of journals and locks. */
  readonly folder: string;
  /** Signs the journal of the run, and verifies earlier journals. */
  readonly signer: Signer;
  /** Whether the lock is still held. */
  readonly keep: () => Promise<boolean>;
  /** The lock that all machines share, if the run has one. */
  readonly account?: HeldAccountLock;
  /** The journal that the remote got together with the account's lock. */
  readonly started?: StartedJournal;
  /**
   * Why the folder of journals cannot be created. In that case, nothing is locked, and nothing may
   * be written.
   */
  readonly failure?: JournalRefusal;
}

/** What the lock protects: a server, for the files in a folder. */
export interface LockRequest {
  readonly url: string;
  /** The API token, from which the key of journals is derived if the host has none. */
  readonly token: string;
  /** Receives the keys of journals, so that output redacts them. */
  readonly known?: KnownSecrets | undefined;
  /** The folder of the desired state. */
  readonly path: string;
  /** The path of the journal, if the user chose one. */
  readonly journal?: string | undefined;
  /** The lock that all machines share. Without this lock, only runs of this machine see each other. */
  readonly accountLock?: AccountLock | undefined;
  readonly begins?: BeginsJournal | undefined;
  /** Whether the user says that every address of the account leads to this server. */
  readonly isAnyServer?: boolean | undefined;
  /** An address that led to this server before. */
  readonly formerUrl?: string | undefined;
}

/** Begins the journal of a run before the lock is taken. The plan of the run is already known. */
export type BeginsJournal = (
  signer: Signer,
  by: LockHolder,
  before: BeforeLock | undefined,
) => Promise<StartedJournal | undefined>;

/** Holds the lock while `use` runs. Returns the result of `use`, or a refusal if another apply has the lock. */
export async function withLock<T>(
  request: LockRequest,
  host: ApplyHost,
  use: (lock: Locked) => Promise<T>,
): Promise<T | LockRefusal | JournalRefusal | SigningKeyRefusal> {
  const { url, token, known } = request;
  const { signingKey } = host;
  const signer = signerOf({ signingKey, token, onSecret: key => known?.add(key) });
  if (isRefusal(signer)) return signer;
  const folder = await folderFor(request, host);
  if (typeof folder !== 'string') {
    // Without the lock of the account, the bases at its remote would be unknown too.
    if (request.accountLock && folder.failure) return folder.failure;
    return use({ ...folder, signer });
  }
  const lock = await lockIn(folder, url, host).take();
  if ('refused' in lock) {
    if (lock.refused !== 'lock-unusable' || !lock.isFull) return lock;
    // The folder can contain neither the lock nor the journal, so the refusal is the refusal for
    // the journal.
    return { refused: unwritableFolder(host), path: folder, why: lock.why };
  }
  const { accountLock } = request;
  const held = { folder, signer, keep: lock.renew };
  try {
    if (!accountLock) return await use(held);
    return await withAccountLock({ ...request, accountLock }, held, host, use);
  } finally {
    await lock.release();
  }
}

type AccountLockRequest = Omit<LockRequest, 'accountLock'> & { readonly accountLock: AccountLock };

async function withAccountLock<T>(
  { accountLock, begins, url, isAnyServer: isAny, formerUrl }: AccountLockRequest,
  locked: Locked,
  { every }: ApplyHost,
  use: (lock: Locked) => Promise<T>,
): Promise<T | LockRefusal> {
  let started: StartedJournal | undefined;
  const account = await accountLock.take(
    begins &&
      (async (by, before) => {
        started = await begins(locked.signer, by, before);
        return started;
      }),
    { url, isAny, formerUrl },
  );
  if ('refused' in account) return account;
  account.store?.journals.removeOldWith(locked.signer);
  const isBegun = account.store?.isBegun === true;
  const { renewEvery, renew } = account;
  const stop = renewEvery === undefined ? undefined : every?.(renewEvery, () => void renew());
  try {
    return await use({ ...locked, account, ...(isBegun && started && { started }) });
  } finally {
    stop?.();
    await account.release();
  }
}

async function folderFor(
  { path, journal }: LockRequest,
  host: ApplyHost,
): Promise<string | Omit<Locked, 'signer'>> {
  try {
    return await makeJournalsFor(path, host);
  } catch (error) {
    // If there is no folder for journals, the lock is next to the chosen journal.
    const chosen = journal === undefined ? undefined : resolve(host.cwd, journal);
    if (chosen !== undefined && misleadingWay(chosen) === null) return dirname(chosen);
    const folder = journalsAt(path, host);
    const failure = folderRefusal(error, path, host);
    return { folder, keep: () => Promise.resolve(true), failure };
  }
}

/** Why the folder of journals of the files at `path` cannot be written; undefined if it can. */
export async function unwritableJournals(
  path: string,
  host: JournalsHost,
): Promise<JournalRefusal | undefined> {
  return makeJournalsFor(path, host).then(
    () => undefined,
    (error: unknown) => folderRefusal(error, path, host),
  );
}

function folderRefusal(error: unknown, path: string, host: JournalsHost): JournalRefusal {
  if (error instanceof ForeignFolder)
    return { refused: 'foreign-folder', why: error.message, writable: error.writable };
  const refused = error instanceof LinkedFolder ? 'no-journal-folder' : unwritableFolder(host);
  return { refused, path: journalsAt(path, host), why: reasonOf(error) };
}

const unwritableFolder = (host: JournalsHost) =>
  isStateFolder(host) ? 'no-journal-folder' : 'journal-unwritable';

function lockIn(folder: string, url: string, host: ApplyHost): AccountLock {
  const server = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return fileLock(join(folder, `${server}.lock`), host);
}

const RENEWAL_MS = 60_000;

/**
 * Renews the lock while `wait` runs, because a person may take longer to answer than the lock is
 * valid.
 */
export async function keepingLock<T>(
  lock: Locked,
  { sleep }: Pick<ApplyHost, 'sleep'>,
  wait: () => Promise<T>,
): Promise<T> {
  const answered = new AbortController();
  const keep = async (): Promise<void> => {
    while (!answered.signal.aborted) {
      await sleep(RENEWAL_MS, answered.signal);
      if (!answered.signal.aborted) await lock.keep().catch(() => false);
    }
  };
  const keeping = keep();
  try {
    return await wait();
  } finally {
    answered.abort();
    await keeping;
  }
}

/** Returns the same connection. It renews the lock while the server makes the run wait. */
export function keepingLockInPauses(
  connection: TransportOptions,
  lock: Locked,
  host: Pick<ApplyHost, 'sleep'>,
): TransportOptions {
  return {
    ...connection,
    onRetry: (error, pause) => {
      connection.onRetry?.(error, pause);
      if (pause > RENEWAL_MS) void keepingLock(lock, host, () => host.sleep(pause));
    },
  };
}
