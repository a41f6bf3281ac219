// Verdicts of access tests as a JSON document for programs.
import type { TestReport } from '../../model/access/accessTest.ts';
import { ASSUMES } from './testText.ts';

/** The minor version grows when fields are added, the major version when readers would break. */
const FORMAT_VERSION = '1.0';

/** The document of a report. */
export function testDocument({ tests, uncovered }: TestReport) {
  return {
    format_version: FORMAT_VERSION,
    passed: tests.every(({ failures }) => failures.length === 0),
    assumes: ASSUMES,
    tests: tests.map(({ failures, ...test }) => ({
      ...test,
      passed: failures.length === 0,
      failures,
    })),
    ...(uncovered && { coverage: { uncovered } }),
  };
}
