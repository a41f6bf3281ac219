// The demonstration ends well and shows its parts in order.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { meshform } from '../../support/cli.ts';

const COMPANY = new URL('../../../examples/company/', import.meta.url);

test('the demo plans, applies, finds nothing to do, changes by hand, detects drift, repairs it, and finds nothing again', async () => {
  const before = readdirSync(COMPANY);
  const env = { MESHFORM_JOURNALS: '' };
  const { code, stdout, stderr } = await meshform(['demo'], { cwd: process.cwd(), env });
  expect(code).toBe(0);
  const parts = [
    'Plan a new account',
    /Plan: \d\d\d to add, 1 to change, 0 to destroy\./,
    'Apply the plan',
    'Apply complete!',
    'A second plan has no changes',
    'No changes.',
    'Somebody changes the account by hand',
    'Drift detection reports it',
    'has changed in the account',
    'is missing from the account',
    'Drift: 1 changed, 1 missing, 0 not removed.',
    'Repair the drift',
    'Apply complete! 1 added, 1 changed, 0 destroyed.',
    'The account matches the files',
    'No changes.',
  ];
  let rest = stdout;
  for (const part of parts) {
    const at = typeof part === 'string' ? rest.indexOf(part) : rest.search(part);
    expect(at, `${part} comes after what is before it`).toBeGreaterThanOrEqual(0);
    rest = rest.slice(at);
  }
  expect(stderr).toMatch(/\[133\/133\] created /);
  expect(readdirSync(COMPANY), 'the package itself is left as it was').toEqual(before);
});
