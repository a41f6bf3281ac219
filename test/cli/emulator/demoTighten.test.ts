// The demonstration of unused access prints what its page shows, whatever the time is, and leaves nothing behind.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';

const PAGE = new URL('../../../docs/tighten.md', import.meta.url);

test(
  'the demo with --tighten reads ninety days of traffic and prints the access that nobody used',
  { timeout: 300_000, tags: 'variation' },
  () =>
    inFolder(async temporary => {
      vi.stubEnv('TMPDIR', temporary);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { code, stdout, stderr } = await meshform(['demo', '--tighten'], { now: 86_400_000 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const [, shown] = /^```text\n(company\/[^`]*)```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
      expect(stdout).toContain(shown);
      expect(stdout).toMatch(/remove: 0 of [\d,]+ flows lost +certain$/m);
      expect(stdout).toContain('What to do next: ');
      const left = readdirSync(temporary).filter(name => name.startsWith('meshform-demo-'));
      expect(left).toEqual([]);
    }),
);
