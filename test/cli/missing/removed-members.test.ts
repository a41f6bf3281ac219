// A machine chooses its own name, and anybody may exchange the names of two: a member that the files take out is the machine of the base.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const crew = (members: string) => `groups: [{ name: crew, peers: [${members}] }]\n`;

/** Three machines, two of which are in the group of the files; returns their ids. */
async function recorded(
  tell: (story: Teams, ids: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  await teams(async story => {
    for (const name of ['ada', 'bob', 'carl']) await story.account.enrol(name);
    await story.commit({
      'net/meshform.yaml': `account: ${story.id}\n`,
      'net/a.yaml': crew('ada, bob'),
    });
    expectCode(await story.apply('net'), 0);
    const peers = (await story.account.call('GET', '/api/peers')) as JsonObject[];
    await tell(story, Object.fromEntries(peers.map(({ name, id }) => [name, String(id)])));
  });
}

async function name({ account }: Teams, id: string | undefined, to: string): Promise<void> {
  await account.call('PUT', `/api/peers/${id}`, {
    name: to,
    ssh_enabled: false,
    login_expiration_enabled: false,
    inactivity_expiration_enabled: false,
  });
}

async function exchange(
  story: Teams,
  { ada, bob }: Readonly<Record<string, string>>,
): Promise<void> {
  await name(story, bob, 'aside');
  await name(story, ada, 'bob');
  await name(story, bob, 'ada');
}

async function members({ account }: Teams): Promise<readonly string[]> {
  const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
  const found = groups.find(one => one.name === 'crew');
  return ((found?.peers ?? []) as JsonObject[]).map(({ id }) => String(id)).sort();
}

test('a renamed machine that the files remove leaves the group', () =>
  recorded(async (story, ids) => {
    await name(story, ids.bob, 'bob2');
    await story.commit({ 'net/a.yaml': crew('ada') });
    const planned = await story.run(['plan', 'net', '--base', 'auto']);
    expect(planned.stdout).toContain('bob2');
    expect(planned.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    expectCode(await story.apply('net'), 0);
    expect(await members(story)).toEqual([ids.ada]);
    const drifted = await story.run(['drift', 'net', '--base', 'auto']);
    expectCode(drifted, 0);
  }));

test('the machine in the base leaves the group if two machines swapped names', () =>
  recorded(async (story, ids) => {
    await exchange(story, ids);
    await story.commit({ 'net/a.yaml': crew('ada') });
    const applied = await story.apply('net');
    expectCode(applied, 0);
    expect(applied.stderr).toContain('OBJECT_MISSING');
    expect(await members(story)).toEqual([ids.ada]);
  }));

test('a renamed machine that the files still declare stays, under its old or its new name', () =>
  recorded(async (story, ids) => {
    await name(story, ids.bob, 'bob2');
    expectCode(await story.apply('net'), 0);
    expect(await members(story)).toEqual([ids.ada, ids.bob].sort());
    await story.commit({ 'net/a.yaml': crew('ada, bob2') });
    expectCode(await story.apply('net'), 0);
    expect(await members(story)).toEqual([ids.ada, ids.bob].sort());
    await story.commit({ 'net/a.yaml': crew('ada') });
    expectCode(await story.apply('net'), 0);
    expect(await members(story)).toEqual([ids.ada]);
  }));

test('a machine that took the name of the removed one stays', () =>
  recorded(async (story, ids) => {
    await name(story, ids.bob, 'bob2');
    await name(story, ids.carl, 'bob');
    const groups = (await story.account.call('GET', '/api/groups')) as JsonObject[];
    const found = groups.find(one => one.name === 'crew');
    await story.account.call('PUT', `/api/groups/${found?.id}`, {
      name: 'crew',
      peers: Object.values(ids),
    });
    await story.commit({ 'net/a.yaml': crew('ada') });
    expectCode(await story.apply('net'), 0);
    expect(await members(story)).toEqual([ids.ada, ids.carl].sort());
  }));

test('a renamed machine stays as long as another folder declares it under its new name', () =>
  recorded(async (story, ids) => {
    await name(story, ids.bob, 'bob2');
    await story.commit({
      'app/meshform.yaml': `account: ${story.id}\n`,
      'app/a.yaml': crew('bob2'),
    });
    expectCode(await story.apply('app', ['--first']), 0);
    await story.commit({ 'net/a.yaml': crew('ada') });
    expectCode(await story.apply('net'), 0);
    expect(await members(story)).toEqual([ids.ada, ids.bob].sort());
  }));
