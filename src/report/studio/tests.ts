// Access tests on a page: each with its verdict, the failed ones first, with the reasons of their failed lines.
import type { TestVerdict } from '../../model/access/accessTest.ts';
import { placeText } from '../../model/diagnostic.ts';
import { type Content, element } from '../graph/markup.ts';
import { table, whole } from '../page/table.ts';
import { ASSUMES, failureLines } from '../tests/testText.ts';
import { counted } from '../text/summary.ts';

/** The verdicts; undefined if a selector of a test matches nothing, which is a finding. */
export function testsContent(tests: readonly TestVerdict[] | undefined): Content {
  if (tests === undefined)
    return element('p', {}, 'Not evaluated: a selector of a test matches nothing.');
  if (tests.length === 0) return element('p', {}, 'No access tests are declared.');
  const isFailed = ({ failures }: TestVerdict) => failures.length > 0;
  const sorted = [...tests.filter(isFailed), ...tests.filter(one => !isFailed(one))];
  const failed = tests.filter(isFailed).length;
  const rows = sorted.map(test => ({
    cells: [
      whole(isFailed(test) ? '✕ failed' : '✓ passed'),
      [test.name, element('p', { class: 'hint' }, element('code', {}, placeText(test.at)))],
      [
        test.failures.map(failure => element('pre', {}, failureLines(failure).join('\n'))),
        test.notes.map(note => element('p', {}, note)),
      ],
    ],
    look: isFailed(test) ? 'error' : 'passed',
  }));
  return [
    element(
      'p',
      {},
      `${counted(tests.length, 'access test')}: ${tests.length - failed} passed, ${failed} failed; ${ASSUMES}.`,
    ),
    table('Access tests', ['Verdict', 'Test', 'Why'], rows),
  ];
}
