// A full disk cuts the file that a command writes; the files that were there stay whole.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { TestAccount } from '../../support/account.ts';
import { environmentOf } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { GROUP, onGround } from './outputFolder.ts';

describe('a write to a full disk', () => {
  /** Runs a command that may write files of one kilobyte and no more. */
  async function cramped(account: TestAccount, cwd: string, ...argv: string[]) {
    const script = 'trap "" XFSZ; ulimit -f 1; exec "$0" "$@"';
    const args = ['-c', script, process.execPath, LAUNCHER, ...argv];
    const env = { ...process.env, ...environmentOf(account) };
    const child = spawn('bash', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    return { code, stderr };
  }

  const LARGE = `groups:\n${Array.from({ length: 200 }, (_, i) => `  - name: group-${i}\n`).join('')}`;
  const full = {
    code: 1,
    stderr: expect.stringMatching(/^Error: .*the file would be too large\n/m),
  };

  test('keeps the existing plan', () =>
    onGround(async ({ run, at, cwd, account }) => {
      await run('plan', 'net', '--out', 'plan.json');
      const before = await readFile(at('plan.json'), 'utf8');
      await writeFile(at('net/network.yaml'), LARGE);
      expect(await cramped(account, cwd, 'plan', 'net', '--out', 'plan.json')).toEqual(full);
      expect(await readFile(at('plan.json'), 'utf8')).toBe(before);
      expect((await readdir(cwd)).sort()).toEqual(['net', 'plan.json']);
    }));

  test('keeps the files that an export would have changed', () =>
    onGround(async ({ run, at, cwd, account }) => {
      await writeFile(at('net/network.yaml'), LARGE);
      await run('apply', 'net', '--yes');
      await writeFile(at('net/network.yaml'), GROUP);
      expect(await cramped(account, cwd, 'export', '--out', 'net')).toEqual(full);
      expect(await readFile(at('net/network.yaml'), 'utf8')).toBe(GROUP);
      expect(await readdir(at('net'))).toEqual(['network.yaml']);
    }));

  test('leaves no part of a new folder', () =>
    onGround(async ({ cwd, at, account }) => {
      expect(await cramped(account, cwd, 'init', 'new/here')).toMatchObject({ code: 1 });
      await expect(stat(at('new'))).rejects.toMatchObject({ code: 'ENOENT' });
    }));
});
