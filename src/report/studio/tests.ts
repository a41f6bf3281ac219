// Access tests on a page: each with its verdict, the failed ones first, with the reasons of their failed lines.
import type { TestVerdict } from '../../model/access/accessTest.ts';
import { placeText } from '../../model/diagnostic.ts';
import { type Content, element } from '../graph/markup.ts';
import { inCode } from '../page/code.ts';
import { type TableRow, table, whole } from '../page/table.ts';
import { ASSUMES, failureLines, notesOn } from '../tests/testText.ts';
import { counted } from '../text/summary.ts';
import { textLines } from './changingParts.ts';

/** The verdicts; undefined if a selector of a test matches nothing, which is a finding. */
export function testsContent(tests: readonly TestVerdict[] | undefined): Content {
  if (tests === undefined)
    return element('p', {}, 'Not evaluated: a selector of a test matches nothing.');
  if (tests.length === 0) return element('p', {}, 'No access tests are declared.');
  const failed = tests.filter(isFailed);
  const passed = tests.filter(one => !isFailed(one));
  return [
    element(
      'p',
      {},
      `${counted(tests.length, 'access test')}: ${passed.length} passed, ${failed.length} failed; ${ASSUMES}.`,
    ),
    failed.length > 0 && table('Failed access tests', HEADS, failed.map(rowOf)),
    passed.length > 0 &&
      element(
        'details',
        {},
        element('summary', {}, 'Passed access tests'),
        table('Passed access tests', HEADS, passed.map(rowOf)),
      ),
  ];
}

const HEADS = ['Verdict', 'Test', 'Why'];

const isFailed = ({ failures }: TestVerdict): boolean => failures.length > 0;

function rowOf(test: TestVerdict): TableRow {
  return {
    cells: [
      whole(isFailed(test) ? '✕ failed' : '✓ passed'),
      [test.name, element('p', { class: 'hint' }, inCode(placeText(test.at)))],
      [
        test.failures.map(failure => textLines(failureLines(failure))),
        notesOn(test).map(note => element('p', {}, note)),
      ],
    ],
    look: isFailed(test) ? 'blocked' : undefined,
  };
}
