// The queue of a fleet: its database, its ledgers and its jobs, for the commands that use it.
import type { NotHeld } from '../../apply/fleet/rolloutLease.ts';
import { rolloutSigner } from '../../apply/fleet/signedLedger.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { SIGNING_KEY } from '../../apply/signing/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Database, openDatabase, QueueMissing } from '../../queue/database.ts';
import { type Jobs, openJobs } from '../../queue/jobs.ts';
import type { LedgerTable } from '../../queue/ledgers.ts';
import { makeTables } from '../../queue/tables.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { Stop } from '../stop.ts';
import type { FleetFile } from './fleetFiles.ts';
import { rolloutStop } from './rollouts.ts';

/** The variable that contains the address of the database. */
export const DATABASE_URL = 'MESHFORM_DATABASE_URL';

/** The flags that name the database. */
export interface DatabaseFlags {
  readonly database?: string;
}

/** The queue of a fleet file. */
export interface FleetQueue {
  readonly database: Database;
  readonly table: LedgerTable;
  readonly jobs: Jobs;
  /** The path of the fleet file, relative to the root of its repository. */
  readonly path: string;
}

/** Calls `use` with the queue of a fleet. Throws a `Stop` without a database, a package of the queue, or a signing key. */
export async function withQueue<T>(
  fleet: FleetFile,
  { database: chosen, isWorker = false }: DatabaseFlags & { readonly isWorker?: boolean },
  io: Io,
  use: (queue: FleetQueue) => Promise<T>,
): Promise<T> {
  const url = databaseUrl(chosen, io);
  const signer = rolloutSigner({
    signingKey: io.env[SIGNING_KEY],
    onSecret: key => io.secrets.add(key),
  });
  if (isRefusal(signer)) {
    if (signer.shortest !== undefined || signer.isBlank) throw stopOf(signer, io);
    const hint = `set ${SIGNING_KEY}, the same for all workers of the fleet`;
    throw new Stop(EXIT.usage, 'a fleet needs a key to sign its ledger with', hint);
  }
  if (repositoryOf(folderOf(fleet.file)) === null)
    throw new Stop(
      EXIT.usage,
      `the fleet file ${quoted(fleet.shown)} is in no git repository`,
      'a rollout needs a clone with a remote: the locks of its accounts are there',
    );
  const path = pathInRepository(fleet.file);
  const name = `meshform ${io.self.host}`;
  const onTrouble = troubleLines(io);
  const opened = await openQueue(url, { name, path, isWorker, onTrouble }, io);
  try {
    return await use({ ...opened, table: { database: opened.database, signer }, path });
  } finally {
    await opened.jobs.stop().catch(onTrouble);
    await opened.database.close().catch(onTrouble);
  }
}

interface Opening {
  readonly name: string;
  readonly path: string;
  readonly isWorker: boolean;
  readonly onTrouble: (error: Error) => void;
}

async function openQueue(
  url: string,
  { name, path, isWorker, onTrouble }: Opening,
  io: Io,
): Promise<Pick<FleetQueue, 'database' | 'jobs'>> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url, { name, onLost: onTrouble });
    await makeTables(database);
    const jobs = await openJobs(database, { fleet: path, name, isWorker, onTrouble });
    return { database, jobs };
  } catch (error) {
    await database?.close().catch(onTrouble);
    throw databaseStop(error, io);
  }
}

/** Converts an error of the database to a `Stop`. */
export function databaseStop(error: unknown, io: Pick<Io, 'secrets'>): Stop {
  if (error instanceof QueueMissing)
    return new Stop(
      EXIT.environment,
      `${error.message}: the queue of a fleet needs it`,
      'install both packages beside meshform: `npm install pg@8 pg-boss@12`',
    );
  return new Stop(
    EXIT.environment,
    `the database does not answer: ${io.secrets.redact(reasonIn(error))}`,
    `check ${DATABASE_URL} with \`psql\`; docs/fleet.md says how to start PostgreSQL`,
  );
}

// The reason of an error. For a host name with several addresses, there is one error for each
// address and no common message.
function reasonIn(error: unknown): string {
  if (error instanceof AggregateError) return reasonIn(error.errors[0]);
  // The queue engine reports problems as objects with a message.
  const { message, name, code } = Object(error);
  return String(message || name || code || error);
}

/** The address of the database. Throws a `Stop` without an address, or for a password that all users of the machine can read. */
function databaseUrl(chosen: string | undefined, io: Io): string {
  const url = chosen ?? io.env[DATABASE_URL]?.trim() ?? '';
  if (url === '')
    throw new Stop(
      EXIT.usage,
      'no database is configured',
      `set ${DATABASE_URL}, or add --database with an address such as postgresql://host/meshform`,
    );
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^postgres(?:ql)?:$/.test(parsed.protocol))
    throw new Stop(
      EXIT.usage,
      'the address of the database is not one of PostgreSQL',
      'an address is postgresql://user@host:5432/name, or postgresql:///name?host=/run/postgresql',
    );
  const password = passwordIn(parsed);
  if (password !== '') io.secrets.add(password);
  if (password !== '' && chosen !== undefined)
    throw new Stop(
      EXIT.usage,
      'the address in --database has a password: everybody on this machine can read flags',
      `set ${DATABASE_URL} instead, or PGPASSWORD, or use a file as in PGPASSFILE`,
    );
  return url;
}

function passwordIn({ password, searchParams }: URL): string {
  try {
    return decodeURIComponent(password) || (searchParams.get('password') ?? '');
  } catch {
    return password;
  }
}

// Returns a function that prints a problem once. While the database cannot be reached, each of many
// attempts fails.
function troubleLines(io: Io): (error: unknown) => void {
  let last = '';
  return error => {
    const line = `queue: ${io.secrets.redact(reasonIn(error))}`;
    if (line !== last) say(io.stderr, line);
    last = line;
  };
}

/** The answer, or a `Stop`. */
export function queuedOrStop<A extends object>(answer: A | NotHeld): A {
  if ('refused' in answer) throw rolloutStop(answer as NotHeld);
  return answer;
}
