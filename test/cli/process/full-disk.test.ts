// Stdout on a disk without room: one sentence, an exit code that is not 0, and an apply that is finished all the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { device, mayMakeDevices } from '../../support/specialFiles.ts';

const SAID =
  /^Error: the output is not complete: (?:no space is left on the device|the file would be too large)$/m;

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

/** Runs a command in a folder of desired state, its stdout in the file or device `out`. */
async function run(cwd: string, out: string, argv: readonly string[], limit = 'unlimited') {
  const stdout = openSync(join(cwd, out), 'a');
  const script = `trap "" XFSZ; ulimit -f ${limit}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', script, process.execPath, LAUNCHER, ...argv], {
    cwd,
    stdio: ['ignore', stdout, 'pipe'] as const,
    env: { ...process.env, ...environmentOf(account), MESHFORM_JOURNALS: join(cwd, 'journals') },
  });
  closeSync(stdout);
  const said = child.stderr === null ? '' : text(child.stderr);
  const [[code], stderr] = await Promise.all([once(child, 'exit'), said]);
  return { code, stderr };
}

const onGround = (use: (cwd: string) => Promise<void>): Promise<void> =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'net'));
    const groups = Array.from({ length: 40 }, (_, i) => `  - name: group-${i}\n`).join('');
    await writeFile(join(cwd, 'net/network.yaml'), `groups:\n${groups}`);
    await use(cwd);
  });

const names = async (): Promise<number> =>
  ((await account.call('GET', '/api/groups')) as unknown[]).length;

describe.skipIf(!mayMakeDevices)('if the device of stdout is full,', () => {
  test.each([
    ['plan', ['plan', 'net', '--format', 'json']],
    ['plan that would end with 2', ['plan', 'net', '--detailed-exitcode']],
    ['validate', ['validate', 'net']],
    ['drift', ['drift', 'net']],
    ['export', ['export']],
    ['explain', ['explain', 'group']],
    ['help', ['--help']],
  ])('%s ends with exit 1 and one sentence, without a stack trace', (_, argv) =>
    onGround(async cwd => {
      device(join(cwd, 'full'));
      const { code, stderr } = await run(cwd, 'full', argv);
      expect(code).toBe(1);
      expect(stderr).toMatch(SAID);
      expect(stderr).not.toMatch(/^\s+at /m);
    }),
  );

  test('an exit code that already reports a failure stays', () =>
    onGround(async cwd => {
      device(join(cwd, 'full'));
      await writeFile(join(cwd, 'net/network.yaml'), 'groups: 7\n');
      expect((await run(cwd, 'full', ['validate', 'net'])).code).toBe(3);
    }));

  test.each(['text', 'json', 'jsonl'])(
    'an apply is carried out and recorded in the journal: %s',
    format =>
      onGround(async cwd => {
        device(join(cwd, 'full'));
        const { code, stderr } = await run(cwd, 'full', [
          'apply',
          'net',
          '--yes',
          '--format',
          format,
        ]);
        expect(code).toBe(1);
        expect(stderr).toMatch(SAID);
        expect(await names()).toBe(41);
        const [folder = ''] = await readdir(join(cwd, 'journals'));
        const [journal = ''] = (await readdir(join(cwd, 'journals', folder))).filter(name =>
          name.endsWith('.jsonl'),
        );
        const lines = await readFile(join(cwd, 'journals', folder, journal), 'utf8');
        expect(lines).toContain('"complete":true');
      }),
  );
});

test('a partly written document is reported as not written', () =>
  onGround(async cwd => {
    const { code, stderr } = await run(cwd, 'plan.json', ['plan', 'net', '--format', 'json'], '4');
    expect(code).toBe(1);
    expect(stderr).toMatch(SAID);
    expect((await readFile(join(cwd, 'plan.json'))).length).toBe(4096);
  }));

test('a document that fits is complete', () =>
  onGround(async cwd => {
    const ended = await run(cwd, 'plan.json', ['plan', 'net', '--format', 'json']);
    expect(ended).toEqual({ code: 0, stderr: '' });
    const plan = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
    expect(plan.resource_changes).toHaveLength(40);
  }));
