// Somebody deletes or renames a machine, or a group, in the dashboard: a finding of its own, which stops neither plan nor drift.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const RULE = 'protocol: all, bidirectional: true';

const FILE = `
groups:
  - { name: servers, peers: [gone, stays] }
  - { name: lonely, peers: [gone] }
  - { name: staff }
policies:
  - name: staff reach servers
    rules: [{ name: r, ${RULE}, sources: [staff], destinations: [servers] }]
  - name: staff reach one machine
    rules: [{ name: r, ${RULE}, sources: [staff], destinationResource: { peer: gone } }]
`;

interface Story {
  readonly account: TestAccount;
  readonly cwd: string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  readonly write: (text: string) => Promise<void>;
  readonly find: (path: string, name: string) => Promise<{ id: string; [field: string]: unknown }>;
}

/** An account to which the files were applied. */
async function story(
  text: string,
  tell: (story: Story) => Promise<void>,
  dialect: 'spec' | 'netbird' = 'spec',
): Promise<void> {
  const account = await startAccount({ seed: 1, dialect });
  onTestFinished(() => account.close());
  await account.enrol('gone');
  await account.enrol('stays');
  await inFolder(async cwd => {
    const write = async (content: string) => {
      await mkdir(dirname(join(cwd, 'network/a.yaml')), { recursive: true });
      await writeFile(join(cwd, 'network/a.yaml'), content);
    };
    await write(text);
    const run: Story['run'] = (...argv) => meshform(argv, { env: environmentOf(account), cwd });
    const find: Story['find'] = async (path, name) => {
      const listed = (await account.call('GET', path)) as { id: string; name: string }[];
      const found = listed.find(one => one.name === name);
      if (!found) throw new Error(`${path} has no ${name}`);
      return found;
    };
    expect(await run('apply', 'network', '--yes')).toMatchObject({ code: 0 });
    await tell({ account, cwd, run, write, find });
  });
}

const SETS_ONLY = FILE.replace(/ {2}- name: staff reach one machine\n.*\n/, '');

test('a deleted machine is omitted from sets: apply does everything else, and drift says who deleted it', () =>
  story(SETS_ONLY, async ({ account, run, write, find }) => {
    await account.call('DELETE', `/api/peers/${(await find('/api/peers', 'gone')).id}`);
    await write(SETS_ONLY.replace('- { name: staff }', '- { name: staff, peers: [stays] }'));

    const planned = await run('plan', 'network');
    expect(planned.code).toBe(0);
    expect(planned.stderr).toMatch(
      /network\/a\.yaml:3:\d+ warning OBJECT_MISSING\n {2}peer\.gone is no longer in the account: it was deleted by owner@example\.com at [^;\n]*\n {2}hint: remove the name of the peer from 2 places in the files: /,
    );
    expect(planned.stderr).not.toMatch(/REF_UNKNOWN|did you mean|OBJECT_HELD/);
    expect(planned.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');

    const drifted = await run('drift', 'network');
    expect(drifted.code).toBe(2);
    expect(drifted.stdout).toContain('# peer.gone is missing from the account');
    expect(drifted.stdout).toMatch(/cause: exact, owner@example\.com at .*\(user\.peer\.delete\)/);
    expect(drifted.stdout).toContain('group.staff');

    expect(await run('apply', 'network', '--yes')).toMatchObject({ code: 0 });
    expect(await find('/api/groups', 'staff')).toMatchObject({ peers_count: 1 });
    expect((await run('drift', 'network')).code).toBe(2);
  }));

test('objects that need a deleted machine are not written, and apply ends with 4', () =>
  story(FILE, async ({ account, run, write, find }) => {
    await account.call('DELETE', `/api/peers/${(await find('/api/peers', 'gone')).id}`);
    await write(FILE.replace('- { name: staff }', '- { name: staff, peers: [stays] }'));
    const applied = await run('apply', 'network', '--yes');
    expect(applied.code).toBe(4);
    expect(applied.stderr).toContain('warning OBJECT_HELD');
    expect(applied.stderr).toContain(
      'policy["staff reach one machine"] is not created: it cannot be written as declared without peer.gone',
    );
    expect(applied.stderr).toContain('Not everything is applied');
    const policies = (await account.call('GET', '/api/policies')) as { name: string }[];
    expect(policies.map(({ name }) => name)).not.toContain('staff reach one machine');
    expect(await find('/api/groups', 'staff')).toMatchObject({ peers_count: 1 });
    const drifted = await run('drift', 'network');
    expect(drifted.code).toBe(2);
    expect(drifted.stdout).toContain('# policy["staff reach one machine"] is missing');
  }));

test('an exact group with a renamed machine stays unchanged, because the machine may be another member now', () =>
  story(
    'groups: [{ name: a, peers: [gone, stays], lifecycle: { exact: [peers] } }]\n',
    async story => {
      const { run, find } = story;
      await rename(story, 'gone', 'other');
      const applied = await run('apply', 'network', '--yes');
      expect(applied.code).toBe(4);
      expect(applied.stderr).toContain('group.a stays as it is');
      expect(await find('/api/groups', 'a')).toMatchObject({ peers_count: 2 });
    },
  ));

async function rename({ account, find }: Story, name: string, to: string): Promise<void> {
  await account.call('PUT', `/api/peers/${(await find('/api/peers', name)).id}`, {
    name: to,
    ssh_enabled: false,
    login_expiration_enabled: false,
    inactivity_expiration_enabled: false,
  });
}

test('a policy whose only source was deleted is never written without a source', () =>
  story(SETS_ONLY, async ({ account, run, write, find }) => {
    await write(`${SETS_ONLY.replace('  - { name: staff }\n', '')}`);
    const policy = await find('/api/policies', 'staff reach servers');
    await account.call('DELETE', `/api/policies/${policy.id}`);
    await account.call('DELETE', `/api/groups/${(await find('/api/groups', 'staff')).id}`);
    const applied = await run('apply', 'network', '--yes');
    expect(applied.code).toBe(4);
    expect(applied.stderr).toContain('OBJECT_HELD');
    expect(JSON.stringify(await account.call('GET', '/api/policies'))).not.toContain('staff reach');
  }));

test('a renamed machine is not replaced by a machine of a similar name, and the finding states its new name', () =>
  story(SETS_ONLY, async story => {
    const { account, run } = story;
    await account.enrol('gone-2');
    await rename(story, 'gone', 'other');
    const planned = await run('plan', 'network');
    expect(planned.code).toBe(0);
    expect(planned.stderr).toContain('OBJECT_MISSING');
    expect(planned.stderr).toContain('is now called `other`');
    expect(planned.stderr).not.toContain('gone-2');
    expect(planned.stdout).toContain('No changes.');
    const drifted = await run('drift', 'network');
    expect(drifted.code).toBe(2);
    expect(drifted.stderr).toContain('it was renamed by owner@example.com');
    expect(drifted.stdout).toMatch(/cause: exact, owner@example\.com at .*\(peer\.rename\)/);
  }));

test('a name that is neither in the base nor in the audit log is reported as a typing error', () =>
  story(SETS_ONLY, async ({ run, write }) => {
    await write(SETS_ONLY.replace('peers: [gone, stays]', 'peers: [gonne, stays]'));
    const planned = await run('plan', 'network');
    expect(planned.code).toBe(3);
    expect(planned.stderr).toContain('error REF_UNKNOWN');
    expect(planned.stderr).toContain('did you mean `gone`?');
  }));

test('a saved plan lists what stays unchanged, and its apply ends with 4, too', () =>
  story(FILE, async ({ account, run, write, find }) => {
    await account.call('DELETE', `/api/peers/${(await find('/api/peers', 'gone')).id}`);
    await write(FILE.replace('- { name: staff }', '- { name: staff, peers: [stays] }'));
    expect(await run('plan', 'network', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect((await run('show', 'plan.json')).code).toBe(0);
    const applied = await run('apply', 'plan.json', '--yes');
    expect(applied.code).toBe(4);
    expect(applied.stderr).toContain('Not everything is applied');
  }));

test('a policy of several rules stays unchanged as a whole if the server keeps one policy per rule', () =>
  story(
    FILE.replace(
      '[{ name: r, protocol: all, bidirectional: true, sources: [staff], destinationResource',
      '[{ name: other, protocol: all, sources: [staff], destinations: [lonely] }, { name: r, protocol: all, bidirectional: true, sources: [staff], destinationResource',
    ),
    async ({ account, run, find }) => {
      await account.call('DELETE', `/api/peers/${(await find('/api/peers', 'gone')).id}`);
      const names = async () =>
        ((await account.call('GET', '/api/policies')) as { name: string }[])
          .map(({ name }) => name)
          .toSorted();
      const before = await names();
      expect(before).toContain('staff reach one machine / other');
      const allowed = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
      const applied = await run('apply', 'network', '--yes', ...allowed);
      expect(applied.code, applied.stderr).toBe(4);
      expect(applied.stderr).toContain('policy["staff reach one machine"]');
      expect(await names()).toEqual(before.filter(name => name !== 'Default'));
    },
    'netbird',
  ));

test('export removes the name of a deleted machine from every list', () =>
  story(SETS_ONLY, async ({ account, run, find }) => {
    await account.call('DELETE', `/api/peers/${(await find('/api/peers', 'gone')).id}`);
    expect(await run('export', '--out', 'network', '--except', 'peer/*')).toMatchObject({
      code: 0,
    });
    const planned = await run('plan', 'network');
    expect(planned.stderr).not.toContain('OBJECT_MISSING');
    expect(planned.stdout).toContain('No changes.');
    expect((await run('drift', 'network')).code).toBe(0);
  }));

test('export repairs everything that a deleted machine leaves behind', () =>
  story(
    `${FILE}peers: [{ name: gone, ssh_enabled: false }, { name: stays }]\n`,
    async ({ account, cwd, run, write, find }) => {
      await account.call('DELETE', `/api/peers/${(await find('/api/peers', 'gone')).id}`);
      const pending =
        '  - { name: pending, peers: [gone, stays] }\n  - { name: typo, peers: [gonne] }\n';
      const text = `${FILE.replace('policies:', `${pending}policies:`)}peers: [{ name: gone, ssh_enabled: false }, { name: stays }]\n`;
      await write(text);
      const exported = await run('export', '--out', 'network');
      // The typing error remains.
      expect(exported.code, exported.stderr).toBe(2);
      expect(exported.stderr).toContain(
        'policy["staff reach one machine"] is removed from the files: it cannot exist without peer.gone',
      );
      expect(exported.stderr).toContain('peer.gone is removed from the files: somebody deleted it');
      expect(exported.stderr).toContain('warning OBJECT_NOT_THERE');
      const after = await readFile(join(cwd, 'network/a.yaml'), 'utf8');
      expect(after).not.toMatch(/\bgone\b/);
      expect(after).toContain('{ name: pending, peers: [stays] }');
      // What the log does not know is not repaired: it may be a typing error.
      expect(after).toContain('{ name: typo, peers: [gonne] }');
      await write(after.replace(/.*typo.*\n/, ''));
      const planned = await run('plan', 'network');
      expect(planned.stderr).not.toMatch(/OBJECT_MISSING|OBJECT_HELD/);
      expect(planned.stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
    },
  ));
