// A saved plan without `access_findings`, as earlier versions wrote it, has the same hazards and refusals.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hazardsIn, newAccessIn } from '../../src/model/access/accessFindings.ts';
import { restoredGates, type StoredGates } from '../../src/report/plan/storedGates.ts';

const SCENARIOS = join(import.meta.dirname, '../scenarios');
const documents = readdirSync(SCENARIOS).flatMap(name => {
  try {
    const { meshform } = JSON.parse(readFileSync(join(SCENARIOS, name, 'plan.json'), 'utf8'));
    return meshform.access_findings?.length > 0 ? [[name, meshform as StoredGates] as const] : [];
  } catch {
    return [];
  }
});

// The codes that guarded targets had.
const FORMER: Readonly<Record<string, string>> = {
  WIDENS_GUARDED_ACCESS: 'WIDENS_ACCESS',
  NARROWS_GUARDED_ACCESS: 'NARROWS_ACCESS',
};

test('there are such documents', () => {
  expect(documents.length).toBeGreaterThan(3);
});

test.each(documents)('%s', (_, { access_findings: findings = [], ...stored }) => {
  const hazards = stored.access_hazards?.map(one => ({
    ...one,
    code: FORMER[one.code] ?? one.code,
  }));
  const former = { ...stored, access_hazards: hazards } as StoredGates;
  const restored = restoredGates(former)?.findings ?? [];
  const decisive = (all: typeof findings) =>
    hazardsIn(all).map(({ message: _message, ...hazard }) => hazard);
  expect(decisive(restored)).toEqual(decisive(findings));
  expect(newAccessIn(restored)).toEqual(newAccessIn(findings));
  const refused = (all: typeof findings) => all.filter(({ code }) => code === undefined).length;
  expect(refused(restored)).toBe(refused(findings));
});
