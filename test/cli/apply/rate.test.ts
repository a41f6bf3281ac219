// A server that limits requests: an apply takes the time it needs and is complete, and `rate` spreads it from the start.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { type VirtualTime, virtualTime } from '../../support/virtualTime.ts';

const START = Date.parse('2026-01-02T03:04:05Z');

async function limited(
  requestsPerMinute: number,
  burst: number,
): Promise<{ account: TestAccount; time: VirtualTime }> {
  const time = virtualTime({ start: START, turns: 30 });
  const rateLimit = { requestsPerMinute, burst };
  const account = await startAccount({ rateLimit, clock: () => new Date(time.now()) });
  onTestFinished(() => account.close());
  return { account, time };
}

const groups = (count: number): string =>
  `groups: [${Array.from({ length: count }, (_, i) => `{ name: g${i} }`).join(', ')}]\n`;

/** Runs a command on `count` groups, with a project file if one is given. */
function runOn(
  { account, time }: { account: TestAccount; time: VirtualTime },
  count: number,
  words: readonly string[],
  project?: string,
) {
  return inFolder(async folder => {
    await writeFile(join(folder, 'groups.yaml'), groups(count));
    if (project !== undefined) await writeFile(join(folder, 'meshform.yaml'), project);
    return meshform(words, { cwd: folder, env: environmentOf(account), clock: time });
  });
}

const refusedBy = ({ requests }: TestAccount): number =>
  requests.filter(({ status }) => status === 429).length;

describe('an apply to a server with an unannounced rate limit', () => {
  test('an apply to a server with 120 requests a minute after 50 carries out all of 280 actions', async () => {
    const there = await limited(120, 50);
    const { code, stdout, stderr } = await runOn(there, 280, ['apply', '--yes']);
    expect(code, stderr.slice(-2000)).toBe(0);
    expect(stdout).toContain('Apply complete! 280 added');
    expect(refusedBy(there.account)).toBeLessThan(20);
    expect(stderr).toMatch(
      /the server allows about (?:11[5-9]|120) requests per minute\n {2}hint: --rate 1/,
    );
  });

  test('an apply to a server with 6 requests a minute after 2 carries out all actions as well', async () => {
    const there = await limited(6, 2);
    const { code, stdout } = await runOn(there, 12, ['apply', '--yes']);
    expect(stdout).toContain('Apply complete! 12 added');
    expect(code).toBe(0);
    expect(there.time.now() - START).toBeGreaterThan(100_000);
  });

  test('ends with a hint at --rate if the run reached its --deadline first', async () => {
    // The account is read at once, with what access depends on; what follows is not.
    const there = await limited(1, 12);
    const { code, stdout } = await runOn(there, 9, ['apply', '--yes', '--deadline', '5']);
    expect(code).toBe(4);
    expect(stdout).toMatch(/returned 429[\s\S]*hint: add --rate NUMBER/);
  });
});

describe('`rate` in meshform.yaml', () => {
  test('spreads the requests, so that none is refused', async () => {
    const there = await limited(120, 1);
    const { code } = await runOn(there, 20, ['apply', '--yes'], 'rate: 120\n');
    expect([code, refusedBy(there.account)]).toEqual([0, 0]);
    const asked = there.account.requests.length;
    expect(there.time.now() - START).toBeGreaterThanOrEqual((asked - 1) * 500);
  });

  test('is overridden by --rate', async () => {
    const there = await limited(6000, 1000);
    const { code } = await runOn(there, 5, ['plan', '--rate', '60'], 'rate: 6000\n');
    expect(code).toBe(0);
    const asked = there.account.requests.length;
    expect(there.time.now() - START).toBe((asked - 1) * 1000);
  });

  test.each(['0', '-1', '1.5', 'many'])(
    'the value %s of `rate` is an error in the file',
    async rate => {
      const there = await limited(6000, 1000);
      const { code, stdout } = await runOn(there, 1, ['validate'], `rate: ${rate}\n`);
      expect(code).toBe(3);
      expect(stdout).toContain('meshform.yaml:1:7');
    },
  );
});

describe('the duration of an apply', () => {
  const planned = async (words: readonly string[], count: number, project?: string) => {
    const there = await limited(60_000, 1000);
    return runOn(there, count, ['plan', ...words], project);
  };

  test('is stated by a plan for the rate in force', async () => {
    const { stdout } = await planned([], 200, 'rate: 120\n');
    expect(stdout).toContain('201 planned, about 100 s at 120 a minute.');
    const json = await planned(['--format', 'json'], 200, 'rate: 120\n');
    const { meshform: ours } = JSON.parse(json.stdout) as { meshform: JsonObject };
    expect(ours.requests).toMatchObject({ planned: 201, rate: 120, seconds: 100 });
  });

  test('is stated without a rate only if it is long', async () => {
    expect((await planned([], 1000)).stdout).toContain('1001 planned, about 26 s.');
    expect((await planned([], 4)).stdout).toContain('5 planned.\n');
  });

  test('does not change the content of the plan', async () => {
    const there = await limited(60_000, 1000);
    const planned = async (...words: readonly string[]) =>
      JSON.parse((await runOn(there, 3, ['plan', '--format', 'json', ...words])).stdout).meshform;
    const slow = await planned('--rate', '60');
    const fast = await planned();
    expect(slow.requests).not.toEqual(fast.requests);
    expect(slow.content_digest).toMatch(/^sha256:/);
    expect(slow.content_digest).toBe(fast.content_digest);
  });
});

test('a call that the server refuses for its rate gets a hint at --rate', async () => {
  const there = await limited(1, 1);
  const words = ['plan', '--deadline', '5'];
  await runOn(there, 1, ['plan']);
  const { code, stderr } = await runOn(there, 1, words);
  expect(code).toBe(1);
  expect(stderr).toMatch(/returned 429.*\n.*--rate NUMBER/);
});
