// A saved plan without `access_findings`, as earlier versions wrote it, has the same hazards and refusals.
import { expect } from 'vitest';
import { hazardsIn, newAccessIn } from '../../src/model/access/accessFindings.ts';
import { restoredGates, type StoredGates } from '../../src/report/plan/storedGates.ts';

// The codes that guarded targets had.
const FORMER: Readonly<Record<string, string>> = {
  WIDENS_GUARDED_ACCESS: 'WIDENS_ACCESS',
  NARROWS_GUARDED_ACCESS: 'NARROWS_ACCESS',
};

/** Expects that the findings of a plan are restored from what earlier versions stored. Returns whether it has any. */
export function expectFormerFindings({
  access_findings: findings = [],
  ...stored
}: StoredGates): boolean {
  if (findings.length === 0) return false;
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
  return true;
}
