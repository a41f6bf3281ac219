// The selectors of access tests: whether they have the form of one.
import type { AccessTest } from '../../model/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { selectorOf } from '../ask/selector.ts';

/** A finding for each selector that has no form known to questions. */
export function selectorFindings(tests: readonly AccessTest[]): readonly Diagnostic[] {
  return tests.flatMap(({ from, to, allow, deny, onlyFrom }) =>
    [from ?? [], to ?? [], allow, deny, onlyFrom].flat().flatMap(({ text, at }): Diagnostic[] => {
      const selector = selectorOf(text);
      if (!('fault' in selector)) return [];
      return [{ code: 'ACCESS_TEST_INVALID', severity: 'error', message: selector.fault, at }];
    }),
  );
}
