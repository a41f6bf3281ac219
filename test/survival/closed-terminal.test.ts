// A terminal that is closed while an apply asks its question, in a real process: the lock is given back, and nothing is sent.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { FILES, machines, refsAt } from '../cli/lock/sharedMachines.ts';
import { environmentOf } from '../support/cli.ts';
import { LAUNCHER } from '../support/program/program.ts';

/** The program that gives a command a terminal; not every system has this one. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '');

test.skipIf(!hasScript)(
  'a terminal that is closed during the prompt, without any signal, is not an answer: the apply ends in order',
  () =>
    machines(async ({ machine, account, remote, groups }) => {
      const one = await machine('one');
      await one.declare('a');
      // Only the shell gets the signal of the system. It outlives the terminal, and says afterwards how the apply has ended.
      const words = [process.execPath, LAUNCHER, ...FILES].map(word => `'${word}'`).join(' ');
      const terminal = spawn(
        'script',
        ['-qec', `trap '' HUP; ${words}; echo $? >&3`, '/dev/null'],
        {
          cwd: one.folder,
          env: {
            ...environmentOf(account),
            PATH: process.env.PATH ?? '',
            HOME: join(one.folder, '../home'),
            XDG_STATE_HOME: join(one.folder, '../state'),
          },
          stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
        },
      );
      const code = text(terminal.stdio[3] as Readable);
      let said = '';
      while (!said.includes('to continue:')) {
        const [part] = (await once(terminal.stdout as Readable, 'data')) as [Buffer];
        said += part.toString();
      }
      expect(refsAt(remote, 'refs/meshform-locks')).not.toBe('');
      terminal.kill('SIGKILL');
      expect(await code).toBe('6\n');
      expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
      expect(await groups()).toEqual([]);
    }),
  60_000,
);
