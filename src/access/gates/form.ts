// The selectors of guards: whether they have the form of one.
import type { AccessGates, AccessGuards } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { selectorOf, sourceSelectorOf } from '../ask/selector.ts';
import { SELECTOR_HINT, selectorFindings } from '../tests/selectors.ts';

/** A finding for each selector under `guarded` that has no form known to questions. */
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

/** What is wrong with the selectors that a saved plan carries; null if nothing is. */
export function gatesFault({ tests, guards }: AccessGates): string | null {
  const [found] = writtenFindings(tests?.tests ?? [], guards?.guarded ?? []);
  return found?.message ?? null;
}
