// `drift` reports what differs in the account from the files, with and without a base, and lists what no file declares.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { applied, FILES, lastLine } from './appliedFolder.ts';

describe('the drift report', () => {
  test('prints nothing if nothing differs, and writes nothing', () =>
    applied(async ({ run, account }) => {
      const before = account.requests.length;
      const ended = await run('drift');
      expect(ended.code).toBe(0);
      expect(lastLine(ended)).toBe('No drift.');
      expect(account.requests.slice(before).map(({ method }) => method)).not.toContain('POST');
      expect(new Set(account.requests.slice(before).map(({ method }) => method))).toEqual(
        new Set(['GET']),
      );
    }));

  test('describes changed and missing objects from the account’s side', () =>
    applied(async ({ run, byHand, delete: remove }) => {
      await byHand('/api/posture-checks', 'recent agent', { description: 'by hand' });
      await remove('/api/policies', 'engineers reach databases');
      const ended = await run('drift');
      expect(ended.code).toBe(2);
      expect(ended.stdout).toContain('description = "as agreed" -> "by hand"');
      expect(ended.stdout).toContain(
        'policy["engineers reach databases"] is missing from the account',
      );
      expect(lastLine(ended)).toBe('Drift: 1 changed, 1 missing, 0 not removed.');
    }));
});

test('an object that somebody moved is missing at its old place, and drift shows the question of the plan', () =>
  applied(async ({ run, write, account, delete: remove }) => {
    const networks = (home: string) =>
      ['office', 'lab'].map(
        name =>
          `{ name: ${name}${name === home ? ', resources: [{ name: db, address: 10.0.0.5, groups: [] }]' : ''} }`,
      );
    const files = (home: string) => `networks: [${networks(home).join(', ')}]`;
    await write('network.yaml', files('office'));
    await run('apply', '--yes');
    const list = (await account.call('GET', '/api/networks')) as { id: string; name: string }[];
    const idOf = (name: string) => list.find(one => one.name === name)?.id ?? '';
    await remove(`/api/networks/${idOf('office')}/resources`, 'db');
    await account.call('POST', `/api/networks/${idOf('lab')}/resources`, {
      name: 'db',
      address: '10.0.0.5',
      description: '',
      enabled: true,
      groups: [],
    });
    const ended = await run('drift');
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('network_resource.office/db is missing from the account');
    expect(ended.stderr).toContain('OBJECT_IN_THE_WAY');
    expect((await run('plan')).code).toBe(3);
  }));

describe('with a base', () => {
  test('a change that is only in the files is not drift, whether it is a new object, a field or a name', () =>
    applied(async ({ run, write }) => {
      await inFolder(async base => {
        await writeFile(join(base, 'network.yaml'), FILES);
        await write(
          'network.yaml',
          FILES.replace('as agreed', 'as agreed lately')
            .replace('- name: databases', '- { name: stores, lifecycle: { was: databases } }')
            .replace('destinations: [databases]', 'destinations: [stores]')
            .replace('groups:', 'groups:\n  - name: newcomers'),
        );
        expect((await run('drift')).code).toBe(2);
        const ended = await run('drift', '--base', base);
        expect(lastLine(ended)).toBe('No drift.');
        expect(ended.code).toBe(0);
      });
    }));

  test('a change of the account is drift, and a change of both sides is a conflict', () =>
    applied(async ({ run, write, byHand, delete: remove }) => {
      await inFolder(async base => {
        await writeFile(join(base, 'network.yaml'), FILES);
        await write(
          'network.yaml',
          FILES.replace('as agreed', 'files').replace('description: ours', 'description: ours too'),
        );
        await byHand('/api/posture-checks', 'recent agent', { description: 'hand' });
        await remove('/api/policies', 'engineers reach databases');
        const ended = await run('drift', '--base', base);
        expect(ended.stdout).toContain('description = "files" -> "hand" (conflict)');
        expect(ended.stdout).toContain('is missing from the account');
        expect(ended.code).toBe(2);
      });
    }));
});

test('undeclared objects are listed, policies first', () =>
  applied(async ({ run, account }) => {
    await account.call('POST', '/api/groups', { name: 'by hand' });
    const { stdout, code } = await run('drift');
    expect(code).toBe(0);
    const listed = stdout.slice(stdout.indexOf('Left alone')).split('\n').slice(2, 5);
    expect(listed).toEqual([
      '  1 policy not declared: Default',
      '  1 group not declared: "by hand"',
      '  1 group never modified: All (built-in group of all peers)',
    ]);
  }));

test('an undeclared policy is listed although the files declare no policies', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: engineers }]');
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    expect((await run('drift')).stdout).toContain('1 policy not declared: Default');
    expect((await run('plan')).stdout).not.toContain('Default');
    expect((await run('drift', '--kinds', 'groups')).stdout).not.toContain('Default');
    const pruned = await run('plan', '--prune', 'unmanaged');
    expect(pruned.stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
  }));
