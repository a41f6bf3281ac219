// Verdicts of access tests as text: each test, and for each failed line the forbidden flow or the nearest miss.
import type { FailedLine, TestReport, TestVerdict } from '../../model/access/accessTest.ts';
import { placeText } from '../../model/diagnostic.ts';
import { jsonString, visible } from '../../model/text/visible.ts';
import { declaredAt, missText, partyText, reasonTexts } from '../access/accessWords.ts';
import { wrap } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';

/** The assumption behind every verdict over files. */
export const ASSUMES = 'assumes no undeclared policy';

/** The report as text. It ends with its counts and a line feed. */
export function testText(report: TestReport, style: Style): string {
  const { tests, uncovered } = report;
  const lines = tests.flatMap(test => verdictLines(test, style));
  const last = [
    ...(uncovered === undefined ? [] : coverageLines(uncovered, style)),
    `${countsLine(report)}`,
    '',
  ];
  return [...lines, ...(lines.length > 0 ? [''] : []), ...last].join('\n');
}

/** `3 access tests: 2 passed, 1 failed; assumes no undeclared policy.` */
function countsLine({ tests }: TestReport): string {
  if (tests.length === 0) return 'No access tests are declared.';
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  const counts = `${tests.length - failed} passed, ${failed} failed`;
  return `${counted(tests.length, 'access test')}: ${counts}; ${ASSUMES}.`;
}

const FAILED: Readonly<Record<FailedLine['line'], string>> = {
  allow: 'is not reached by all',
  deny: 'is reached',
  only_from: 'is reached by others',
};

/** Why a line fails, without colour: one line per reason. */
export function failureLines({
  line,
  selector,
  at,
  message,
  unknown,
  flows,
  misses,
}: FailedLine): readonly string[] {
  const what = unknown ? 'cannot be judged' : FAILED[line];
  return [
    `${placeText(at)}  ${line}: ${selector} ${what}${message === undefined ? '' : `: ${message}`}`,
    ...flows.flatMap(flow => [
      `  ${partyText(flow.from)} → ${partyText(flow.to)}  ${flow.ports.join(' ')}`,
      ...reasonTexts(flow).map(reason => `      ${reason}`),
    ]),
    ...misses.flatMap(miss => [
      `  ${partyText(miss.from)} ↛ ${partyText(miss.to)}`,
      `      ${missText(miss)}`,
      ...declaredAt(miss).map(text => `      ${text}`),
    ]),
  ];
}

// Combines lines that cannot be judged for the same reason.
function withReasonOnce(failures: readonly FailedLine[]): readonly FailedLine[] {
  return failures.flatMap(failure => {
    if (failure.unknown === undefined) return [failure];
    const same = failures.filter(one => one.unknown && one.message === failure.message);
    if (same[0] !== failure) return [];
    const [, ...others] = same.map(({ line, selector }) => `${line}: ${selector}`);
    return [{ ...failure, selector: [failure.selector, ...others].join(', ') }];
  });
}

/** The notes on a verdict, with the groups that count as if they had a routing machine. */
export const notesOn = ({ notes, assumedRouters = [] }: TestVerdict): readonly string[] => [
  ...notes,
  ...(assumedRouters.length > 0 ? [assumedRoutersText(assumedRouters)] : []),
];

/** `judged as if these groups had a routing machine: group/a, group/b`. */
export const assumedRoutersText = (groups: readonly string[]): string =>
  `judged as if these groups had a routing machine: ${visible(groups.join(', '))}`;

/** A verdict: the test, the reasons of failed lines, and notes. */
export function verdictLines(verdict: TestVerdict, style: Style): string[] {
  const { name, failures } = verdict;
  const label = failures.length === 0 ? style.add('PASS') : style.error('FAIL');
  return [
    `${label}  ${style.strong(visible(name))}`,
    ...withReasonOnce(failures)
      .flatMap(failureLines)
      .flatMap(text => wrap(`      ${text}`, style.width)),
    ...notesOn(verdict).flatMap(note => wrap(`      note: ${note}`, style.width)),
  ];
}

function coverageLines(uncovered: readonly string[], style: Style): string[] {
  if (uncovered.length === 0) return ['Coverage: every policy decides a verdict.'];
  const names = uncovered.map(jsonString).join(', ');
  return wrap(`Coverage: no verdict depends on ${names}`, style.width);
}
