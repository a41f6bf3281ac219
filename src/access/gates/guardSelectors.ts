// Validates the selectors of guards.
import type { AccessGates, AccessGuards } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { selectorOf, sourceSelectorOf } from '../ask/selector.ts';
import { SELECTOR_HINT, selectorFindings } from '../tests/selectors.ts';

/** A finding for each malformed selector under `guarded`. */
export function guardFindings({ guarded }: Pick<AccessGuards, 'guarded'>): readonly Diagnostic[] {
  return guarded.flatMap(({ from, to, at }) =>
    [from === undefined ? [] : sourceSelectorOf(from), selectorOf(to)]
      .flat()
      .flatMap((selector): Diagnostic[] => {
        if (!('fault' in selector)) return [];
        const finding = { message: selector.fault, hint: SELECTOR_HINT, ...(at && { at }) };
        return [{ code: 'PROJECT_INVALID', severity: 'error', ...finding }];
      }),
  );
}

/** A finding for each malformed selector of tests and guards. */
export function writtenFindings(
  tests: readonly AccessTest[],
  guarded: AccessGuards['guarded'],
): readonly Diagnostic[] {
  return [...selectorFindings(tests), ...guardFindings({ guarded })];
}

/** The fault of a saved plan's selectors; null if there is none. */
export function gatesFault({ tests, guards }: AccessGates): string | null {
  const [found] = writtenFindings(tests?.tests ?? [], guards?.guarded ?? []);
  return found?.message ?? null;
}
