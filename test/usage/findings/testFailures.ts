// The access tests of files, judged against a state.
import { reachesIn } from '../../../src/access/flows/reaches.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { load } from '../../support/files.ts';

/** The lines of access tests in files that fail in an account. */
export function testFailures(text: string, state: AccessState): readonly string[] {
  const { verdicts, diagnostics } = judgeTests(reachesIn(state), load(text).accessTests);
  if (diagnostics.length > 0) return diagnostics.map(({ message }) => message);
  return verdicts.flatMap(({ name, failures }) => failures.map(({ line }) => `${name}: ${line}`));
}
