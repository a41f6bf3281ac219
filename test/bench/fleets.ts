// A plan of a fleet: the processor time of an account, and the memory of all. Every account has the objects of the baseline, and every
// fortieth a file of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { offices } from '../support/examples/offices.ts';
import { git } from '../support/git.ts';
import { BENCH_TOKEN, snapshotFor } from './account.ts';
import type { Ground } from './extent.ts';
import type { Figure } from './figures.ts';
import { type Command, useOf } from './processes.ts';
import { LAUNCHER, tenants } from './servers.ts';

const OBJECTS = 60;
const ACCOUNTS_PER_OWN_FILE = 40;

/** Measures `fleet plan`. */
export async function fleets({ folder, recording, extent }: Ground): Promise<readonly Figure[]> {
  const accounts = extent.isQuick ? 50 : 500;
  const cwd = cloneOf(join(folder, 'fleet'), accounts);
  const server = await tenants(folder, snapshotFor(recording, OBJECTS), accounts);
  try {
    const credentials = join(folder, 'credentials.yaml');
    writeFileSync(credentials, `msp: { url: "${server.url}", token_env: BENCH_MSP }\n`);
    const env = {
      MESHFORM_FLEET_CREDENTIALS: credentials,
      MESHFORM_SIGNING_KEY: 'a'.repeat(64),
      BENCH_MSP: BENCH_TOKEN,
      XDG_STATE_HOME: join(folder, 'state'),
    };
    const plan: Command = { argv: [LAUNCHER, 'fleet', 'plan'], cwd, env };
    const { processor, memory } = await useOf(plan);
    const measure = `plan of ${accounts} accounts of ${OBJECTS} objects`;
    const objects = accounts * OBJECTS;
    return [
      {
        measure: `${measure}: processor time of an account, with git`,
        objects,
        value: processor / accounts,
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

function cloneOf(folder: string, accounts: number): string {
  const files: Record<string, string> = {
    'fleet.yaml': [
      'accounts:',
      '  - from: msp_tenants',
      '    credentials: msp',
      '    layers: [baseline, "customers/${account.name}"]',
      '',
    ].join('\n'),
    'baseline/offices.yaml': offices(OBJECTS).replace('metric: 100', 'metric: 200'),
  };
  for (let number = 1; number <= accounts; number += ACCOUNTS_PER_OWN_FILE) {
    const domain = `t${String(number).padStart(3, '0')}.customer.example`;
    files[`customers/${domain}/groups.yaml`] = `groups: [{ name: own-${number} }]\n`;
  }
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
