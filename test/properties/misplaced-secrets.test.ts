// A reference in any part of a web address that is shown is refused, and no command says what it refers to.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { PLAN_FORMATS } from '../../src/report/planFormats.ts';
import { inFolder, meshform } from '../support/cli.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { reported } from '../support/secretSearch.ts';
import { fc } from '../support/seeded.ts';
import { MISPLACED } from './generators/referencePlaces.ts';
import { secretLabels } from './generators/secretForms.ts';

const EXTENT: Extent = { slice: 12, full: 300 };
vi.setConfig({ testTimeout: patience(EXTENT) });

const SOURCES = [
  '${env:CANARY}',
  '${file:canary.txt}',
  '${env:CANARY:-x}',
  '${file:canary.txt:-x}',
];

const CASES = fc.record({
  label: secretLabels,
  place: fc.constantFrom(...MISPLACED),
  source: fc.constantFrom(...SOURCES),
  count: fc.integer({ min: 1, max: 3 }),
});

const COMMANDS = [
  ...['text', 'json', 'sarif'].map(format => ['validate', 'network', '--format', format]),
  ...Object.keys(PLAN_FORMATS).map(format => ['plan', 'network', '--format', format]),
  ['plan', 'network', '--out', 'plan.json'],
  ['drift', 'network', '--format', 'junit'],
  ['test', 'network'],
  ['apply', 'network', '--yes', '--format', 'jsonl'],
];

test('a reference whose value would be shown is an error, and no output has the value', async () => {
  const { count: runs, seed, found } = proof('references in hosts of web addresses', EXTENT);
  for (const { label, place, source, count } of fc.sample(CASES, { seed, numRuns: runs })) {
    const url = place.replaceAll('*', source);
    const one = { type: 'webhook', event_types: ['user.join'], target: { url } };
    await inFolder(async cwd => {
      await mkdir(join(cwd, 'network'));
      await writeFile(join(cwd, 'network/canary.txt'), label.written);
      const files = stringify({ notification_channels: Array.from({ length: count }, () => one) });
      await writeFile(join(cwd, 'network/network.yaml'), files);
      const env = {
        MESHFORM_URL: 'http://127.0.0.1:1',
        MESHFORM_TOKEN: 'unused',
        CANARY: label.written,
      };
      const traces = new Map<string, string>();
      for (const argv of COMMANDS) {
        const { code, stdout, stderr } = await meshform(argv, { cwd, env });
        expect(code, `${argv.join(' ')} with ${JSON.stringify(url)}\n${stderr}`).toBe(3);
        traces.set(argv.join(' '), stdout + stderr);
      }
      expect([...traces.values()].join('')).toMatch(/network\.yaml:\d+:\d+|"line"/);
      expect([...traces.values()].join('')).toContain('INPUT_FORBIDDEN');
      const values = { 'as written': label.written, 'as read': label.read };
      expect(reported(traces, new Map(Object.entries(values))), url).toEqual([]);
    });
  }
  found(`${runs} addresses, each an error of ${COMMANDS.length} commands, and in no output`);
});
