// The access gates that refuse a plan, in words that all outputs share.
import { newAccessIn } from '../../model/access/accessFindings.ts';
import type { AccessGates } from '../../model/access/accessGates.ts';
import type { TestVerdict } from '../../model/access/accessTest.ts';
import { counted } from '../text/summary.ts';

/** The access tests that fail. */
export const failedTests = ({ tests }: AccessGates): readonly TestVerdict[] =>
  (tests?.verdicts ?? []).filter(({ failures }) => failures.length > 0);

/** `5 access tests failed`: one text for each gate that refuses a plan, regardless of accepted hazards. */
export function refusedBy(gates: AccessGates): readonly string[] {
  const failed = failedTests(gates).length;
  return [
    ...(failed > 0 ? [`${counted(failed, 'access test')} failed`] : []),
    ...(newAccessIn(gates.findings).length > 0
      ? ['the plan grants new access, which --no-new-access refuses']
      : []),
  ];
}
