// `plan check`: whether a saved plan still matches the account, without a lock and without a write.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { idOf, NARROWED, started, testsOf } from '../access/gatedFolder.ts';
import { NETWORKS, planned, writes } from './plannedFolder.ts';

/** The token of a service user that may only read. */
async function auditorOf(account: TestAccount): Promise<string> {
  const user = { name: 'reader', role: 'auditor', is_service_user: true, auto_groups: [] };
  const { id } = (await account.call('POST', '/api/users', user)) as JsonObject;
  const token = { name: 'pipeline', expires_in: 30 };
  const made = (await account.call('POST', `/api/users/${id}/tokens`, token)) as JsonObject;
  return String((made.plain_token as JsonObject).token);
}

describe('checking a fresh plan', () => {
  test('ends with 0 and says so, as text and as JSON', () =>
    planned(NETWORKS, async ({ run }) => {
      const text = await run('plan', 'check', 'plan.json');
      expect(text, text.stderr).toMatchObject({ code: 0 });
      expect(text.stdout).toBe('Plan: 5 to add, 0 to change, 0 to destroy.\nThe plan is fresh.\n');
      const json = await run('plan', 'check', 'plan.json', '--format', 'json');
      expect(json.code).toBe(0);
      expect(JSON.parse(json.stdout)).toMatchObject({ fresh: true, actions: 5, stale: [] });
    }));

  test('writes nothing, neither to the account nor to the folder', () =>
    planned(NETWORKS, async ({ account, folder, run }) => {
      const before = await readdir(folder, { recursive: true });
      const sent = writes(account);
      expect(await run('plan', 'check', 'plan.json')).toMatchObject({ code: 0 });
      expect(writes(account)).toBe(sent);
      expect(await readdir(folder, { recursive: true })).toEqual(before);
    }));

  test('works with a read-only token', () =>
    planned(NETWORKS, async ({ account, folder }) => {
      const reader = await auditorOf(account);
      const env = { ...environmentOf(account), MESHFORM_TOKEN: reader };
      const ended = await meshform(['plan', 'check', 'plan.json'], { env, cwd: folder });
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
    }));
});

test('plan check lists the flags that an apply needs, which do not change its exit code', () =>
  planned(NETWORKS, async ({ folder, run }) => {
    const key = 'setup_keys: [{ name: k, type: one-off, expires_in: 86400 }]\n';
    await writeFile(join(folder, 'network/network.yaml'), key);
    expect(await run('plan', 'network', '--out', 'key.json')).toMatchObject({ code: 0 });
    const text = await run('plan', 'check', 'key.json');
    expect(text).toMatchObject({ code: 0 });
    expect(text.stdout).toContain('An apply needs: --secrets-to file:PATH\nThe plan is fresh.\n');
    const json = await run('plan', 'check', 'key.json', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ needs: ['--secrets-to file:PATH'] });
  }));

describe('checking a stale plan', () => {
  test('ends with 5 and lists every stale object, as the apply would', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.call('POST', '/api/networks', { name: 'two' });
      await account.call('POST', '/api/networks', { name: 'three' });
      await account.call('POST', '/api/groups', { name: 'devs' });
      const { code, stdout } = await run('plan', 'check', 'plan.json');
      expect(code).toBe(5);
      for (const name of ['network.two', 'network.three', 'group.devs'])
        expect(stdout).toContain(
          `Stale: ${name} was created in the account since the plan was made`,
        );
      expect(stdout).not.toContain('network.one');
      expect(stdout).toContain('The plan is stale: 3 objects changed since it was made.');
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 5 });
    }));

  test('lists the stale objects as entries in JSON', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.call('POST', '/api/networks', { name: 'two' });
      const { code, stdout } = await run('plan', 'check', 'plan.json', '--format', 'json');
      expect(code).toBe(5);
      expect(JSON.parse(stdout)).toMatchObject({
        fresh: false,
        stale: [
          { address: 'network.two', message: expect.stringContaining('since the plan was made') },
        ],
      });
    }));

  test('escapes a name that consists of terminal sequences and commands', () => {
    const name = '\u001b[2J::error::x';
    const text = `networks: [{ name: ${JSON.stringify(name)} }]`;
    return planned(text, async ({ account, run }) => {
      await account.call('POST', '/api/networks', { name });
      const { code, stdout } = await run('plan', 'check', 'plan.json');
      expect(code).toBe(5);
      expect(stdout).not.toContain('\u001b');
      expect(stdout).toContain('\\u001b[2J');
    });
  });
});

test('plan check of a file that is not a plan, or was edited, ends with 3', () =>
  planned(NETWORKS, async ({ folder, run }) => {
    const plan = await readFile(join(folder, 'plan.json'), 'utf8');
    await writeFile(join(folder, 'edited.json'), plan.replaceAll('"two"', '"2wo"'));
    await writeFile(join(folder, 'other.json'), '{}');
    for (const file of ['edited.json', 'other.json', 'missing.json', 'network/network.yaml'])
      expect(await run('plan', 'check', file), file).toMatchObject({ code: 3, stdout: '' });
  }));

test('plan check with a different account or server ends with 6', () =>
  planned(NETWORKS, async ({ folder, run }) => {
    const other = await startAccount({ seed: 2 });
    try {
      const env = environmentOf(other);
      const check = ['plan', 'check', 'plan.json'];
      expect(await meshform(check, { env, cwd: folder })).toMatchObject({ code: 6 });
      const ended = await meshform([...check, '--any-server'], { env, cwd: folder });
      expect(ended).toMatchObject({ code: 6, stdout: '' });
      expect(ended.stderr).toContain('the plan was made for the account');
    } finally {
      await other.close();
    }
    const wrong = ['--digest', `sha256:${'0'.repeat(64)}`];
    expect(await run('plan', 'check', 'plan.json', ...wrong)).toMatchObject({ code: 6 });
  }));

test('plan check accepts flags before and after `check`, and refuses options of a new plan', () =>
  planned(NETWORKS, async ({ run }) => {
    const before = await run('plan', '--format', 'json', 'check', 'plan.json');
    const after = await run('plan', 'check', 'plan.json', '--format', 'json');
    expect(before).toMatchObject({ code: 0, stdout: after.stdout });
    for (const flags of [
      ['--prune', 'removed'],
      ['--format', 'markdown'],
      ['--var', 'A=b'],
    ]) {
      const ended = await run('plan', 'check', 'plan.json', ...flags);
      expect(ended, flags.join(' ')).toMatchObject({ code: 64, stdout: '' });
      expect(ended.stderr).toContain(`${flags[0]}`);
    }
  }));

test('plan check ends with 6 if an access test fails on the present account', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await started(account, async ({ want, run }) => {
    const closed = { name: 'closed', from: 'all', deny: ['group/databases:tcp/22'] };
    await want(NARROWED, { 'tests.yaml': testsOf(closed) });
    expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    const check = ['plan', 'check', 'plan.json'];
    expect(await run(...check)).toMatchObject({ code: 0 });
    const sides = await Promise.all(
      ['contractors', 'databases'].map(name => idOf(account, 'groups', name)),
    );
    const [from = '', to = ''] = sides;
    const rule = { name: 'r', enabled: true, action: 'accept', bidirectional: false };
    const rules = [{ ...rule, protocol: 'all', sources: [from], destinations: [to] }];
    await account.call('POST', '/api/policies', { name: 'by hand', enabled: true, rules });
    const ended = await run(...check);
    expect(ended).toMatchObject({ code: 6, stdout: '' });
    expect(ended.stderr).toContain('closed');
    expect(await run(...check, '--no-tests')).toMatchObject({ code: 0 });
  });
});

const WEB = `${NARROWED}  - name: web
    rules: [{ name: r, sources: [contractors], destinations: [bastions], protocol: tcp, ports: ["80"] }]
`;

test('plan check ends with 6, as the apply does, if the plan now widens a guarded access', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await started(account, async ({ want, run }) => {
    await want(WEB, { 'meshform.yaml': 'guarded: [peer/mia]\n' });
    expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    const check = ['plan', 'check', 'plan.json'];
    expect(await run(...check)).toMatchObject({ code: 0 });
    const ids = await Promise.all([idOf(account, 'peers', 'mia'), idOf(account, 'peers', 'jump')]);
    const bastions = await idOf(account, 'groups', 'bastions');
    await account.call('PUT', `/api/groups/${bastions}`, { name: 'bastions', peers: ids });
    const refused = await run('apply', 'plan.json', '--yes');
    const ended = await run(...check);
    expect([refused.code, ended.code], ended.stdout + ended.stderr).toEqual([6, 6]);
    expect(ended.stderr).toContain('WIDENS_GUARDED_ACCESS');
    expect(ended.stderr.replace('plan check', 'apply')).toBe(refused.stderr);
  });
});

test('plan check ends with 6 although the plan is stale, as the apply does, if it widens a guarded access', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await started(account, async ({ want, run }) => {
    await want(WEB, { 'meshform.yaml': 'guarded: [peer/mia]\n' });
    expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    const check = ['plan', 'check', 'plan.json'];
    const ids = await Promise.all([idOf(account, 'peers', 'mia'), idOf(account, 'peers', 'jump')]);
    const bastions = await idOf(account, 'groups', 'bastions');
    const [contractors, databases] = await Promise.all(
      ['contractors', 'databases'].map(name => idOf(account, 'groups', name)),
    );
    const one = { name: 'r', enabled: true, action: 'accept', bidirectional: false };
    const rules = [{ ...one, protocol: 'icmp', sources: [contractors], destinations: [databases] }];
    await account.call('POST', '/api/policies', { name: 'web', enabled: true, rules } as never);
    expect(await run(...check)).toMatchObject({ code: 5 });
    await account.call('PUT', `/api/groups/${bastions}`, { name: 'bastions', peers: ids });
    const refused = await run('apply', 'plan.json', '--yes');
    const ended = await run(...check);
    expect([refused.code, ended.code], ended.stdout + ended.stderr).toEqual([6, 6]);
    expect(ended.stderr.replace('plan check', 'apply')).toBe(refused.stderr);
  });
});

test('plan check lists the flag for a hazard that the plan showed and nobody allowed', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await started(account, async ({ want, run }) => {
    await want(NARROWED, { 'meshform.yaml': 'guarded: [group/bastions]\n' });
    const { code } = await run('plan', '--out', 'plan.json');
    expect(code).toBe(0);
    const ended = await run('plan', 'check', 'plan.json');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('--allow NARROWS_GUARDED_ACCESS=group/bastions');
  });
});
