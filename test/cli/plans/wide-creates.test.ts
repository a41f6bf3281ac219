// A policy that opens everything among many with long names: in sight in every format, on a new account and on one that exists.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PLAN_FORMATS } from '../../../src/report/planFormats.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
/** 120 of these names are longer than a comment may be. */
const LONG = '-as-people-call-it'.repeat(24);
const PEOPLE = 'groups: [{ name: staff }, { name: gw }]';
const NARROW = numbers(120).map(
  i =>
    `{ name: p${i}${LONG}, rules: [{ name: r, sources: [staff], destinations: [gw], protocol: tcp, ports: ["${1000 + i}"] }] }`,
);
const WIDE =
  '{ name: zzz, rules: [{ name: r, sources: [All], destinations: [All], protocol: all, bidirectional: true }] }';
const FILES = `${PEOPLE}\npolicies: [${[...NARROW, WIDE].join(', ')}]\n`;

type Run = (...argv: readonly string[]) => ReturnType<typeof meshform>;

const onAccount = (before: string | null, files: string, use: (run: Run) => Promise<void>) =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const file = join(cwd, 'network.yaml');
    const run: Run = (...argv) => meshform(argv, { cwd, env: environmentOf(account) });
    if (before !== null) {
      await writeFile(file, before);
      expect((await run('apply', '--yes')).code).toBe(0);
    }
    await writeFile(file, files);
    await use(run);
  });

/** The lines before what is folded away. */
const fold = (text: string) => text.split('<details>')[0]?.split('\n') ?? [];

describe.each(
  someOf(
    [
      ['a new account', null],
      ['an account that exists', `${PEOPLE}\n`],
    ],
    1,
  ),
)('for a plan on %s', (_, before) => {
  test('every format says what the plan opens, and formats that are read from the top say it first', () =>
    onAccount(before, FILES, async run => {
      for (const format of Object.keys(PLAN_FORMATS)) {
        const { stdout } = await run('plan', '--format', format);
        expect(stdout, format).toMatch(/zzz[\s\S]{0,1000}All/);
        if (format !== 'comment' && format !== 'markdown' && format !== 'summary') continue;
        const lines = fold(stdout);
        const at = lines.findIndex(line => /zzz.*All → All/.test(line));
        expect(at, format).toBeGreaterThan(-1);
        const firstOther = lines.findIndex(line => /p\d+-as-people/.test(line));
        expect(firstOther < 0 || at < firstOther, format).toBe(true);
      }
      const { stdout } = await run('plan', '--format', 'comment');
      expect(Buffer.byteLength(stdout)).toBeLessThan(60_000);
      expect(Buffer.byteLength(FILES)).toBeGreaterThan(60_000);
    }));
});

test('the access of a large plan is printed in under 150 lines, with a hint to --full', () =>
  onAccount(`${PEOPLE}\nsetup_keys: []\n`, FILES, async run => {
    const { stdout } = await run('plan');
    const access = stdout
      .split('\n')
      .slice(stdout.split('\n').findIndex(line => /^Access/.test(line)));
    expect(access.length).toBeLessThan(150);
    expect(stdout).toContain('meshform plan --full');
  }));
