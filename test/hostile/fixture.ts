// A folder and a disguised account for one case: what every command is run in.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { Dialect } from '../../src/kinds/traits.ts';
import type { JsonObject } from '../../src/model/value.ts';
import type { TestAccount } from '../support/account.ts';
import { type CliOptions, type Ended, meshform } from '../support/cli.ts';
import { accountForEverything, everything, SECRETS } from '../support/examples/everything.ts';
import { offeredKinds } from '../support/servers/servers.ts';
import { asciiJson, type Disguise, dressedFile } from './disguise.ts';
import { type DisguisedServer, startDisguised } from './server.ts';
import { faultsOf } from './verdict.ts';

const EXAMPLE = new URL('../../examples/everything', import.meta.url).pathname;
const files: ReadonlyMap<string, JsonObject> = new Map(
  await Promise.all(
    (await readdir(EXAMPLE)).map(
      async name => [name, parse(await readFile(join(EXAMPLE, name), 'utf8'))] as const,
    ),
  ),
);

/** What people chose in the example: names, descriptions, and the names that routes have. */
export const NAMES: ReadonlySet<string> = new Set(
  [...files.values()].flatMap(file => chosenIn(file)),
);

function chosenIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(chosenIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, item]) =>
    /^(?:name|description|network_id)$/.test(field) ? [String(item)] : chosenIn(item),
  );
}

/** Commands that take the server's dialect as a flag; a saved plan and a journal know it. */
const SPEAKING = new Set(['plan', 'apply', 'drift', 'export', 'events']);

/** The same world for every case. */
export const NOW = Date.parse('2026-01-02T03:04:05Z');

/** The folder of all journals, from where commands are run. */
export const JOURNALS = 'journals';

export interface Fixture {
  /** Where all of it lies, and commands are run. */
  readonly home: string;
  readonly account: TestAccount;
  readonly server: DisguisedServer;
  /** The folder of desired state, as commands are given it. */
  readonly folder: string;
  readonly run: (argv: readonly string[], options?: CliOptions) => Promise<Ended>;
  /** Writes a file that commands read: it is no output. */
  readonly write: (name: string, text: string) => Promise<void>;
  /** What was wrong with any output or file so far. */
  readonly faults: () => Promise<readonly string[]>;
  /** How many outputs were looked at. */
  readonly looked: () => number;
}

/** A name that a file system takes, and that no flag can be mistaken for. */
export function fileName(text: string): string {
  const name = text.replaceAll(/[/\0]/g, '_').toWellFormed();
  return `x${[...name].slice(0, 20).join('')}`;
}

/** The files of the example with kinds that a server of the dialect does not have. */
function filesUnoffered(dialect: Dialect): ReadonlySet<string> {
  const offered = offeredKinds({ dialect, edition: 'cloud' });
  const left = everything().desired.filter(({ kind }) => !offered.has(kind));
  return new Set(left.map(({ at }) => at.file));
}

/** Puts the example under a disguise into a folder of `home`, and serves its account. */
export async function fixtureFor(
  home: string,
  disguise: Disguise,
  names: ReadonlySet<string>,
  dialect: Dialect,
): Promise<Fixture> {
  const account = await accountForEverything(everything().desired, dialect);
  const server = await startDisguised(account, disguise);
  const folder = fileName(disguise.on('lyon'));
  const written = new Set<string>();
  const write = async (name: string, text: string): Promise<void> => {
    const path = join(home, name);
    written.add(path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const inner = fileName(disguise.on('porto'));
  const unoffered = filesUnoffered(dialect);
  for (const [name, document] of files) {
    if (unoffered.has(name)) continue;
    const file = `${fileName(disguise.on('wiki'))}-${name}`;
    const place = name < 'n' ? join(folder, file) : join(folder, inner, file);
    await write(place, asciiJson(dressedFile(document, names, disguise)));
  }
  const faults: string[] = [];
  let looked = 0;
  const dialectOf = (argv: readonly string[]): readonly string[] => {
    const [verb = '', inner = ''] = argv;
    const isSettled = verb === 'apply' && (/\.json$|^-$/.test(inner) || argv.includes('--resume'));
    return !isSettled && (SPEAKING.has(verb) || inner === 'call') ? ['--dialect', dialect] : [];
  };
  const env = {
    ...SECRETS,
    MESHFORM_URL: server.url,
    MESHFORM_TOKEN: account.token,
    MESHFORM_JOURNALS: join(home, JOURNALS),
  };
  return {
    home,
    account,
    server,
    folder,
    write,
    run: async (argv, options = {}) => {
      const ended = await meshform([...argv, ...dialectOf(argv)], {
        cwd: home,
        now: NOW,
        ...options,
        env: { ...env, ...options.env },
      });
      looked += 2;
      for (const stream of ['stdout', 'stderr'] as const)
        for (const fault of faultsOf(ended[stream], options.isTerminal))
          faults.push(`${stream} of ${JSON.stringify(argv)}: ${fault}`);
      return ended;
    },
    faults: async () => {
      const found = await readdir(home, { recursive: true, withFileTypes: true });
      for (const entry of found.filter(one => one.isFile())) {
        const path = join(entry.parentPath, entry.name);
        if (written.has(path)) continue;
        const text = await readFile(path, 'utf8');
        looked += 1;
        for (const fault of faultsOf(text)) faults.push(`${entry.name}: ${fault}`);
      }
      return faults;
    },
    looked: () => looked,
  };
}
