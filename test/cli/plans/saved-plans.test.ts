// `apply` carries out a saved plan as it was approved, from a file, a pipe or standard input.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { environmentOf, meshform } from '../../support/cli.ts';
import { NETWORKS, planned, writes } from './plannedFolder.ts';

describe('a saved plan is read from', () => {
  test('a file of any name, recognised by its content', () =>
    planned(NETWORKS, async ({ run, folder }) => {
      const text = await readFile(join(folder, 'plan.json'), 'utf8');
      await writeFile(join(folder, 'approved.yaml'), text);
      expect((await run('show', 'approved.yaml')).stdout).toContain('network "one"');
      expect(await run('apply', 'approved.yaml', '--yes')).toMatchObject({ code: 0 });
    }));

  test('standard input, only with --yes', () =>
    planned(NETWORKS, async ({ account, folder }) => {
      const stdin = await readFile(join(folder, 'plan.json'), 'utf8');
      const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
      const options = { env, cwd: folder, stdin };
      expect(await meshform(['apply', '-'], options)).toMatchObject({ code: 64 });
      expect(await meshform(['apply', '-'], { ...options, answer: 'yes' })).toMatchObject({
        code: 64,
      });
      expect(await meshform(['apply', '-', '--yes'], options)).toMatchObject({ code: 0 });
    }));

  test('a pipe, which is read once', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      await new Promise(resolve =>
        spawn('sh', ['-c', 'mkfifo pipe'], { cwd: folder }).on('close', resolve),
      );
      const feeding = spawn('sh', ['-c', 'cat plan.json > pipe'], { cwd: folder });
      onTestFinished(() => void feeding.kill());
      expect(await run('apply', 'pipe', '--yes')).toMatchObject({ code: 0 });
    }));
});

test('flags that the plan already determines are refused, not ignored', () =>
  planned(NETWORKS, async ({ account, run }) => {
    for (const flags of [
      ['--only', 'group/devs'],
      ['--except', 'group/devs'],
      ['--kinds', 'groups'],
      ['--prune', 'none'],
      ['--base', 'HEAD'],
      ['--resolve', 'live'],
      ['--rotate', 'group/devs'],
      ['--strict'],
      ['--dialect', 'spec'],
      ['--var', 'X=1'],
    ]) {
      const ended = await run('apply', 'plan.json', '--yes', ...flags);
      expect(ended, flags.join(' ')).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain(`\`${flags[0]}\``);
    }
    expect(writes(account)).toBe(0);
    expect(await run('apply', 'network', '--resume', '--prune', 'none')).toMatchObject({
      code: 64,
    });
    const ended = await run('apply', 'network', '--yes', '--digest', `sha256:${'0'.repeat(64)}`);
    expect(ended).toMatchObject({ code: 64 });
  }));

test('the guards that apply to a saved plan are determined when it is made', () =>
  planned(NETWORKS, async ({ account, run }) => {
    for (const allow of ['LOOSENS_GUARDS', 'LOOSENS_GUARDS=group/devs']) {
      const ended = await run('apply', 'plan.json', '--yes', '--allow', allow);
      expect(ended).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain(
        '`--allow LOOSENS_GUARDS` does not work with a saved plan: the plan already contains what it would decide',
      );
      expect(ended.stderr).toContain('add it to `meshform plan --out FILE`');
    }
    expect(writes(account)).toBe(0);
  }));

test('the prompt shows the whole plan', () =>
  planned(NETWORKS, async ({ account, folder }) => {
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
    const ended = await meshform(['apply', 'plan.json'], { env, cwd: folder, answer: 'yes' });
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('+ network "one"');
  }));
