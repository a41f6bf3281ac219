// The inputs of the GitLab component: texts that no shell interprets, and that no variable of a pipeline outranks.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INPUTS, jobsWith, newProject } from './component.ts';

/** Runs the job of a plan with a program that notes how it was called. */
function called(
  inputs: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
) {
  const { at, program, run } = newProject();
  for (const name of ['meshform', 'other'])
    program(name, `printf '%s\\n' ${name} "$MESHFORM_URL" "$@" > '${at('call')}'`);
  const ended = run('meshform-plan', inputs, variables);
  const call = existsSync(at('call')) ? readFileSync(at('call'), 'utf8').split('\n') : null;
  return { ...ended, call };
}

const HOSTILE = [
  '$(touch owned)`touch owned`; "network" \'*\' #$CI_PROJECT_ID',
  'a\\b\\n ${HOME} && exit 1',
  'INPUTS',
  "'; exit 1; '",
  '  blanks  ',
];

test.each(HOSTILE)('the input %j is passed on as one string', text => {
  const { call, stderr, status } = called({ path: text, url: text, base: text });
  expect(status, stderr).toBe(0);
  expect(call?.slice(0, 4)).toEqual(['meshform', text, 'plan', text]);
  expect(call?.slice(4, 6)).toEqual(['--base', text]);
});

test('the arguments are split into words, and not expanded as patterns', () => {
  const { call } = called({ 'plan-args': '--prune removed  --only group/*' });
  expect(call?.slice(-5, -1)).toEqual(['--prune', 'removed', '--only', 'group/*']);
  expect(called({ 'plan-args': '' }).call?.slice(-3, -1)).toEqual(['--format', 'comment']);
});

test.each([
  ['MESHFORM_URL', 'https://evil.example.com'],
  ['MESHFORM_COMMAND', 'other'],
  ['MESHFORM_PATH', 'other'],
  ['MESHFORM_BASE', 'other'],
  ['MESHFORM_ARGS', '--allow DELETES_OBJECT'],
  ['MESHFORM_NOTE', 'false'],
  ['MESHFORM_URL', ''],
])('a pipeline with the variable %s: %j ends before anything is started', (name, value) => {
  const { status, stderr, call } = called({}, { [name]: value });
  expect(status).toBe(1);
  expect(stderr).toContain(`Error: the variable ${name} differs from the input of the component.`);
  expect(call).toBeNull();
});

test('a variable that equals the input is accepted, and others only if the project allows them', () => {
  const same = called({}, { MESHFORM_URL: 'https://api.example.com' });
  expect(same.call?.slice(0, 2)).toEqual(['meshform', 'https://api.example.com']);
  const variables = { MESHFORM_URL: 'https://other.example.com', MESHFORM_COMMAND: 'other' };
  const allowed = called({ 'allow-pipeline-variables': 'true' }, variables);
  expect(allowed.call?.slice(0, 2)).toEqual(['other', 'https://other.example.com']);
});

test('inputs of the script are checked to have one line, and no job has them as variables', () => {
  for (const name of ['path', 'url', 'base', 'plan-args', 'meshform']) {
    const pattern = new RegExp(INPUTS[name]?.regex ?? '');
    expect(pattern.test('a b; $c'), name).toBe(true);
    expect(pattern.test('a\nINPUTS\nb'), name).toBe(false);
  }
  for (const job of Object.values(jobsWith()))
    expect(Object.keys(Object(job).variables ?? {}).join()).not.toContain('MESHFORM');
});
