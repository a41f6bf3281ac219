// What the GitLab component writes into a note: only what was rendered for one.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newProject } from './component.ts';

const SECRET = 'a-key-shown-once';
const REPORT = '<!-- meshform {"report":"plan","changes":1} -->\n### meshform plan\n\n**Plan**\n';
const FAILURE = '<!-- meshform {"report":"failure","errors":1} -->\n### meshform plan\n\n**Why**\n';

/** Runs the job of a plan with a program that prints this and ends with this code. */
function planned(printed: string, code: number) {
  const { at, program, run, text } = newProject();
  writeFileSync(at('printed'), printed);
  program('meshform', `echo '::add-mask::${SECRET}' >&2\ncat '${at('printed')}'\nexit ${code}`);
  return { ...run('meshform-plan'), note: text('plan.md') };
}

test.each([
  ['a report', REPORT, 2],
  ['a report of a plan that failed', REPORT, 4],
  ['the reason of a plan that failed', FAILURE, 3],
  ['nothing', '', 3],
  ['another format', `{"key":"${SECRET}"}\n`, 0],
  ['another format of a plan that failed', `${SECRET}\n`, 4],
])('the note of a plan job contains no secret: job output is %s', (_, printed, code) => {
  const { status, stdout, stderr, note } = planned(printed, code);
  expect(status, stderr).toBe(code);
  expect(stderr).toContain(`::add-mask::${SECRET}\n`);
  expect(stdout).toContain(printed);
  expect(note).not.toContain(SECRET);
  expect(note).toContain('### meshform plan\n');
  expect(note.includes('**Plan**')).toBe(printed === REPORT);
  expect(note.includes('**Why**')).toBe(printed === FAILURE);
  expect(note.includes(`> ❌ \`plan\` ended with exit code ${code}.`)).toBe(code > 2);
  const isUnexplained = code > 2 && printed !== FAILURE;
  expect(note.includes('. The log of the job says why.\n')).toBe(isUnexplained);
});
