// Validates the selectors of access tests.
import type { AccessTest, WrittenSelector } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { selectorOf, sourceSelectorOf } from '../ask/selector.ts';

/** The hint for a text that is not a selector. */
export const SELECTOR_HINT =
  'write it like group/NAME, peer/NAME or network_resource/NETWORK/NAME, with :tcp/443 after it for a port';

/** A finding for each malformed selector. */
export function selectorFindings(tests: readonly AccessTest[]): readonly Diagnostic[] {
  return tests.flatMap(({ from, to, allow, deny, onlyFrom, except }) => [
    ...[from ?? [], onlyFrom].flat().flatMap(one => finding(one, sourceSelectorOf(one.text))),
    ...[to ?? [], allow, deny, except].flat().flatMap(one => finding(one, selectorOf(one.text))),
    ...except.flatMap(exceptFinding),
  ]);
}

function finding(
  { at }: WrittenSelector,
  selector: ReturnType<typeof selectorOf>,
): readonly Diagnostic[] {
  if (!('fault' in selector)) return [];
  const { fault: message } = selector;
  return [{ code: 'ACCESS_TEST_INVALID', severity: 'error', message, at, hint: SELECTOR_HINT }];
}

// A finding about an exception that is too wide. A group, a network or a range may get more members
// later. A port would also exclude all other ports of its object.
function exceptFinding({ text, at }: WrittenSelector): readonly Diagnostic[] {
  const selector = selectorOf(text);
  if ('fault' in selector) return [];
  const { type, hasPorts } = selector;
  if (!hasPorts && (type === 'route' || type === 'network_resource')) return [];
  return [
    {
      code: 'ACCESS_TEST_INVALID',
      severity: 'error',
      message: `${quoted(text)} cannot be in \`except\``,
      at,
      hint: '`except` lists routes and network resources, without ports',
    },
  ];
}
