// A place for secrets, or an output, that a shell has opened for the standard output too: one would overwrite the other, or both would
// be mixed in what a reader takes for one of them.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { pipe } from '../../support/specialFiles.ts';
import { someOf } from '../../support/variations.ts';

const FILES = 'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]\n';

/** Runs a command with these descriptors; resolves to the exit code, what it said, and the number of writes. */
async function run(argv: readonly string[], cwd: string, stdio: readonly (number | 'pipe')[]) {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await writeFile(join(cwd, 'n.yaml'), FILES);
  const child = spawn(process.execPath, [LAUNCHER, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...environmentOf(account) },
    stdio: ['ignore', ...stdio],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  const code = await new Promise<number | null>(settle => child.on('close', settle));
  const writes = account.requests.filter(({ method }) => method !== 'GET').length;
  return { code, said: stderr.replaceAll(/\s+/g, ' '), writes };
}

function opened(file: string, flags: string, mode = 0o600): number {
  const descriptor = openSync(file, flags, mode);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

const APPLY = ['apply', 'n.yaml', '--yes', '--secrets-to'];
const AGAIN = 'it is the standard output as well';

test.each(
  someOf(
    [
      ['a descriptor', [...APPLY, 'file:/dev/fd/3']],
      ['a descriptor by its other name', [...APPLY, 'file:/proc/self/fd/3']],
      ['the file itself', [...APPLY, 'file:out']],
      ['a file of variables', [...APPLY, 'gitlab:out']],
      ['a saved plan', ['plan', 'n.yaml', '--out', '/dev/fd/3']],
      ['a saved plan as the file itself', ['plan', 'n.yaml', '--out', 'out']],
      ['metrics', ['drift', 'n.yaml', '--metrics', '/dev/fd/3']],
    ],
    3,
  ),
)('a file that is stdout receives no second output: %s', (_, argv) =>
  inFolder(async cwd => {
    const out = opened(join(cwd, 'out'), 'w');
    const ended = await run(argv, cwd, [out, 'pipe', opened(join(cwd, 'out'), 'r+')]);
    expect(ended, ended.said).toMatchObject({ code: 64, writes: 0 });
    expect(ended.said).toContain(AGAIN);
  }),
);

test('a pipe that is stdout receives no second output', () =>
  inFolder(async cwd => {
    pipe(join(cwd, 'out'));
    const out = opened(join(cwd, 'out'), 'r+');
    const ended = await run([...APPLY, 'file:out'], cwd, [out, 'pipe']);
    expect(ended, ended.said).toMatchObject({ code: 64, writes: 0 });
    expect(ended.said).toContain(AGAIN);
  }));

test('a file that is stderr receives no second output', () =>
  inFolder(async cwd => {
    const out = opened(join(cwd, 'out'), 'w');
    const ended = await run([...APPLY, 'file:out'], cwd, ['pipe', out]);
    expect(ended).toMatchObject({ code: 64, writes: 0 });
    expect(readFileSync(join(cwd, 'out'), 'utf8')).toContain('it is the standard error as well');
  }));

test('/dev/stdout may be a file: secrets are appended to the output, and nothing is overwritten', () =>
  inFolder(async cwd => {
    const out = opened(join(cwd, 'out'), 'w');
    const ended = await run([...APPLY, 'file:/dev/stdout'], cwd, [out, 'pipe']);
    expect(ended.code, ended.said).toBe(0);
    const text = readFileSync(join(cwd, 'out'), 'utf8');
    expect(text).toMatch(/^\{"address":"setup_key\.ci","field":"key","value":"[\w-]{16,}"\}$/m);
    expect(text).toContain('setup_key.ci');
  }));

test.each(someOf(['/dev/stdout', '/dev/stderr', '/dev/fd/3'], 1))(
  '%s receives no secret if others can read its file',
  to =>
    inFolder(async cwd => {
      const out = opened(join(cwd, 'out'), 'a', 0o644);
      const stdio = ['/dev/stdout', '/dev/stderr', '/dev/fd/3'].map(name =>
        name === to ? out : 'pipe',
      );
      const ended = await run([...APPLY, `file:${to}`], cwd, stdio);
      expect(ended, ended.said).toMatchObject({ code: 64, writes: 0 });
      const said = to === '/dev/stderr' ? readFileSync(join(cwd, 'out'), 'utf8') : ended.said;
      expect(said).toContain(`\`${to}\` cannot be written: others can open it (mode 0644)`);
    }),
);

test.each(['/dev/stdout', '/dev/fd/3'])('%s receives no secret if git tracks its file', to =>
  inFolder(async cwd => {
    git(cwd, 'init', '--quiet');
    const out = opened(join(cwd, 'out'), 'a');
    git(cwd, 'add', 'out');
    const stdio = to === '/dev/stdout' ? [out, 'pipe' as const] : (['pipe', 'pipe', out] as const);
    const ended = await run([...APPLY, `file:${to}`], cwd, stdio);
    expect(ended, ended.said).toMatchObject({ code: 64, writes: 0 });
    expect(ended.said).toContain(`\`${to}\` cannot be written: git tracks it`);
  }),
);

test('another descriptor receives secrets', () =>
  inFolder(async cwd => {
    const out = opened(join(cwd, 'out'), 'w');
    const keys = opened(join(cwd, 'keys'), 'w');
    const ended = await run([...APPLY, 'file:/dev/fd/3'], cwd, [out, 'pipe', keys]);
    expect(ended.code, ended.said).toBe(0);
    expect(readFileSync(join(cwd, 'keys'), 'utf8')).toMatch(/^\{"address":.*\}\n$/);
  }));
