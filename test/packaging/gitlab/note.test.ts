// What the GitLab component writes into a note: only what was rendered for one.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const TEMPLATE = new URL('../../../templates/meshform.yml', import.meta.url);

interface Job {
  readonly script?: readonly string[];
}

const [, jobs] = parseAllDocuments(readFileSync(TEMPLATE, 'utf8')).map(document =>
  (document as { toJS: () => Readonly<Record<string, Job>> }).toJS(),
);
const script = (jobs?.['meshform-plan']?.script ?? []).join('\n');

const SECRET = 'a-key-shown-once';
const FAILURE = '<!-- meshform {"report":"failure","errors":1} -->\n### meshform plan\n\n**Why**\n';
const REPORT = '<!-- meshform {"report":"plan","changes":1} -->\n### meshform plan\n\n**Plan**\n';

/** Runs the job of a plan with a program that prints this and ends with this code. */
function planned(printed: string, code: number) {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  writeFileSync(join(folder, 'printed'), printed);
  program('git', 'exit 0');
  program('meshform', `echo '::add-mask::${SECRET}' >&2\ncat printed\nexit ${code}`);
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    MESHFORM_COMMAND: 'meshform',
    MESHFORM_PATH: 'network',
    MESHFORM_BASE: 'auto',
    MESHFORM_ARGS: '',
    MESHFORM_READER: '',
    MESHFORM_NOTE: 'false',
    MESHFORM_NOTES_TOKEN: '',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
  };
  const ended = spawnSync('sh', ['-euc', script], { env, cwd: folder, encoding: 'utf8' });
  return { ...ended, note: readFileSync(join(folder, 'plan.md'), 'utf8') };
}

test.each([
  ['a report', REPORT, 2],
  ['a report of a plan that failed', REPORT, 4],
  ['the reason of a plan that failed', FAILURE, 3],
  ['nothing', '', 3],
  ['another format', `{"key":"${SECRET}"}\n`, 0],
  ['another format of a plan that failed', `${SECRET}\n`, 4],
])('of %s', (_, printed, code) => {
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
