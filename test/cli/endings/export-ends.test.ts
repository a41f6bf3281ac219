// An export into files keeps the ends of members that are still there: what was granted for a time does not become permanent.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withEndedFolder } from './endedFolder.ts';

vi.setConfig({ testTimeout: 60_000 });

const FILES = `groups:
  - { name: staff, peers: [ada, { name: bob, until: 2026-12-01 }] }
  - name: servers
    peers: [db]
policies:
  - name: web
    rules:
      - { name: a, sources: [staff, { name: servers, until: 2026-12-05 }], destinations: [servers], protocol: tcp, ports: ["443"] }
`;

interface Named {
  readonly id: string;
  readonly name: string;
}

test('members that others add or remove do not change the expiries in an export', () =>
  withEndedFolder(async ({ account, write, run, folder, at }) => {
    for (const name of ['ada', 'bob', 'cay', 'db']) await account.enrol(name);
    await write({ 'a.yaml': FILES });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    const all = (path: string) => account.call('GET', `/api/${path}`) as Promise<unknown>;
    const groups = (await all('groups')) as readonly Named[];
    const idOf = (name: string) => groups.find(one => one.name === name)?.id ?? '';
    const [policy] = (await all('policies')) as readonly [Named & { readonly rules: [object] }];
    const sides = {
      sources: [idOf('staff'), idOf('servers')],
      destinations: [idOf('servers'), idOf('staff')],
    };
    const rules = [{ ...policy.rules[0], ...sides }];
    const body = { name: 'web', enabled: true, rules };
    await account.call('PUT', `/api/policies/${policy.id}`, body as never);
    const peers = (await all('peers')) as readonly Named[];
    const staff = peers.flatMap(({ id, name }) => (name === 'ada' || name === 'db' ? [] : id));
    await account.call('PUT', `/api/groups/${idOf('staff')}`, { name: 'staff', peers: staff });
    // What has ended by then is still there, and the next apply ends it.
    for (const [time, code] of [
      ['2026-11-30T12:00:00Z', 0],
      ['2026-12-07T00:00:00Z', 2],
    ] as const) {
      at(time);
      expect((await run(['export', '--out', 'network'])).code).toBe(code);
      const text = await readFile(join(folder, 'network', 'a.yaml'), 'utf8');
      expect(text).toContain('peers: [{ name: bob, until: 2026-12-01 }, cay]');
      expect(text).toContain('sources: [staff, { name: servers, until: 2026-12-05 }]');
      expect(text).toContain('destinations: [servers, staff]');
    }
  }));
