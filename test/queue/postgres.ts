// A PostgreSQL of its own for tests: from Debian's packages, in a temporary folder, as another user than root, on a socket alone.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSIONS = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root. The package makes this user. */
const USER = 'postgres';

/** A running server. */
export interface TestPostgres {
  /** Makes an empty database; resolves to its address. */
  readonly database: () => string;
  /** Ends all connections, and starts again at once. */
  readonly restart: () => void;
  readonly stop: () => void;
}

function binaries(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const folder = newest === undefined ? '' : join(VERSIONS, newest, 'bin');
  if (folder === '' || !existsSync(join(folder, 'initdb')))
    throw new Error('PostgreSQL is not installed: `apt-get install postgresql`, then run again');
  return folder;
}

/** Starts a server. Throws if PostgreSQL is not installed. */
export function startPostgres(): TestPostgres {
  const bin = binaries();
  const home = mkdtempSync(join(tmpdir(), 'meshform-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    execFileSync('chown', [USER, home]);
    chmodSync(home, 0o711);
  }
  const data = join(home, 'data');
  const run = (program: string, ...args: readonly string[]): void => {
    const command = [join(bin, program), ...args];
    const as = isRoot
      ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', ...command]
      : command;
    const [first = '', ...rest] = as;
    // A server that inherits a pipe keeps whoever waits for its end waiting.
    execFileSync(first, rest, { cwd: home, stdio: 'ignore' });
  };
  const settings = `-k ${home} -c listen_addresses= -c fsync=off -c max_connections=100`;
  const start = () =>
    run('pg_ctl', '-w', '-D', data, '-l', join(home, 'log'), '-o', settings, 'start');
  run('initdb', '-D', data, '-U', 'meshform', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  start();
  let count = 0;
  return {
    database: () => {
      count += 1;
      const name = `test${count}`;
      run('createdb', '-h', home, '-U', 'meshform', name);
      return `postgresql:///${name}?host=${encodeURIComponent(home)}&user=meshform`;
    },
    restart: () => {
      run('pg_ctl', '-w', '-D', data, '-m', 'immediate', 'stop');
      start();
    },
    stop: () => {
      run('pg_ctl', '-w', '-D', data, '-m', 'immediate', 'stop');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
