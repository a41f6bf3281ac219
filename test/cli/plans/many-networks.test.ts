// How often a server of dialect `netbird` is asked about 1,100 objects in 100 networks: every command that reads an account reads one
// list for all networks, and finds the same where the server has lists per network only.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const NETWORKS = Array.from({ length: 100 }, (_, n) => n);
/** What one command may ask: the lists of the kinds that it looks at, none of them once a network. */
const MOST = 13;

const resources = (n: number) => [1, 2, 3, 4, 5, 6, 7].map(i => ({ n, i, name: `host-${n}-${i}` }));

const LOAD = {
  '/api/groups': NETWORKS.flatMap(n => [{ name: `staff-${n}` }, { name: `hosts-${n}` }]).map(
    group => ({ ...group, id: group.name }),
  ),
  '/api/networks': NETWORKS.map(n => ({ id: `net-${n}`, name: `office-${n}` })),
  ...Object.fromEntries(
    NETWORKS.flatMap(n => [
      [
        `/api/networks/net-${n}/routers`,
        [{ peer_groups: [`staff-${n}`], metric: 100, masquerade: true, enabled: true }],
      ],
      [
        `/api/networks/net-${n}/resources`,
        resources(n).map(({ name, i }) => ({
          name,
          address: `10.7.${n}.${i}`,
          groups: [`hosts-${n}`],
          enabled: true,
        })),
      ],
    ]),
  ),
};

const FILES = NETWORKS.map(
  n => `
groups: [{ name: staff-${n} }, { name: hosts-${n} }]
networks:
  - name: office-${n}
    routers: [{ peer_groups: [staff-${n}], metric: ${n === 7 ? 50 : 100}, masquerade: true }]
    resources: [${resources(n)
      .map(({ name, i }) => `{ name: ${name}, address: 10.7.${n}.${i}, groups: [hosts-${n}] }`)
      .join(', ')}]
`,
).join('---\n');

let account: TestAccount;
let folder: string;

beforeAll(async () => {
  account = await startAccount({ dialect: 'netbird' });
  await account.control('POST', '/emulator/load', LOAD);
  folder = await mkdtemp(join(tmpdir(), 'meshform-test-'));
  await writeFile(join(folder, 'offices.yaml'), FILES);
});
afterAll(async () => {
  await account.close();
  await rm(folder, { recursive: true });
});

async function asked(words: readonly string[]) {
  const before = account.requests.length;
  const ended = await meshform(words, { cwd: folder, env: environmentOf(account) });
  return { ...ended, requests: account.requests.length - before };
}

describe('with 1,100 objects in 100 networks, a command needs few requests:', () => {
  test.each(
    someOf(
      [
        ['plan', '.'],
        ['plan', '.', '--only', 'network/*'],
        ['drift', '.'],
        ['access', 'to', 'network_resource/office-7/host-7-1', '--live'],
        ['export', '--state', '-'],
        ['plan', '.', '--adopt', 'report'],
      ],
      3,
    ),
  )('%s %s %s', async (...words) => {
    const { code, requests, stderr } = await asked(words);
    expect({ requests, isMany: requests > MOST, stderr }).toMatchObject({ isMany: false });
    expect(code).toBeLessThanOrEqual(2);
  });

  test('a saved account is the same if one bulk list is refused, and if both are', async () => {
    const whole = await asked(['export', '--state', '-']);
    const { networks } = JSON.parse(whole.stdout).account;
    expect(networks).toHaveLength(NETWORKS.length);
    for (const network of networks) expect(network.resources).toHaveLength(7);
    for (const [list, status] of [
      ['resources', 404],
      ['routers', 403],
    ] as const) {
      await account.fault({
        method: 'GET',
        path: `/api/networks/${list}`,
        effect: 'status',
        status,
        times: 1,
      });
      const parted = await asked(['export', '--state', '-']);
      expect(parted.requests).toBeGreaterThan(NETWORKS.length);
      expect(accountOf(parted.stdout)).toEqual(accountOf(whole.stdout));
    }
  });
});

/** Lists in the order of their ids: the server's order is nobody's. */
function accountOf(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    Array.isArray(value)
      ? value.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
      : value,
  );
}
