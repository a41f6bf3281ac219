// Somebody renames a group in the dashboard of which several folders declare a part. One folder alone must not follow: the next apply of
// another one would create the group again under its old name, and split its members and policies.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const NET = `groups:
  - { name: shared, peers: [lap1] }
  - { name: staff }
policies:
  - name: staff reach shared
    rules: [{ name: r, protocol: all, sources: [staff], destinations: [shared] }]
`;
const APP = 'groups: [{ name: shared, peers: [lap2] }]\n';

interface Group extends JsonObject {
  readonly id: string;
  readonly name: string;
}

const groupsOf = async ({ account }: Teams) =>
  (await account.call('GET', '/api/groups')) as readonly Group[];

async function renamed(all: Teams, from: string, to: string): Promise<void> {
  const group = (await groupsOf(all)).find(({ name }) => name === from);
  const peers = ((group?.peers ?? []) as JsonObject[]).map(({ id }) => String(id));
  await all.account.call('PUT', `/api/groups/${group?.id}`, { name: to, peers });
}

/** Both folders are applied; then somebody renames their group. */
const applied = (story: (all: Teams) => Promise<void>, base = true) =>
  teams(async all => {
    const { id, account, apply, commit, run } = all;
    for (const name of ['lap1', 'lap2']) await account.enrol(name);
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/n.yaml': NET,
      'app/meshform.yaml': `account: ${id}\n`,
      'app/a.yaml': APP,
    });
    for (const folder of ['net', 'app'])
      expectCode(
        base ? await apply(folder, ['--first']) : await run(['apply', folder, '--yes']),
        0,
      );
    await renamed(all, 'shared', 'common');
    await story(all);
  });

test.each(
  someOf(
    [
      ['with bases', true],
      ['without bases', false],
    ] as const,
    1,
  ),
)(
  '%s, an export into one folder does not rename a group that another folder declares too',
  (_, base) =>
    applied(async all => {
      const { account, cwd, run } = all;
      await account.call('POST', '/api/groups', { name: 'by hand' });
      expectCode(await run(['export', '--check', 'net', '--except', 'policy/Default']), 2);
      const exported = await run(['export', '--out', 'net', '--except', 'policy/Default']);
      expectCode(exported, 2);
      expect(exported.stderr).toMatch(
        /net\/n\.yaml:2:5 warning OBJECT_STUCK group\.shared is called `common` in the account, and the export did not change the files: `app` declares it too, at app\/a\.yaml:1:10/,
      );
      const text = await readFile(join(cwd, 'net/n.yaml'), 'utf8');
      expect(text).toContain('by hand');
      expect(text.replace(/^.*by hand.*\n/m, '')).toBe(NET);
    }, base),
);

test('a renamed group of two folders stays one group if applies follow the export', () =>
  applied(async all => {
    await all.run(['export', '--out', 'net', '--except', 'policy/Default']);
    await all.commit({});
    for (const folder of ['app', 'net']) expectCode(await all.apply(folder), 0);
    expect(await all.names('/api/groups')).toEqual(['All', 'shared', 'staff']);
  }));

test.each(
  someOf(
    [
      ['before', false],
      ['after', true],
    ] as const,
    1,
  ),
)(
  'a folder with the old name does not create the group again, %s the other one is applied with the new name',
  (_, isApplied) =>
    applied(async all => {
      const { apply, commit, names, run } = all;
      await commit({ 'net/n.yaml': NET.replaceAll('shared', 'common') });
      if (isApplied) expectCode(await apply('net'), 0);
      for (const refused of [await run(['plan', 'app', '--base', 'auto']), await apply('app')]) {
        expectCode(refused, 3);
        expect(`${refused.stdout}${refused.stderr}`.replaceAll(/\s+/g, ' ')).toMatch(
          /app\/a\.yaml:1:10 error OBJECT_DUPLICATE group\.shared is called `common` in the account, and `net` declares it as group\.common at net\/n\.yaml:2:5/,
        );
      }
      expect(await names('/api/groups')).toEqual(['All', 'common', 'staff']);
      await commit({ 'app/a.yaml': APP.replace('shared', 'common') });
      for (const folder of ['app', 'net']) expectCode(await apply(folder), 0);
      expect(await names('/api/groups')).toEqual(['All', 'common', 'staff']);
    }),
);

test('a folder that uses a new name waits until the other folder has applied its rename by `was`', () =>
  teams(async all => {
    const { account, apply, commit, id, names, run } = all;
    for (const name of ['lap1', 'lap2']) await account.enrol(name);
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/n.yaml': NET,
      'app/meshform.yaml': `account: ${id}\n`,
      'app/a.yaml': APP,
    });
    for (const folder of ['net', 'app']) expectCode(await apply(folder, ['--first']), 0);
    const was = 'name: common, lifecycle: { was: shared },';
    await commit({
      'net/n.yaml': NET.replace('name: shared,', was).replaceAll('[shared]', '[common]'),
      'app/a.yaml': APP.replace('shared', 'common'),
    });
    const early = await run(['plan', 'app', '--base', 'auto']);
    expectCode(early, 3);
    expect(early.stderr).toMatch(
      /app\/a\.yaml:1:10 error OBJECT_DUPLICATE group\.common is the new name of group\.shared, which `net` renames at net\/n\.yaml:2:5 hint: apply `net` first/,
    );
    for (const folder of ['net', 'app']) expectCode(await apply(folder), 0);
    expect(await names('/api/groups')).toEqual(['All', 'common', 'staff']);
    const [common] = (await groupsOf(all)).filter(({ name }) => name === 'common');
    expect(common?.peers).toHaveLength(2);
  }));

test('removing one of two declarations does not create a group that somebody deleted', () =>
  teams(async all => {
    const { account, apply, commit, id, names } = all;
    await account.enrol('lap1');
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/n.yaml': 'groups: [{ name: shared, peers: [lap1] }, { name: staff }]\n',
      'app/meshform.yaml': `account: ${id}\n`,
      'app/a.yaml': 'groups: [{ name: shared }]\n',
    });
    for (const folder of ['net', 'app']) expectCode(await apply(folder, ['--first']), 0);
    const found = (await groupsOf(all)).find(({ name }) => name === 'shared');
    await account.call('DELETE', `/api/groups/${found?.id}`);
    await commit({ 'net/n.yaml': 'groups: [{ name: staff }]\n' });
    expectCode(await apply('net'), 0);
    expect(await names('/api/groups')).toEqual(['All', 'staff']);
  }));
