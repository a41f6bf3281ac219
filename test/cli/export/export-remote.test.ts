// An export knows what somebody renamed by the base at the remote, where the default lock keeps it, on every machine.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { git } from '../../support/git.ts';
import { type Machine, type Machines, machines } from '../lock/sharedMachines.ts';

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
