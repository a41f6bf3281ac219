// A machine enrols under a name that the files use: it never takes the place of the machine that is meant, and it stops nothing.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

const RULE = 'protocol: all, bidirectional: true';

const FILES = `groups:
  - { name: servers, peers: [db, stays] }
  - { name: staff }
policies:
  - name: staff reach the database
    rules: [{ name: r, ${RULE}, sources: [staff], destinationResource: { peer: db } }]
`;

const CHANGED = FILES.replace('{ name: staff }', '{ name: staff, peers: [stays] }');

interface Group {
  readonly name: string;
  readonly peers: readonly { readonly id: string }[] | null;
}

async function membersOf(account: TestAccount, group: string): Promise<readonly string[]> {
  const groups = (await account.call('GET', '/api/groups')) as unknown as readonly Group[];
  return (groups.find(({ name }) => name === group)?.peers ?? []).map(({ id }) => id).sort();
}

async function rulesIn(account: TestAccount): Promise<string> {
  const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
  return JSON.stringify(policies.map(({ name, rules }) => ({ name, rules })));
}

const idOf = ({ id }: JsonObject): string => String(id);

test('an ambiguous machine name changes neither machine without a base, and everything else is applied', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const first = idOf(await account.enrol('db'));
  const stays = idOf(await account.enrol('stays'));
  await inFolder(async cwd => {
    const write = (text: string) => writeFile(join(cwd, 'network/a.yaml'), text);
    await mkdir(join(cwd, 'network'));
    await write(FILES);
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    expectCode(await run('apply', 'network', '--yes'), 0);
    const second = idOf(await account.enrol('db'));
    await write(CHANGED);

    const planned = await run('plan', 'network');
    expectCode(planned, 0);
    expect(planned.stderr).toContain('warning OBJECT_AMBIGUOUS');
    expect(planned.stderr).toContain('the account has 2 peers called `db`');
    expect(planned.stderr).toContain(first);
    expect(planned.stderr).toContain(second);
    expect(planned.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');

    const drifted = await run('drift', 'network');
    expectCode(drifted, 2);
    expect(drifted.stdout).toContain('# peer.db has changed in the account');
    expect(drifted.stderr).toContain('warning OBJECT_AMBIGUOUS');

    const applied = await run('apply', 'network', '--yes', '--prune', 'unmanaged');
    expectCode(applied, 4);
    expect(await membersOf(account, 'servers')).toEqual([first, stays].sort());
    expect(await membersOf(account, 'staff')).toEqual([stays]);
    const rules = await rulesIn(account);
    expect(rules).toContain(first);
    expect(rules).not.toContain(second);
  });
});

test('an export leaves a declaration of several machines as it is, and writes references by id', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const first = idOf(await account.enrol('db'));
  await account.enrol('stays');
  await inFolder(async cwd => {
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network/a.yaml'), `${FILES}peers: [{ name: db }]\n`);
    expectCode(await run('apply', 'network', '--yes'), 0);
    await account.enrol('db');
    const exported = await run('export', '--out', 'network');
    expectCode(exported, 2);
    expect(exported.stderr).toContain('warning OBJECT_AMBIGUOUS');
    expect(exported.stderr).not.toContain('OBJECT_NOT_THERE');
    const text = await readFile(join(cwd, 'network/a.yaml'), 'utf8');
    expect(text).toContain(`peers: [stays, id:${first}]`);
    expect(text.match(/name: db\b/g)).toHaveLength(1);
    const planned = await run('plan', 'network');
    expectCode(planned, 0);
    expect(planned.stdout).toContain('No changes.');
  });
});

test('meshform changes and deletes neither of two objects with a declared name', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async cwd => {
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    await mkdir(join(cwd, 'network'));
    const files = `groups: [{ name: staff }]
networks:
  - { name: office, resources: [{ name: printer, address: 10.0.0.5, groups: [staff] }] }
  - { name: lab }
`;
    await writeFile(join(cwd, 'network/a.yaml'), files);
    expectCode(await run('apply', 'network', '--yes'), 0);
    await account.call('POST', '/api/networks', { name: 'office', description: 'another' });
    const changed = files.replace('{ name: lab }', '{ name: lab, description: new }');
    await writeFile(join(cwd, 'network/a.yaml'), changed);
    const prune = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
    const applied = await run('apply', 'network', '--yes', ...prune);
    expectCode(applied, 4);
    expect(applied.stderr).toContain('warning OBJECT_AMBIGUOUS');
    expect(applied.stderr).toContain('network_resource');
    const networks = (await account.call('GET', '/api/networks')) as JsonObject[];
    const shown = networks.map(({ name, description }) => `${name}: ${description}`);
    expect(shown.sort()).toEqual(['lab: new', 'office: ', 'office: another']);
    const [office] = networks.filter(({ description }) => description === '');
    expect(office?.resources).toHaveLength(1);
    expectCode(await run('drift', 'network'), 2);
  });
});

/** Two machines, and files that were applied to them and recorded. */
async function recorded(
  tell: (story: Teams & { readonly first: string; readonly stays: string }) => Promise<void>,
): Promise<void> {
  await teams(async story => {
    const { account, apply, commit, id } = story;
    const first = idOf(await account.enrol('db'));
    const stays = idOf(await account.enrol('stays'));
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': FILES });
    expectCode(await apply('net'), 0);
    await tell({ ...story, first, stays });
  });
}

test('the base identifies a machine: a second machine with its name is a warning, and gains nothing', () =>
  recorded(async ({ account, apply, commit, run, first, stays }) => {
    const second = idOf(await account.enrol('db'));
    await commit({ 'net/groups.yaml': CHANGED });
    const applied = await apply('net');
    expectCode(applied, 0);
    expect(applied.stderr).toContain('warning OBJECT_NAMESAKE');
    expect(applied.stderr).toContain(`id:${second}`);
    expect(await membersOf(account, 'servers')).toEqual([first, stays].sort());
    expect(await membersOf(account, 'staff')).toEqual([stays]);
    expectCode(await run(['drift', 'net', '--base', 'auto']), 0);
  }));

test('a machine that enrols again does not replace its former entry until somebody accepts it', () =>
  recorded(async ({ account, apply, commit, run, first, stays }) => {
    await account.call('DELETE', `/api/peers/${first}`);
    const second = idOf(await account.enrol('db'));
    for (const _ of [1, 2]) {
      const applied = await apply('net');
      expectCode(applied, 4);
      expect(applied.stderr).toContain('warning OBJECT_MISSING');
      expect(applied.stderr).toContain('it was deleted by owner@example.com');
      expect(applied.stderr).toContain(`another peer has its name now: \`id:${second} (db, `);
      expect(await membersOf(account, 'servers')).toEqual([stays]);
    }
    expectCode(await run(['drift', 'net', '--base', 'auto']), 2);

    const bound = `${FILES}peers: [{ name: db, lifecycle: { id: ${second} } }]\n`;
    await commit({ 'net/groups.yaml': bound });
    expectCode(await apply('net'), 0);
    expect(await membersOf(account, 'servers')).toEqual([second, stays].sort());
    // The base knows it now.
    await commit({ 'net/groups.yaml': FILES });
    const applied = await apply('net');
    expectCode(applied, 0);
    expect(applied.stderr).not.toContain('OBJECT_MISSING');
    expect(await membersOf(account, 'servers')).toEqual([second, stays].sort());
  }));

test('a machine that only lists refer to is not replaced by its new entry in a later run either', () =>
  recorded(async ({ account, apply, commit, first, stays }) => {
    const sets = FILES.slice(0, FILES.indexOf('policies:'));
    await commit({ 'net/groups.yaml': sets });
    expectCode(await apply('net'), 0);
    await account.call('DELETE', `/api/peers/${first}`);
    expectCode(await apply('net'), 0);
    const second = idOf(await account.enrol('db'));
    const applied = await apply('net');
    expectCode(applied, 0);
    expect(applied.stderr).toContain(`another peer has its name now: \`id:${second} (db, `);
    expect(await membersOf(account, 'servers')).toEqual([stays]);
  }));

test('a machine that takes the name of a renamed one is a different machine', () =>
  recorded(async ({ account, apply, first, stays }) => {
    await account.call('PUT', `/api/peers/${first}`, {
      name: 'former',
      ssh_enabled: false,
      login_expiration_enabled: false,
      inactivity_expiration_enabled: false,
    });
    const second = idOf(await account.enrol('db'));
    const applied = await apply('net');
    expectCode(applied, 4);
    expect(applied.stderr).toContain('is now called `former`');
    expect(applied.stderr).toContain(`another peer has its name now: \`id:${second} (db, `);
    expect(await membersOf(account, 'servers')).toEqual([first, stays].sort());
  }));

test('a base without ids identifies a machine too, if by the audit log only one machine had the name', () =>
  recorded(async ({ account, commit, run, first, stays }) => {
    const second = idOf(await account.enrol('db'));
    await commit({ 'net/groups.yaml': CHANGED });
    const flags = ['--base', 'HEAD~1', '--yes'];
    const applied = await run(['apply', 'net', ...flags]);
    expectCode(applied, 0);
    expect(applied.stderr).toContain('warning OBJECT_NAMESAKE');
    expect(applied.stderr).toContain(`id:${second}`);
    expect(await membersOf(account, 'servers')).toEqual([first, stays].sort());
    // Now a machine that is gone may be the one that was meant.
    await account.call('DELETE', `/api/peers/${first}`);
    await account.enrol('db');
    const open = await run(['plan', 'net', '--base', 'HEAD~1']);
    expect(open.stderr).toContain('warning OBJECT_AMBIGUOUS');
  }));

test('a saved plan records the id of the machine that is meant, and a folder that takes over the base keeps the id', () =>
  teams(async ({ account, id, cwd, apply, base, commit, run }) => {
    const first = idOf(await account.enrol('db'));
    const stays = idOf(await account.enrol('stays'));
    const sets = FILES.slice(0, FILES.indexOf('policies:'));
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': sets });
    const saved = ['--record-base', '--out', 'plan.json'];
    expectCode(await run(['plan', 'net', ...saved]), 0);
    expectCode(await run(['apply', 'plan.json', '--record-base', '--yes']), 0);
    expect(base('net')).not.toBe('');
    await rename(join(cwd, 'net'), join(cwd, 'overlay'));
    await commit({});
    expectCode(await run(['base', 'adopt', 'net', 'overlay', '--yes']), 0);
    await account.call('DELETE', `/api/peers/${first}`);
    const second = idOf(await account.enrol('db'));
    const applied = await apply('overlay');
    expectCode(applied, 0);
    expect(applied.stderr).toContain(`another peer has its name now: \`id:${second} (db, `);
    expect(await membersOf(account, 'servers')).toEqual([stays]);
  }));

test(
  'a folder without a base does not accept an ambiguous machine either, until this folder accepts it',
  { tags: 'variation' },
  () =>
    recorded(async ({ account, id, apply, commit, first }) => {
      await account.call('DELETE', `/api/peers/${first}`);
      const second = idOf(await account.enrol('db'));
      const team = 'groups: [{ name: backups, peers: [db] }]\n';
      await commit({ ...groupsIn('team', id, [], 'team'), 'team/groups.yaml': team });
      const refused = await apply('team', ['--first']);
      expect(refused.stderr).toContain('warning OBJECT_MISSING');
      expect(refused.stderr).toContain('it was deleted by owner@example.com');
      expect(refused.stderr).toContain(`another peer has its name now: \`id:${second} (db, `);
      expect(await membersOf(account, 'backups')).toEqual([]);

      const bound = `${team}peers: [{ name: db, lifecycle: { id: ${second} } }]\n`;
      await commit({ 'team/groups.yaml': bound });
      expectCode(await apply('team'), 0);
      expect(await membersOf(account, 'backups')).toEqual([second]);
    }),
);
