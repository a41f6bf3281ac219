// Machines may publish ports to the internet if they are in a group that the settings name: whoever joins such a group gets that right.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const SETTINGS = (isOn: boolean) =>
  `account_settings: { peer_expose_enabled: ${isOn}, peer_expose_groups: [publishers] }\n`;
const groups = (members: string) => `groups: [{ name: publishers, peers: [${members}] }]\n`;

const joined = async (isOn: boolean, before: string, after: string) => {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/load', {
    '/emulator/users': [{ id: 'bob', name: 'Bob', email: 'bob@example.com' }],
  });
  for (const name of ['gate', 'laptop']) await account.enrol(name);
  return await inFolder(async cwd => {
    const env = environmentOf(account);
    const run = (...line: string[]) => meshform(line, { env, cwd });
    const file = join(cwd, 'network.yaml');
    await writeFile(file, `${before}${SETTINGS(isOn)}`);
    const allow = ['--allow', 'EXPOSES_WITHOUT_FILES', '--allow', 'REVEALS_SECRET'];
    const begun = await run('apply', '.', '--yes', ...allow);
    expect(begun.code, begun.stderr).toBe(0);
    // The settings are declared elsewhere.
    await writeFile(file, after);
    const planned = await run('plan', '.');
    const refused = await run('plan', '.', '--no-new-access');
    return { stdout: planned.stdout, stderr: planned.stderr, code: refused.code };
  });
};

test('a machine that joins may publish ports: a right, also where no file has the settings', async () => {
  const { stdout, stderr, code } = await joined(true, groups('gate'), groups('gate, laptop'));
  expect(stdout).toContain(
    'group.publishers: peer/laptop may publish ports to the internet that no file declares, as a member of publishers',
  );
  expect(stdout).toContain('rights +1');
  expect(stdout).toContain('EXPOSES_WITHOUT_FILES');
  expect(stderr).toContain('note RIGHTS');
  expect(code).toBe(6);
});

test('the right is reported with the change that gives it, not with a person who joins another group', async () => {
  const bob = (joined: string) =>
    `users: [{ email: bob@example.com, name: Bob, role: user, auto_groups: [${joined}] }]\n`;
  const others = 'groups: [{ name: readers }, { name: publishers, peers: [gate] }]\n';
  const more = others.replace('gate', 'gate, laptop');
  const { stdout } = await joined(true, others + bob(''), more + bob('readers'));
  expect(stdout).toContain('group.publishers: peer/laptop may publish ports');
  // A change of something else of a person who is a member already.
  const member = bob('publishers');
  const other = member.replace('role: user', 'role: admin');
  const unrelated = await joined(true, others + member, more + other);
  expect(unrelated.stdout).toContain('group.publishers: peer/laptop may publish ports');
});

test('a machine that enrols with a setup key of the group may publish ports, too', async () => {
  const key =
    'setup_keys: [{ name: shelf, type: reusable, expires_in: 86400, auto_groups: [publishers] }]\n';
  const { stdout, code } = await joined(true, groups('gate'), `${groups('gate')}${key}`);
  expect(stdout).toContain('setup_key/shelf');
  expect(stdout).toContain('may publish ports to the internet that no file declares');
  expect(code).toBe(6);
});

test.each([
  ['while nobody may', false, groups('gate'), groups('gate, laptop')],
  [
    'who leave',
    true,
    groups('gate, laptop'),
    'groups: [{ name: publishers, peers: [gate], lifecycle: { exact: [peers] } }]\n',
  ],
])('a machine that joins gets no right to publish ports %s', async (_, isOn, before, after) => {
  const { stdout, code } = await joined(isOn, before, after);
  expect(stdout).toContain('publishers');
  expect(stdout).not.toContain('may publish');
  expect(code).toBe(0);
});

test('a machine that leaves a set has its name in the plan', async () => {
  const none = 'groups: [{ name: publishers, peers: [], lifecycle: { exact: [peers] } }]\n';
  const { stdout } = await joined(true, groups('laptop'), none);
  expect(stdout).toContain('- "laptop"');
  expect(stdout).not.toContain('id:');
});
