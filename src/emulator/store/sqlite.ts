// A store in a SQLite file. Rows are read once and cached in memory. Each transaction that changes rows is a transaction of the
// file, so that after a kill every acknowledged write is complete.
import { DatabaseSync } from 'node:sqlite';
import type { Entry } from './rowTable.ts';
import type { Store } from './store.ts';
import { type Change, newTransactionalRows } from './transactionalRows.ts';

/** The application id and the format version of meshform's files. */
const APPLICATION = 0x6d657368;
const FORM = 1;

/** Why a file cannot hold the state. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
  /** Whether the file cannot be used only because another process has it open. */
  readonly isHeld: boolean;

  constructor(file: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const isHeld = message === 'database is locked';
    const reason = isHeld ? 'another process has locked it' : message;
    super(`${file} cannot hold the state of the emulator: ${reason}`, { cause });
    this.isHeld = isHeld;
  }
}

/**
 * The store in `file`, which is created if it does not exist. Throws if the file belongs to another program, or if another
 * process has it open.
 */
export function sqliteStore(file: string): Store {
  const database = opened(file);
  const upsert = database.prepare(
    'INSERT INTO rows (scope, name, key, place, value) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (scope, name, key) DO UPDATE SET place = excluded.place, value = excluded.value',
  );
  const remove = database.prepare('DELETE FROM rows WHERE scope = ? AND name = ? AND key = ?');
  const rows = newTransactionalRows(readEntries(database));

  const write = ({ before, after }: Change): void => {
    if (after !== undefined) {
      const { scope, table, key, place, value } = after;
      upsert.run(scope, table, key, place, JSON.stringify(value));
    } else if (before !== undefined) remove.run(before.scope, before.table, before.key);
  };
  const keep = (changes: readonly Change[]): void => {
    if (changes.length === 0) return;
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const change of lastOfEach(changes)) write(change);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    transaction: work => rows.transaction(work, keep),
    close: () => database.close(),
  };
}

function opened(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // Only one process may open the file: the cached rows would miss the writes of another process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0');
    refuseForeign(database);
    // Every commit is synced, so that an acknowledged write survives a crash of the machine, not only of the process.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(`BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS rows (
        scope TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
        place INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, name, key)
      ) WITHOUT ROWID;
      PRAGMA application_id = ${APPLICATION};
      PRAGMA user_version = ${FORM};
      COMMIT`);
    return database;
  } catch (error) {
    database?.close();
    throw new UnusableFile(file, error);
  }
}

/** Throws for a file that is not empty and does not contain the rows of an emulator in this format. */
function refuseForeign(database: DatabaseSync): void {
  const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get();
  if (tables?.count === 0) return;
  const application = database.prepare('PRAGMA application_id').get()?.application_id;
  if (application !== APPLICATION) throw new Error('it is not a database of the emulator');
  const form = database.prepare('PRAGMA user_version').get()?.user_version;
  if (form !== FORM)
    throw new Error(`its format is ${form}, and this emulator reads format ${FORM}`);
}

function readEntries(database: DatabaseSync): readonly Entry[] {
  const rows = database.prepare('SELECT scope, name, key, place, value FROM rows ORDER BY place');
  return rows.all().map(({ scope, name, key, place, value }) => ({
    scope: String(scope),
    table: String(name),
    key: String(key),
    place: Number(place),
    value: JSON.parse(String(value)),
  }));
}

/** The last change of each row, because only the last change has to be written. */
function lastOfEach(changes: readonly Change[]): Iterable<Change> {
  const last = new Map<string, Change>();
  for (const change of changes) {
    const { scope, table, key } = change.after ??
      change.before ?? { scope: '', table: '', key: '' };
    last.set(JSON.stringify([scope, table, key]), change);
  }
  return last.values();
}
