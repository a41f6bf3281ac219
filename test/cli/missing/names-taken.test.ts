// Somebody renames a declared object, and gives its name to another one: by a rename, that is never the declared object.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const FILES = `groups: [{ name: engineers }, { name: servers }]
networks:
  - { name: office, resources: [{ name: printer, address: 10.0.0.5, groups: [servers] }] }
policies:
  - name: engineers reach servers
    rules: [{ name: r, protocol: all, sources: [engineers], destinations: [servers] }]
`;
const PLAN = ['plan', 'net', '--base', 'auto'];
const CLOSED = { method: 'GET', path: '/api/events/audit', effect: 'status', status: 403 } as const;

interface Story extends Teams {
  /** The only object of a name, and of a list. */
  readonly idOf: (path: string, name: string) => Promise<string>;
  readonly rename: (path: string, from: string, to: string) => Promise<void>;
}

const recorded = (tell: (story: Story) => Promise<void>) =>
  teams(async all => {
    const { account, commit, id } = all;
    for (const path of ['/api/groups', '/api/networks'])
      await account.call('POST', path, { name: 'contractors' });
    await commit({ 'net/meshform.yaml': `account: ${id}\n`, 'net/a.yaml': FILES });
    expectCode(await all.apply('net'), 0);
    const idOf = async (path: string, name: string) => {
      const listed = (await account.call('GET', path)) as JsonObject[];
      return String(listed.find(one => one.name === name)?.id);
    };
    const rename = async (path: string, from: string, to: string) => {
      await account.call('PUT', `${path}/${await idOf(path, from)}`, { name: to });
    };
    await tell({ ...all, idOf, rename });
  }, 'netbird');

test.each([['with the log'], ['without the log']])(
  'references do not move to an older group that took the name of a renamed one: %s',
  log =>
    recorded(async ({ account, idOf, rename, run, apply }) => {
      const ours = await idOf('/api/groups', 'engineers');
      await rename('/api/groups', 'engineers', 'old');
      await rename('/api/groups', 'contractors', 'engineers');
      if (log === 'without the log') await account.fault({ ...CLOSED, times: 9 });
      const planned = await run(PLAN);
      expectCode(planned, 3);
      expect(planned.stderr).toContain('the name of group.engineers is taken by');
      await rename('/api/groups', 'engineers', 'contractors');
      const applied = await apply('net');
      expectCode(applied, 0);
      expect(applied.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
      expect(await idOf('/api/groups', 'engineers')).toBe(ours);
    }),
);

test('references do not move to an older network that took the name of a renamed one', () =>
  recorded(async ({ account, idOf, rename, apply }) => {
    const ours = await idOf('/api/networks', 'office');
    await rename('/api/networks', 'office', 'old');
    await rename('/api/networks', 'contractors', 'office');
    const applied = await apply('net');
    expectCode(applied, 0);
    expect(applied.stderr).toContain('OBJECT_NAMESAKE');
    expect(applied.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    const { name } = (await account.call('GET', `/api/networks/${ours}`)) as JsonObject;
    expect(name).toBe('office');
  }));

test('a group that somebody created later with the same name is the group that the files refer to', () =>
  recorded(async ({ account, rename, run }) => {
    await rename('/api/groups', 'engineers', 'old');
    await account.call('POST', '/api/groups', { name: 'engineers' });
    const planned = await run(PLAN);
    expectCode(planned, 0);
    expect(planned.stdout).toContain(
      '# policy["engineers reach servers"] will be updated in-place',
    );
  }));
