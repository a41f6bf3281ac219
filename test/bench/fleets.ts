// A fleet: the processor time and the memory of a plan of all accounts, and the time of an apply whose requests are limited. Every
// account has the objects of the baseline, and in a plan every fortieth has a file of its own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { offices } from '../support/examples/offices.ts';
import { git } from '../support/git.ts';
import { BENCH_TOKEN, snapshotFor } from './account.ts';
import type { Ground } from './extent.ts';
import type { Figure } from './figures.ts';
import { type Command, timed, useOf } from './processes.ts';
import { LAUNCHER, type Server, tenants } from './servers.ts';

const OBJECTS = 60;
const ACCOUNTS_PER_OWN_FILE = 40;

/** Requests a minute that a token may send: 120, sixty times as fast. Before, it may send a second of them at once. */
const LIMIT = 7200;
const BURST = 120;

/** Measures `fleet plan` and `fleet apply`. */
export async function fleets(ground: Ground): Promise<readonly Figure[]> {
  return [...(await planned(ground)), ...(await limited(ground))];
}

const accountsOf = ({ extent }: Ground): number => (extent.isQuick ? 50 : 500);

async function planned(ground: Ground): Promise<readonly Figure[]> {
  const { folder, recording } = ground;
  const count = accountsOf(ground);
  const cwd = cloneOf(join(folder, 'fleet'), planFiles(count));
  const server = await tenants(folder, { count, snapshot: snapshotFor(recording, OBJECTS) });
  try {
    const { processor, memory } = await useOf(fleetCommand(server, cwd, ['plan']));
    const measure = `plan of ${count} accounts of ${OBJECTS} objects`;
    const objects = count * OBJECTS;
    return [
      {
        measure: `${measure}: processor time of an account, with git`,
        objects,
        value: processor / count,
        unit: 'ms',
        target: '≤ 150',
      },
      {
        measure: `${measure}: peak memory`,
        objects,
        value: memory,
        unit: 'MB',
        target: '≤ 500',
      },
    ];
  } finally {
    await server.stop();
  }
}

// Nothing can apply a fleet sooner than the limit of its token allows.
async function limited(ground: Ground): Promise<readonly Figure[]> {
  const { folder } = ground;
  const count = accountsOf(ground);
  const cwd = cloneOf(join(folder, 'limited'), {
    'fleet.yaml': `${FLEET}rate: { per: token, requests: ${LIMIT} }\n`,
    'baseline/offices.yaml': offices(OBJECTS),
  });
  const log = join(folder, 'requests.jsonl');
  const flags = ['--rate-limit', `${LIMIT}/${BURST}`, '--request-log', log];
  const server = await tenants(folder, { count, flags });
  try {
    await timed(fleetCommand(server, cwd, ['plan', '--out', 'plans']));
    const before = linesIn(log);
    const took = await timed(fleetCommand(server, cwd, ['apply', 'plans', '--yes']));
    const requests = linesIn(log) - before;
    const measure = `apply of ${OBJECTS} objects in ${count} accounts with ${LIMIT} requests a minute`;
    const objects = count * OBJECTS;
    return [
      {
        measure: `${measure} ÷ the time that the limit alone takes`,
        objects,
        value: took / (((requests - BURST) / LIMIT) * 60_000),
        unit: 'ratio',
        target: '≤ 1.1',
      },
      { measure: `${measure}: requests`, objects, value: requests, unit: 'requests' },
    ];
  } finally {
    await server.stop();
  }
}

const linesIn = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

function fleetCommand({ url }: Server, cwd: string, words: readonly string[]): Command {
  const credentials = `${cwd}.credentials.yaml`;
  writeFileSync(credentials, `msp: { url: "${url}", token_env: BENCH_MSP }\n`);
  const env = {
    MESHFORM_FLEET_CREDENTIALS: credentials,
    MESHFORM_SIGNING_KEY: 'a'.repeat(64),
    BENCH_MSP: BENCH_TOKEN,
    XDG_STATE_HOME: `${cwd}.state`,
  };
  return { argv: [LAUNCHER, 'fleet', ...words], cwd, env };
}

const FLEET = [
  'accounts:',
  '  - from: msp_tenants',
  '    credentials: msp',
  '    layers: [baseline, "customers/${account.name}"]',
  '',
].join('\n');

function planFiles(accounts: number): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    'fleet.yaml': FLEET,
    'baseline/offices.yaml': offices(OBJECTS).replace('metric: 100', 'metric: 200'),
  };
  for (let number = 1; number <= accounts; number += ACCOUNTS_PER_OWN_FILE) {
    const domain = `t${String(number).padStart(3, '0')}.customer.example`;
    files[`customers/${domain}/groups.yaml`] = `groups: [{ name: own-${number} }]\n`;
  }
  return files;
}

// A clone of a remote with these files.
function cloneOf(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const remote = `${folder}.git`;
  git('.', 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=fleet');
  git(folder, 'remote', 'add', 'origin', remote);
  git(folder, 'push', '--quiet', 'origin', 'main');
  return folder;
}
