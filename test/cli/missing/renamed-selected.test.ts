// `--only` and `--except` with the name that somebody gave a declared object in the dashboard: it means the declared object.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const FILES = `groups:
  - { name: servers }
  - { name: staff }
  - { name: spare }
networks:
  - { name: office, resources: [{ name: printer, address: 10.0.0.5, groups: [servers] }] }
policies:
  - name: staff reach servers
    rules: [{ name: r, protocol: all, sources: [staff], destinations: [servers] }]
`;
const PRINTING = `policies:
  - name: staff print
    rules:
      - { name: a, protocol: tcp, ports: ["631"], sources: [staff], destinations: [servers] }
      - { name: b, protocol: tcp, ports: ["9100"], sources: [staff], destinations: [servers] }
`;
const EVERYTHING = ['DELETES_OBJECT', 'LOSES_MEMBERS', 'CONFLICT'];
const FREELY = [...EVERYTHING.flatMap(code => ['--allow', code]), '--resolve', 'desired'];

const recorded = (tell: (story: Teams) => Promise<void>) =>
  teams(async story => {
    await story.commit({
      'net/meshform.yaml': `account: ${story.id}\n`,
      'net/a.yaml': FILES,
      'net/b.yaml': PRINTING,
    });
    expectCode(await story.apply('net'), 0);
    await tell(story);
  }, 'netbird');

const ids = (of: unknown) => ((of ?? []) as JsonObject[]).map(one => String(one.id ?? one));

/** Renames all objects whose names begin with `from`, as the dashboard does; returns their ids. */
async function rename({ account }: Teams, path: string, from: string, to: string) {
  const listed = (await account.call('GET', path)) as JsonObject[];
  const found = listed.filter(({ name }) => String(name).startsWith(from));
  for (const one of found) {
    const rules = (one.rules ?? []) as JsonObject[];
    await account.call('PUT', `${path}/${one.id}`, {
      ...one,
      name: String(one.name).replace(from, to),
      peers: ids(one.peers),
      resources: [],
      rules: rules.map(rule => ({
        ...rule,
        sources: ids(rule.sources),
        destinations: ids(rule.destinations),
      })),
    });
  }
  expect(found.length).toBeGreaterThan(0);
  return ids(found).sort();
}

const idsCalled = async ({ account }: Teams, path: string, name: string) => {
  const listed = (await account.call('GET', path)) as JsonObject[];
  return ids(listed.filter(one => String(one.name).startsWith(name))).sort();
};

test.each(
  someOf(
    [
      ['group', '/api/groups', 'spare', 'spareQ', 'group/spareQ'],
      ['group by a pattern', '/api/groups', 'spare', 'kept', 'group/ke*'],
      ['group by a name without its kind', '/api/groups', 'spare', 'kept', 'kept'],
      ['policy', '/api/policies', 'staff reach servers', 'reach', 'policy/reach'],
      ['policy of several parts', '/api/policies', 'staff print', 'print', 'policy/print'],
      ['network', '/api/networks', 'office', 'bureau', 'network/bureau'],
    ],
    3,
  ),
)('a renamed %s, selected by its new name, is renamed back', (_, path, name, other, only) =>
  recorded(async story => {
    const before = await rename(story, path, name, other);
    const applied = await story.apply('net', ['--only', only, ...FREELY]);
    expectCode(applied, 0);
    expect(applied.stdout).toContain('0 to destroy.');
    expect(await idsCalled(story, path, name)).toEqual(before);
    const again = await story.run(['plan', 'net', '--base', 'auto', '--detailed-exitcode']);
    expectCode(again, 0);
  }),
);

test.each(
  someOf(
    [
      ['its new name', 'group/spareQ'],
      ['its name in the files', 'group/spare'],
    ],
    1,
  ),
)('a renamed group, excluded by %s, stays as it is', (_, except) =>
  recorded(async story => {
    const before = await rename(story, '/api/groups', 'spare', 'spareQ');
    expectCode(await story.apply('net', ['--except', except, ...FREELY]), 0);
    expect(await idsCalled(story, '/api/groups', 'spareQ')).toEqual(before);
    const planned = await story.run(['plan', 'net', '--base', 'auto']);
    expect(planned.stdout).toContain('0 to add, 1 to change, 0 to destroy.');
  }),
);

test('a name that another declared object has selects that object', () =>
  recorded(async story => {
    await rename(story, '/api/groups', 'spare', 'aside');
    await rename(story, '/api/groups', 'staff', 'spare');
    const planned = await story.run(['plan', 'net', '--base', 'auto', '--only', 'group/spare']);
    expectCode(planned, 3);
    expect(planned.stderr).toContain('the name of group.spare is taken by group.staff');
  }));

test.each([['policy/staff print'], ['policy/print']])(
  'a renamed policy that the files no longer declare is removed by either name: %s',
  only =>
    recorded(async story => {
      await rename(story, '/api/policies', 'staff print', 'print');
      await story.commit({ 'net/b.yaml': null });
      expectCode(await story.apply('net', ['--only', only, ...FREELY]), 0);
      const names = await story.names('/api/policies');
      expect(names).toEqual(['Default', 'staff reach servers']);
    }),
);

test('an object that a limited run excludes still counts as declared', () =>
  recorded(async story => {
    await rename(story, '/api/groups', 'servers', 'aside');
    await rename(story, '/api/groups', 'staff', 'servers');
    await rename(story, '/api/groups', 'aside', 'staff');
    const planned = await story.run(['plan', 'net', '--base', 'auto', '--only', 'group/servers']);
    expect(planned.stderr).not.toContain('no file declares');
  }));
