// Verdicts of access tests as JUnit XML for CI systems.
import type { TestReport, TestVerdict } from '../../model/access/accessTest.ts';
import { jsonString, visible } from '../../model/text/visible.ts';
import { xmlAttribute, xmlText } from '../text/xmlText.ts';
import { ASSUMES, failureLines, notesOn } from './testText.ts';

/** The report as XML. Policies that no test covers are in the output of the suite. */
export function testJunit({ tests, uncovered = [] }: TestReport): string {
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  const counts = `tests="${tests.length}" failures="${failed}" errors="0" skipped="0"`;
  const output = [
    ASSUMES,
    ...uncovered.map(name => `no verdict depends on policy ${jsonString(name)}`),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="meshform test" ${counts}>`,
    `  <testsuite name="meshform test" ${counts}>`,
    ...tests.map(testCase),
    `    <system-out>${xmlText(output.join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(verdict: TestVerdict): string {
  const { name, at, failures } = verdict;
  const where = `file="${xmlAttribute(at.file)}" line="${at.line}"`;
  const head = `    <testcase classname="access" name="${xmlAttribute(name)}" ${where}`;
  const parts = [
    ...failures.map(failure => {
      const [first = '', ...rest] = failureLines(failure);
      return `      <failure type="${failure.line}" message="${xmlAttribute(first)}">${xmlText(rest.map(visible).join('\n'))}</failure>`;
    }),
    ...notesOn(verdict).map(note => `      <system-out>${xmlText(visible(note))}</system-out>`),
  ];
  return parts.length === 0 ? `${head}/>` : [`${head}>`, ...parts, '    </testcase>'].join('\n');
}
