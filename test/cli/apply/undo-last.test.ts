// `apply --undo` without a journal undoes the last apply of the folder to this server.
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

test('--undo undoes the last apply, not an earlier one, and not an apply to another server', () =>
  inFolder(async cwd => {
    const account = await startAccount({ seed: 1 });
    const other = await startAccount({ seed: 2 });
    try {
      const MESHFORM_JOURNALS = join(cwd, 'journals');
      const run = (server: typeof account, ...argv: string[]) =>
        meshform(['apply', ...argv, '--yes', '--allow', 'DELETES_OBJECT'], {
          env: { ...environmentOf(server), MESHFORM_JOURNALS },
          cwd,
        });
      const none = await run(account, '--undo');
      expect(none.code).toBe(64);
      expect(none.stderr).toContain('there is no journal of an apply of `.`');
      expect(none.stderr).toContain('this machine has no journals');
      await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: first }]\n');
      expect((await run(account)).code).toBe(0);
      await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: first }, { name: second }]\n');
      expect((await run(account)).code).toBe(0);
      expect((await run(other)).code).toBe(0);
      for (const flag of ['--undo', '--resume']) {
        const named = await run(account, flag, 'run.jsonl');
        expect(named.code).toBe(3);
        const [, ...lines] = named.stderr.split('the newest journals of this machine:\n');
        const listed = lines.join().match(/journals\/.+\.jsonl: complete, of .+ at http.+/g);
        expect(listed).toHaveLength(2);
        // Nothing of a journal that this token does not verify is believed.
        expect(lines.join()).toMatch(
          /journals\/.+\.jsonl: signed with another key, or changed at /,
        );
      }
      const { code, stdout } = await run(account, '--undo');
      expect(code).toBe(0);
      expect(stdout).toContain('group "second"');
      expect(stdout).not.toContain('group "first"');
    } finally {
      await account.close();
      await other.close();
    }
  }));

test('--undo does not undo an undo that is not named', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    try {
      const run = (...argv: string[]) =>
        meshform(['apply', '.', ...argv, '--yes', '--allow', 'DELETES_OBJECT'], {
          env: { ...environmentOf(account), MESHFORM_JOURNALS: join(cwd, 'journals') },
          cwd,
        });
      const groups = async () =>
        ((await account.call('GET', '/api/groups')) as { name: string }[]).map(({ name }) => name);
      await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: first }]\n');
      expect((await run()).code).toBe(0);
      expect((await run('--undo')).code).toBe(0);
      const again = await run('--undo');
      expect(again.code).toBe(6);
      const text = again.stderr.replaceAll(/\s+/g, ' ');
      const [, undo = ''] =
        /the last apply of "\.", ([0-9a-f]{8}), is an undo of [0-9a-f]{8}/.exec(text) ?? [];
      expect(text).toContain(`\`meshform apply . --undo ${undo}\``);
      expect(await groups()).toEqual(['All']);
      expect((await run('--undo', undo)).code).toBe(0);
      expect((await groups()).toSorted()).toEqual(['All', 'first']);
    } finally {
      await account.close();
    }
  }));

test('--undo does not fall back to an earlier apply if the selected journal of the last one was removed', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    try {
      const run = (...argv: string[]) =>
        meshform([...argv, '--yes'], {
          env: { ...environmentOf(account), MESHFORM_JOURNALS: join(cwd, 'journals') },
          cwd,
        });
      const allowed = ['--allow', 'DELETES_OBJECT'];
      const groups = async () =>
        ((await account.call('GET', '/api/groups')) as { name: string }[])
          .map(({ name }) => name)
          .toSorted();
      await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: first }]\n');
      expect((await run('apply', '.')).code).toBe(0);
      await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: first }, { name: second }]\n');
      expect((await run('apply', '.', '--journal', 'chosen.jsonl')).code).toBe(0);
      await rm(join(cwd, 'chosen.jsonl'));
      for (const flag of ['--undo', '--resume']) {
        const { code, stderr } = await run('apply', '.', flag, ...allowed);
        expect(code).toBe(6);
        const text = stderr.replaceAll(/\s+/g, ' ');
        expect(text).toContain('the journal of the last apply of `.` is gone: `chosen.jsonl`');
        expect(text).toContain('`meshform runs .`');
      }
      expect(await groups()).toEqual(['All', 'first', 'second']);
      const names = await readdir(join(cwd, 'journals'), { recursive: true });
      const [earlier = ''] = names.filter(name => name.endsWith('.jsonl'));
      const named = join('journals', earlier);
      expect((await run('apply', '.', '--undo', named, ...allowed)).code).toBe(0);
      expect(await groups()).toEqual(['All', 'second']);
    } finally {
      await account.close();
    }
  }));
