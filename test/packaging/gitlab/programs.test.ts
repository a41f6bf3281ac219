// What the programs that the GitLab component starts get: no token that they do not need, and no program of the checkout.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobsWith, newProject } from './component.ts';

const scripts = Object.values(jobsWith()).flatMap(({ script }) => script ?? []);
const declared = scripts.filter(line => line.includes('safe_git()'));

test('git is started by one function alone', () => {
  expect(new Set(declared).size).toBe(1);
  const others = scripts.filter(line => !declared.includes(line)).join('\n');
  expect(others.match(/(?<!safe_)\bgit [a-z-]+/g)).toBeNull();
});

const VARIABLES = {
  CI_JOB_TOKEN: 'job',
  PLAIN: 'x\nMESHFORM_NO=y',
  MESHFORM_TOKEN: 'nbp_t',
  MESHFORM_NOTES_TOKEN: 'glpat',
  MESHFORM_SIGNING_KEY: 'signing',
  MESHFORM_VAR_SITE: 'berlin',
};

/** What each program got, of the variables and arguments of its calls. */
function calls(job: string) {
  const { at, program, run } = newProject();
  const report = '<!-- meshform {"report":"plan"} -->';
  for (const name of ['git', 'curl', 'jq']) program(name, `{ echo "$*"; env; } >> '${at(name)}'`);
  program('meshform', `{ echo "$*"; env; } >> '${at('meshform')}'\necho '${report}'`);
  const ended = run(job, { note: 'true', variables: 'MESHFORM_VAR_SITE' }, VARIABLES);
  expect(ended.status, ended.stderr).toBe(0);
  return (name: string) => readFileSync(at(name), 'utf8');
}

test('git and curl get no variable of meshform', () => {
  const got = calls('meshform-plan');
  for (const name of ['git', 'curl']) {
    expect(got(name).includes('CI_JOB_TOKEN=job'), name).toBe(name === 'git');
    expect(got(name), name).not.toMatch(/nbp_|signing|^MESHFORM_(?!NO=y)/m);
  }
  expect(got('git')).toMatch(/-c core\.hooksPath=\/dev\/null .* fetch /);
  // The token is not among the arguments, and arrives on standard input.
  expect(got('curl')).not.toContain('glpat');
});

test.each([
  ['meshform-validate', null],
  ['meshform-plan', 'nbp_reader'],
  ['meshform-apply', 'nbp_writer'],
  ['meshform-drift', 'nbp_reader'],
])('%s gets the token %s alone', (job, token) => {
  const variables = calls(job)('meshform');
  const tokens = [...new Set(variables.match(/nbp_\w+|glpat/g) ?? [])];
  expect(tokens).toEqual(token === null ? [] : [token]);
  expect(variables).toContain('MESHFORM_VAR_SITE=berlin');
});
