// The demonstration of unused access prints what its page shows, whatever the time is, and leaves nothing behind.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { meshform } from '../../support/cli.ts';

const PAGE = new URL('../../../docs/tighten.md', import.meta.url);

const leftovers = () => readdirSync(tmpdir()).filter(name => name.startsWith('meshform-demo-'));

test('ninety days of a company, and what nobody used', { timeout: 300_000 }, async () => {
  const before = new Set(leftovers());
  const { code, stdout, stderr } = await meshform(['demo', '--tighten'], { now: 86_400_000 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [, shown] = /^```text\n(company\/[^`]*)```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
  expect(stdout).toContain(shown);
  expect(stdout).toMatch(/remove: 0 of [\d,]+ flows lost +certain$/m);
  expect(stdout).toContain('What to do next: ');
  expect(leftovers().filter(name => !before.has(name))).toEqual([]);
});
