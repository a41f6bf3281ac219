// An export knows what somebody renamed by the base at the remote, where the default lock keeps it, on every machine.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { expectCode } from '../bases/teams.ts';
import { type Machine, type Machines, machines } from '../lock/sharedMachines.ts';
import { ByHand } from './byHand.ts';

const find = async ({ account }: Machines, path: string, name: string): Promise<JsonObject> => {
  const listed = (await account.call('GET', path)) as JsonObject[];
  return listed.find(one => one.name === name) ?? {};
};

/** Gives each of two groups the name of the other, as the dashboard does. */
async function exchange(story: Machines, one: string, other: string): Promise<void> {
  const { id } = await find(story, '/api/groups', one);
  const { id: otherId } = await find(story, '/api/groups', other);
  const put = (which: unknown, name: string) =>
    story.account.call('PUT', `/api/groups/${String(which)}`, { name });
  await put(id, 'between');
  await put(otherId, one);
  await put(id, other);
}

const filesOf = ({ folder }: Machine) => readFile(join(folder, 'network/groups.yaml'), 'utf8');

async function applied(
  files: string,
  tell: (story: Machines, other: Machine) => Promise<void>,
): Promise<void> {
  await machines(async story => {
    const one = await story.machine('one');
    await one.declare('a', 'b');
    await writeFile(join(one.folder, 'network/groups.yaml'), files);
    git(one.folder, 'commit', '--quiet', '--all', '--message=groups');
    git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
    const done = await one.apply();
    expect(done.code, done.stdout + done.stderr).toBe(0);
    await tell(story, await story.machine('other'));
  });
}

test('an export on another machine keeps declarations of groups that swapped names, and the next plan is empty', () =>
  applied('groups: [{ name: a }, { name: b }] # ours\n', async (story, other) => {
    const { id } = await find(story, '/api/groups', 'a');
    await exchange(story, 'a', 'b');
    const exported = await other.run('export', '--out', 'network', '--kinds', 'group');
    expect(exported.code, exported.stderr).toBe(0);
    expect(await filesOf(other)).toContain(`{ name: b, lifecycle: { id: ${String(id)} } }`);
    const planned = await other.run('plan', 'network', '--base', 'auto');
    expect(planned.stdout, planned.stderr).toContain('No changes.');
  }));

const NET = `groups:
  - { name: staff, peers: [m0] }
  - { name: ops, peers: [m1] }
  - { name: third, peers: [m2] }
`;

const APP = `peers:
  - { name: m1, ssh_enabled: true }
groups:
  - { name: web, peers: [m1, m2] }
`;

/** Two folders of an account, both applied by one machine, and what another machine does. */
const twoFolders = (tell: (story: Machines, other: Machine) => Promise<void>) =>
  machines(async story => {
    for (const name of ['m0', 'm1', 'm2', 'm3']) await story.account.enrol(name);
    const one = await story.machine('one');
    for (const [folder, text] of Object.entries({ network: NET, app: APP })) {
      await mkdir(join(one.folder, folder), { recursive: true });
      await writeFile(join(one.folder, folder, 'meshform.yaml'), `account: ${story.id}\n`);
      await writeFile(join(one.folder, folder, 'a.yaml'), text);
    }
    git(one.folder, 'add', '--all', '.');
    git(one.folder, 'commit', '--quiet', '--message=two folders');
    git(one.folder, 'push', '--quiet', 'origin', 'HEAD:main');
    expectCode(await one.apply(), 0);
    expectCode(await one.run('apply', 'app', ...RECORDED, '--first', '--yes'), 0);
    await tell(story, await story.machine('other'));
  });

const RECORDED = ['--prune', 'removed', '--base', 'auto', '--record-base'];
const SOME = ['--kinds', 'peers,groups'];

test('an export beside another folder reads the machines of its base at the remote, and the next plan is empty', () =>
  twoFolders(async ({ account }, { folder, run }) => {
    const hand = new ByHand(account);
    await hand.rotate('/api/peers', ['m0', 'm1', 'm2']);
    // The names still mean the machines of the bases.
    expectCode(await run('export', '--check', 'app', ...SOME), 2);
    expectCode(await run('export', '--out', 'app', ...SOME), 0);
    git(folder, 'commit', '--quiet', '--all', '--message=exported');
    const planned = await run('plan', 'app', '--base', 'auto', '--detailed-exitcode');
    expectCode(planned, 0);
    expect(planned.stderr).not.toContain('OBJECT_MISSING');
    expectCode(await run('export', '--check', 'app', ...SOME), 0);
    expectCode(await run('drift', 'app', '--base', 'auto'), 0);
  }));

test(
  'a check of an export sees that a name belongs to a missing machine of another folder, whose base is at the remote',
  { tags: 'variation' },
  () =>
    twoFolders(async ({ account }, { folder, run }) => {
      const hand = new ByHand(account);
      await hand.enrolAgain('m0');
      await writeFile(join(folder, 'app/a.yaml'), `${APP}  - { name: more, peers: [m0] }\n`);
      await hand.copy('/api/groups', 'staff', { name: 'more' });
      const planned = await run('plan', 'app', '--base', 'auto');
      expect(planned.stderr).toContain('OBJECT_MISSING');
      const checked = await run('export', '--check', 'app', '--kinds', 'groups');
      expectCode(checked, 2);
      expect(checked.stdout).toContain('peer.m0 is missing from the account');
    }),
);
