// A fleet in a clone with a remote: the tenants of a provider in one emulator, a baseline, and a folder for some of them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliOptions, type Ended, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { type MspOptions, startMsp, type TestMsp } from '../../support/servers/msp.ts';

const SIGNING_KEY = 'a'.repeat(64);

export const FLEET = `accounts:
  - from: msp_tenants
    credentials: msp
    layers: [baseline, "customers/\${account.name}"]
`;

const BASELINE = `groups:
  - name: admins
  - name: servers
`;

/** A fleet of a test. */
export interface TestFleet {
  readonly msp: TestMsp;
  /** The clone. */
  readonly folder: string;
  readonly remote: string;
  /** The folder around the clone and the remote. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes files of the clone, by their paths. */
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs `meshform fleet` with these words in the clone. */
  readonly fleet: (words: readonly string[], options?: CliOptions) => Promise<Ended>;
  /** The domain of the tenant with this number, from 1. */
  readonly domain: (number: number) => string;
}

/** What a test begins with. */
export interface FleetOptions extends Omit<MspOptions, 'tenants'> {
  readonly tenants?: MspOptions['tenants'];
  readonly files?: Readonly<Record<string, string>>;
}

/** A fleet that is open until it is closed. */
export interface OpenFleet {
  readonly fleet: TestFleet;
  readonly close: () => Promise<void>;
}

/** Uses a fleet. */
export async function inFleet<T>(
  options: FleetOptions,
  use: (fleet: TestFleet) => Promise<T>,
): Promise<T> {
  const { fleet, close } = await openFleet(options);
  try {
    return await use(fleet);
  } finally {
    await close();
  }
}

/** Opens a fleet. All that its runs keep is in the folder around the clone. */
export async function openFleet({
  tenants = 3,
  files = {},
  ...options
}: FleetOptions): Promise<OpenFleet> {
  // The clock of the server is that of the newest run, unless the test has one of its own.
  let now = (): number => 0;
  const msp = await startMsp({ clock: () => new Date(now()), ...options, tenants });
  const home = await mkdtemp(join(tmpdir(), 'meshform-test-'));
  const remote = join(home, 'remote.git');
  const folder = join(home, 'clone');
  const credentials = join(home, 'credentials.yaml');
  await writeFile(credentials, `msp: { url: "${msp.url}", token_env: MSP_TOKEN }\n`);
  const env = {
    MESHFORM_FLEET_CREDENTIALS: credentials,
    MESHFORM_SIGNING_KEY: SIGNING_KEY,
    MESHFORM_JOURNALS: join(home, 'journals'),
    XDG_STATE_HOME: join(home, 'state'),
    MSP_TOKEN: msp.token,
  };
  const write = (given: Readonly<Record<string, string>>) => writeAll(folder, given);
  await write({ 'fleet.yaml': FLEET, 'baseline/base.yaml': BASELINE, ...files });
  makeClone({ home, remote, folder });
  const fleet = (words: readonly string[], more: CliOptions = {}) => {
    now = more.clock?.now ?? (() => more.now ?? 0);
    return meshform(['fleet', ...words], { cwd: folder, ...more, env: { ...env, ...more.env } });
  };
  const domain = (number: number) => msp.tenants[number - 1]?.domain ?? '';
  return {
    fleet: { msp, folder, remote, home, env, write, fleet, domain },
    close: async () => {
      await msp.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

// Commits the files of the folder, and pushes them.
function makeClone({ home, remote, folder }: Pick<TestFleet, 'home' | 'remote' | 'folder'>): void {
  git(home, 'init', '--quiet', '--template=', '--bare', remote);
  git(home, 'init', '--quiet', '--template=', '--initial-branch=main', folder);
  git(folder, 'remote', 'add', 'origin', remote);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'A fleet');
  git(folder, 'push', '--quiet', 'origin', 'main');
}
