// A person's interrupt, in a real process: what is under way ends and is reported, a second one ends everything at once;
// the journal is whole either way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { LAUNCHER } from '../support/program/program.ts';
import { someOf } from '../support/variations.ts';
import { ALLOWED, type Mixed, startMixed } from './mixed.ts';

const RESUME = [
  'apply',
  '--resume',
  'run.jsonl',
  '--yes',
  '--secrets-to',
  'file:secrets.jsonl',
  ...ALLOWED,
];

function start({ folder, env, apply }: Mixed) {
  const child = spawn(process.execPath, [LAUNCHER, ...apply], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'] as const,
    env: { ...env, PATH: process.env.PATH, MESHFORM_JOURNALS: join(folder, 'locks') },
  });
  const ended = Promise.all([text(child.stdout), once(child, 'exit')]);
  return { child, ended: ended.then(([stdout, [code]]) => ({ stdout, code })) };
}

/** Every line of the journal, which must all be whole. */
async function linesOf({ folder }: Mixed) {
  const journal = await readFile(join(folder, 'run.jsonl'), 'utf8');
  expect(journal.endsWith('\n')).toBe(true);
  return journal
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

// Most of their time is spent waiting for a process.
describe.concurrent('an interrupted apply', { timeout: 240_000 }, () => {
  test.each(someOf(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const, 1))(
    'starts no action after %s, finishes running actions, and lists the others',
    signal =>
      startMixed(async mixed => {
        await mixed.reset();
        const { child, ended } = start(mixed);
        let count = 0;
        mixed.watch(({ method }) => {
          count += method === 'GET' ? 0 : 1;
          if (method !== 'GET' && count === 8) child.kill(signal);
        });
        const { stdout, code } = await ended;
        mixed.watch(null);
        expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
        expect(stdout).toContain('Skipped, because the run was interrupted:');
        expect(stdout).toMatch(/Apply incomplete: \d+ done, 0 failed, \d+ skipped, 0 unknown\./);
        const lines = await linesOf(mixed);
        const of = (type: string) => lines.filter(line => line.type === type);
        expect(of('answer')).toHaveLength(of('send').length);
        expect(of('close')).toMatchObject([{ complete: false }]);
        expect((await mixed.run(...RESUME)).code).toBe(0);
        expect(await mixed.held()).toBe(mixed.wanted);
      }),
  );

  test(
    'ends immediately after a second interrupt, whatever is running',
    { tags: 'variation' },
    () =>
      startMixed(async mixed => {
        await mixed.reset();
        await mixed.fault({
          method: 'PUT',
          path: '/api/*',
          effect: 'delay',
          delay: 600_000,
          times: 99,
        });
        const { child, ended } = start({
          ...mixed,
          apply: mixed.apply.map(word => (word === '1' ? '600' : word)),
        });
        let said = '';
        child.stderr.on('data', (part: Buffer) => {
          const before = said;
          said += part.toString();
          // All that does not wait for an answer is done by then.
          if (!before.includes('created') && said.includes('created')) child.kill('SIGINT');
          if (!before.includes('press Ctrl-C again') && said.includes('press Ctrl-C again'))
            child.kill('SIGINT');
        });
        expect(await ended).toMatchObject({ code: 130 });
        const lines = await linesOf(mixed);
        expect(lines.filter(({ type }) => type === 'close')).toEqual([]);
        await mixed.clear();
        // A process that was ended has not given its lock back.
        const resumed = start({ ...mixed, apply: RESUME });
        const [stderr, { code }] = await Promise.all([text(resumed.child.stderr), resumed.ended]);
        expect(stderr).toContain(
          `took over the expired lock of another apply: process ${child.pid} on`,
        );
        expect(code).toBe(0);
        expect(await mixed.held()).toBe(mixed.wanted);
      }),
  );
});
