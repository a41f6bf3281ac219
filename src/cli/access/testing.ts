// Runs `test`: judges the access tests of files against the files alone.
import { reachesIn } from '../../access/flows/reaches.ts';
import { stateOfFiles, withoutEachPolicy } from '../../access/state/stateOfFiles.ts';
import { withPlaces } from '../../access/tests/decidingPlaces.ts';
import { judgeTests } from '../../access/tests/judgeTests.ts';
import { uncoveredPolicies } from '../../access/tests/uncoveredPolicies.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { TestReport } from '../../model/access/accessTest.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { testDocument } from '../../report/tests/testDocument.ts';
import { testJunit } from '../../report/tests/testJunit.ts';
import { testText } from '../../report/tests/testText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { loadRequest, printIfInvalid } from '../files/desired.ts';
import { serverForm } from '../files/serverForm.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';

/** The flags of `test`. */
export interface TestFlags extends SourceFlags {
  readonly format: 'text' | 'json' | 'junit';
  readonly coverage?: boolean;
  readonly dialect?: Dialect;
}

/** Judges the tests at `path`, prints the report, and returns the exit code. */
export async function runTests(path: string, flags: TestFlags, io: Io): Promise<number> {
  const loaded = await loadDesired(loadSchemas(), loadRequest(path, flags, io));
  const { desired, accessTests, project, diagnostics } = loaded;
  // This command applies nothing, so secrets may be missing.
  const findings = diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED');
  printFindings(findings, io);
  printIfInvalid({ desired, diagnostics: findings }, flags, io);
  stopOnErrors(findings);
  const asKept = serverForm(flags.dialect ?? project.dialect);
  const state = stateOfFiles(desired, asKept);
  const judged = judgeTests(reachesIn(state), accessTests);
  printFindings(judged.diagnostics, io);
  printIfInvalid({ desired, diagnostics: judged.diagnostics }, flags, io);
  stopOnErrors(judged.diagnostics);
  const report: TestReport = {
    tests: withPlaces(judged.verdicts, () => asKept(desired)),
    ...(flags.coverage && {
      uncovered: uncoveredPolicies(state, withoutEachPolicy(desired, asKept), accessTests),
    }),
  };
  io.stdout.write(rendered(report, flags, io));
  return report.tests.some(({ failures }) => failures.length > 0) ? EXIT.refused : EXIT.done;
}

function rendered(report: TestReport, { format }: TestFlags, io: Io): string {
  switch (format) {
    case 'json':
      return jsonText(testDocument(report));
    case 'junit':
      return testJunit(report);
    default:
      return testText(report, styleFor(io.stdout, io));
  }
}
