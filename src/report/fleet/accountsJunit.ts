// Accounts of a fleet as JUnit XML for CI systems: a test for each account.
import { visibleLines } from '../../model/text/visible.ts';
import { xmlAttribute, xmlText } from '../text/xmlText.ts';

/** An account as a test, which has passed if there is no outcome. */
export interface AccountCase {
  readonly name: string;
  /** The class of the test. */
  readonly part: string;
  readonly outcome?:
    | {
        readonly is: 'failure';
        readonly type: string;
        readonly message: string;
        readonly text: string;
      }
    | { readonly is: 'skipped'; readonly message: string };
}

/** The tests as a document. */
export function accountsJunit(title: string, cases: readonly AccountCase[]): string {
  const count = (is: 'failure' | 'skipped') =>
    cases.filter(({ outcome }) => outcome?.is === is).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`;
  const named = `name="${xmlAttribute(title)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${named} ${counts}>`,
    `  <testsuite ${named} ${counts}>`,
    ...cases.map(caseText),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseText({ name, part, outcome }: AccountCase): string {
  const head = `    <testcase classname="${xmlAttribute(part)}" name="${xmlAttribute(name)}"`;
  if (outcome === undefined) return `${head}/>`;
  const message = `message="${xmlAttribute(outcome.message)}"`;
  const inner =
    outcome.is === 'skipped'
      ? `<skipped ${message}/>`
      : `<failure type="${xmlAttribute(outcome.type)}" ${message}>${xmlText(visibleLines(outcome.text))}</failure>`;
  return `${head}>${inner}</testcase>`;
}
