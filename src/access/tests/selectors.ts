// The selectors of access tests: whether they have the form of one.
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { selectorOf } from '../ask/selector.ts';

/** What to do about a text that is no selector. */
export const SELECTOR_HINT =
  'write it like group/NAME, peer/NAME or network_resource/NETWORK/NAME, with :tcp/443 after it for a port';

/** A finding for each selector that has no form known to questions. */
export function selectorFindings(tests: readonly AccessTest[]): readonly Diagnostic[] {
  return tests.flatMap(({ from, to, allow, deny, onlyFrom }) =>
    [from ?? [], to ?? [], allow, deny, onlyFrom].flat().flatMap(({ text, at }): Diagnostic[] => {
      const selector = selectorOf(text);
      if (!('fault' in selector)) return [];
      const finding = { message: selector.fault, at, hint: SELECTOR_HINT };
      return [{ code: 'ACCESS_TEST_INVALID', severity: 'error', ...finding }];
    }),
  );
}
