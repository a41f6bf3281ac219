// A protected object that somebody renamed in the account so that it exchanged its name with another one.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

test.each(
  someOf(
    [
      ['its own folder', 'protect: [group/servers]\n', ''],
      ['another folder', '', 'protect: [group/servers]\n'],
    ],
    1,
  ),
)('an object that %s protects is reported as drift, and is renamed back', (_, own, elsewhere) =>
  teams(async ({ account, id, run, apply, commit }) => {
    await commit({
      ...groupsIn('net', id, ['servers', 'staff']),
      'net/meshform.yaml': `account: ${id}\n${own}`,
      'other/meshform.yaml': `account: ${id}\n${elsewhere}`,
    });
    expectCode(await apply('net'), 0);
    const idsByName = async () =>
      new Map(
        ((await account.call('GET', '/api/groups')) as JsonObject[]).map(
          group => [String(group.name), String(group.id)] as const,
        ),
      );
    const before = await idsByName();
    const call = (from: string, to: string) =>
      account.call('PUT', `/api/groups/${before.get(from)}`, { name: to, peers: [] });
    await call('servers', 'for now');
    await call('staff', 'servers');
    await call('servers', 'staff');
    const drifted = await run(['drift', 'net', '--base', 'auto']);
    expectCode(drifted, 2);
    expect(drifted.stdout).toContain('# group.servers has changed in the account');
    expectCode(await run(['plan', 'net', '--base', 'auto']), 0);
    await commit({ 'net/groups.yaml': 'groups: [{ name: staff }]\n' });
    const deleting = await apply('net');
    expect(deleting.code).not.toBe(0);
    expect(deleting.stderr).toContain('PROTECTED');
    await commit({ 'net/groups.yaml': 'groups: [{ name: servers }, { name: staff }]\n' });
    expectCode(await apply('net'), 0);
    expect(await idsByName()).toEqual(before);
  }),
);
