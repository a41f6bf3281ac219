// A folder of desired state beside an account with a few machines, for tests of what a plan's access is held against.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isList, isObject } from '../../../src/model/value.ts';
import type { TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

export const GROUPS = `groups:
  - name: engineers
  - name: bastions
  - name: contractors
  - name: databases
  - name: gateways
`;
export const NETWORKS = `networks:
  - name: production
    resources:
      - { name: orders-db, address: 10.20.0.5, groups: [databases] }
    routers:
      - { peer_groups: [gateways], metric: 100, masquerade: true }
`;
export const CLOSED = `policies:
  - name: Default
    enabled: false
    rules:
      - { name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }
`;
export const SSH = `  - name: ssh
    rules:
      - { name: ssh, sources: [engineers], destinations: [bastions], protocol: tcp, ports: ["22", "443"] }
`;
export const BEFORE = GROUPS + NETWORKS + CLOSED + SSH;
export const CONTRACTORS = `  - name: contractors pg
    rules:
      - { name: pg, sources: [contractors], destinations: [databases], protocol: tcp, ports: ["5432"] }
`;
/** Engineers lose 443 at the bastions. */
export const NARROWED = BEFORE.replace('"22", "443"', '"22"');
/** Engineers reach the database as well. */
export const WIDENED = `${BEFORE}  - name: pg
    rules:
      - { name: pg, sources: [engineers], destinations: [databases], protocol: tcp, ports: ["5432"] }
`;
/** Nobody does today, and future contractors will. */
export const TO_COME = BEFORE + CONTRACTORS;

export const DB = 'network_resource/production/orders-db';

export const testsOf = (...tests: Readonly<Record<string, unknown>>[]): string =>
  `access_tests:\n${tests.map(one => `  - ${JSON.stringify({ name: 'it', ...one })}\n`).join('')}`;

const MACHINES = [
  ['mia', 'engineers'],
  ['tom', 'engineers'],
  ['jump', 'bastions'],
  ['gw', 'gateways'],
] as const;

export interface Folder {
  readonly cwd: string;
  /** Writes the files that are wanted; `also` are other files. */
  readonly want: (network: string, also?: Readonly<Record<string, string>>) => Promise<void>;
  readonly run: (...words: string[]) => Promise<Ended>;
}

/** A folder whose files are applied to an account with a few machines. */
export const started = (
  account: TestAccount,
  use: (folder: Folder) => Promise<void>,
  first = BEFORE,
) =>
  inFolder(async cwd => {
    const run = (...words: string[]) => meshform(words, { cwd, env: environmentOf(account) });
    const want = async (network: string, also: Readonly<Record<string, string>> = {}) => {
      for (const [name, text] of Object.entries({ 'network.yaml': network, ...also }))
        await writeFile(join(cwd, name), text);
    };
    await want(first);
    const applied = await run('apply', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    for (const [name, group] of MACHINES)
      await account.enrol(name, [await idOf(account, 'groups', group)]);
    await use({ cwd, want, run });
  });

export const listOf = async (account: TestAccount, path: string) => {
  const list = await account.call('GET', `/api/${path}`);
  return (isList(list) ? list : []).filter(isObject);
};

export const idOf = async (account: TestAccount, path: string, name: string): Promise<string> =>
  String((await listOf(account, path)).find(one => one.name === name)?.id);

const writesSince = (account: TestAccount, asked: number) =>
  account.requests.slice(asked).filter(({ method }) => method !== 'GET');

/** Runs an apply that must be refused before anything is written. */
export async function refused(
  account: TestAccount,
  { run }: Folder,
  ...words: string[]
): Promise<Ended> {
  const asked = account.requests.length;
  const ended = await run('apply', ...words, '--yes');
  expect([ended.code, writesSince(account, asked)], ended.stderr).toEqual([6, []]);
  return ended;
}

export const meshformOf = ({ stdout }: Ended) => JSON.parse(stdout).meshform;
