// The runner of the packaging tests: a tool that is missing fails its part and says how to get it.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inFolder } from '../support/cli.ts';

const RUNNER = fileURLToPath(new URL('run.ts', import.meta.url));

async function runner(args: readonly string[], cache: string) {
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const child = spawn(process.execPath, [RUNNER, ...args], { env });
  const closed = new Promise<number | null>(settle => child.on('close', settle));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, stdout, stderr };
}

test('a missing tool fails its part of the tests, says how to get it, and nothing else of the part runs', () =>
  inFolder(async cache => {
    const { code, stdout } = await runner(['chart'], cache);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^FAILED {3}helm [\d.]+ is missing\. Get it: npm run test:packaging -- --get helm$/m,
    );
    expect(stdout).toMatch(/^packaging: 0 of 2 steps passed/m);
  }));

test('an unknown part is refused with the list of parts', () =>
  inFolder(async cache => {
    const { code, stderr } = await runner(['charts'], cache);
    expect(code).toBe(64);
    expect(stderr).toMatch(/^unknown: charts$/m);
    expect(stderr).toMatch(/parts: (?:\w+, )*chart\b/);
  }));
