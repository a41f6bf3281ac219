// The disk of the machine fills up in the middle of an apply: git writes no objects any more, and the run ends with its report.

import { writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectCode, machines, refsAt } from './sharedMachines.ts';

test('an apply whose disk fills up gives its lock back, and says that its base is not recorded', () =>
  machines(async ({ machine, account, remote, groups }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    const programs = join(one.folder, '../programs');
    const full = join(one.folder, '../full');
    await mkdir(programs);
    const lines = [
      '#!/bin/sh',
      `[ -e '${full}' ] && case " $* " in *' unpack-objects '*)`,
      '  echo "fatal: unable to write loose object file: No space left on device" >&2; exit 128;; esac',
      `PATH='${process.env.PATH}' exec git "$@"`,
    ];
    await writeFile(join(programs, 'git'), `${lines.join('\n')}\n`);
    await chmod(join(programs, 'git'), 0o755);
    account.onAnswer(({ method }) => {
      if (method === 'POST') writeFileSync(full, '');
    });
    const more = { PATH: `${programs}:${process.env.PATH}` };
    const words = ['--prune', 'removed', '--base', 'auto', '--record-base', '--yes'];
    const ended = await one.runWith(more, 'apply', 'network', ...words);
    expectCode(ended, 4);
    expect(ended.stderr).not.toContain('unexpected error');
    expect(ended.stdout).toContain('Apply complete! 1 added');
    expect(ended.stdout + ended.stderr).toContain('No space left on device');
    expect(ended.stdout + ended.stderr).toContain('meshform base record');
    expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
    expect(await groups()).toEqual(['a', 'b']);
    expectCode(await one.run('base', 'record', 'network'), 0);
  }));
