// Where the GitLab component writes: no link of the checkout is followed, and no file of the checkout becomes an artifact.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jobsWith, newProject } from './component.ts';

/** Every name that a job of this component, or of an earlier one, has written to. */
const NAMES = [
  'plan.json',
  'plan.md',
  'plan-failed.md',
  'plan-errors.txt',
  'plan-counts.json',
  'note.md',
  'note.json',
  'notes.json',
  'note-user.json',
  'note-headers.txt',
  'journals',
  'meshform-tests.xml',
  'meshform-drift.xml',
  'meshform-17',
];
const JOBS = ['meshform-validate', 'meshform-plan', 'meshform-apply', 'meshform-drift'];
const REPORT = '<!-- meshform {"report":"plan"} -->';

test.each(JOBS)('%s does not write through a link of the checkout', job => {
  const { at, program, run } = newProject();
  mkdirSync(at('outside'));
  for (const name of NAMES) symlinkSync(at('outside', name), at('checkout', name));
  mkdirSync(at('outside/journals'));
  mkdirSync(at('outside/meshform-17'));
  program(
    'meshform',
    `mkdir -p "$MESHFORM_JOURNALS" && : > "$MESHFORM_JOURNALS/1.jsonl"\necho '${REPORT}'`,
  );
  program('curl', 'cat > /dev/null\necho "[]"');
  program('jq', 'echo 1');
  const { status, stderr } = run(job, { note: 'true' }, { MESHFORM_NOTES_TOKEN: 'glpat' });
  expect(status, stderr).toBe(0);
  expect(readdirSync(at('outside'), { recursive: true }).sort()).toEqual([
    'journals',
    'meshform-17',
  ]);
  expect(lstatSync(at('checkout/meshform-17')).isDirectory()).toBe(true);
  expect(existsSync(at('checkout/meshform-17/journals/1.jsonl'))).toBe(true);
  expect(readdirSync(at('temporary'))).toEqual([]);
});

test('a plan file in the checkout is not uploaded as the artifact of a failed plan', () => {
  const { at, program, run, kept } = newProject();
  mkdirSync(at('checkout/meshform-17'));
  for (const folder of ['', 'meshform-17'])
    for (const name of ['plan.json', 'plan.md', 'counts.json'])
      writeFileSync(join(at('checkout'), folder, name), '{"forged":true}');
  program('meshform', 'exit 3');
  expect(run('meshform-plan').status).toBe(3);
  expect(kept()).toEqual(['plan.md']);
  expect(readFileSync(at('checkout/meshform-17/plan.md'), 'utf8')).not.toContain('forged');
});

test('every artifact is in the folder of the job', () => {
  const artifacts = Object.values(jobsWith()).map(job => Object(Object(job).artifacts));
  const paths = artifacts.flatMap(({ paths, reports }) => [
    ...(paths ?? []),
    ...Object.values(Object(reports)),
  ]);
  expect(paths.length).toBeGreaterThan(4);
  for (const path of paths) expect(path).toMatch(/^meshform-\$CI_JOB_ID\//);
});

test.each(['', '../x', '1/../x', '17 a'])('CI_JOB_ID with the value %j is refused', id => {
  const { run } = newProject();
  const { status, stderr } = run('meshform-plan', {}, { CI_JOB_ID: id });
  expect(status).toBe(1);
  expect(stderr).toContain('Error: CI_JOB_ID is not the number of a job');
});
