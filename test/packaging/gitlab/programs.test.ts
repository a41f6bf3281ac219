// What the programs that the GitLab component starts get: no token that they do not need, and no program of the checkout.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobsWith, newProject } from './component.ts';

const scripts = Object.values(jobsWith()).flatMap(({ script }) => script ?? []);
const declared = scripts.filter(line => line.includes('safe_git()'));

test('only one function starts git', () => {
  expect(new Set(declared).size).toBe(1);
  const others = scripts.filter(line => !declared.includes(line)).join('\n');
  expect(others.match(/\bgit [a-z-]+/g)).toBeNull();
});

// Other users of a machine can read the arguments of a program.
test('no argument of a program contains a token, or an address with one', () => {
  const lines = scripts.flatMap(script => script.split('\n'));
  const started = lines.filter(line =>
    /\b(?:curl|jq|(?:safe|remote)_git|git|sed|tar)\b/.test(line),
  );
  const argument =
    /\b(?:curl|jq|(?:safe|remote)_git|git|sed|tar)\b[^|]*\$\{?\w*(?:TOKEN|PUSH_URL|_token)\b/;
  expect(started.length).toBeGreaterThan(20);
  expect(started.filter(line => argument.test(line))).toEqual([]);
});

test('drift is reported only for the default branch, because other branches have unapplied files', () => {
  expect(Object(jobsWith()['meshform-drift']).rules).toEqual([
    { if: '$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
  ]);
});

const VARIABLES = {
  CI_JOB_TOKEN: 'job',
  PLAIN: 'x\nMESHFORM_NO=y',
  MESHFORM_TOKEN: 'nbp_t',
  MESHFORM_NOTES_TOKEN: 'glpat',
  MESHFORM_SIGNING_KEY: 'signing',
  MESHFORM_VAR_SITE: 'berlin',
};

interface Job {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** What each program got, of the variables and arguments of its calls. */
function calls(job: string, { inputs = {}, variables = {} }: Job = {}) {
  const { at, program, run } = newProject();
  const report = '<!-- meshform {"report":"plan"} -->';
  for (const name of ['git', 'curl', 'jq']) program(name, `{ echo "$*"; env; } >> '${at(name)}'`);
  const settings = `cat "\${GIT_CONFIG_VALUE_0-/dev/null}"`;
  program('meshform', `{ echo "$*"; env; ${settings}; } >> '${at('meshform')}'\necho '${report}'`);
  const given = { note: 'true', variables: 'MESHFORM_VAR_SITE', ...inputs };
  const ended = run(job, given, { ...VARIABLES, ...variables });
  expect(ended.status, ended.stderr).toBe(0);
  return (name: string) => readFileSync(at(name), 'utf8');
}

test('git and curl get no meshform variables', () => {
  const got = calls('meshform-plan');
  for (const name of ['git', 'curl']) {
    expect(got(name), name).not.toMatch(/CI_JOB_TOKEN|nbp_|signing|^MESHFORM_(?!NO=y)/m);
  }
  expect(got('git')).toMatch(/-c core\.hooksPath=\/dev\/null .* rev-parse /);
  // The token is not among the arguments, and arrives on standard input.
  expect(got('curl')).not.toContain('glpat');
});

test('only git that connects to a remote gets the token of the job, and its sign-in settings', () => {
  const variables = {
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'none',
    GIT_ASKPASS: '/askpass',
    SSH_AUTH_SOCK: '/agent',
    HTTPS_PROXY: 'http://proxy',
  };
  const inputs = { lock: 'file', variables: 'GIT_ASKPASS SSH_AUTH_SOCK HTTPS_PROXY' };
  const runs = calls('meshform-plan', { inputs, variables })('git').split(/^(?=-c )/m);
  const given = /CI_JOB_TOKEN|GIT_ASKPASS|SSH_AUTH_SOCK|HTTPS_PROXY/;
  const remote = runs.filter(run => / fetch /.test(run));
  expect(remote.map(run => run.match(new RegExp(given, 'g'))?.length)).toEqual([4]);
  const local = runs.filter(run => !remote.includes(run));
  expect(local.length).toBeGreaterThan(1);
  expect(local.filter(run => given.test(run))).toEqual([]);
});

test.each([
  ['meshform-validate', null],
  ['meshform-plan', 'nbp_reader'],
  ['meshform-apply', 'nbp_writer'],
  ['meshform-drift', 'nbp_reader'],
])('%s gets no other token than %s', (job, token) => {
  const variables = calls(job)('meshform');
  const tokens = [...new Set(variables.match(/nbp_\w+|glpat/g) ?? [])];
  expect(tokens).toEqual(token === null ? [] : [token]);
  expect(variables).toContain('MESHFORM_VAR_SITE=berlin');
});

const MOVED = / (?:fetch|push) .*refs\/meshform/;

test('no job fetches or pushes a base, unless the lock is a file', () => {
  for (const job of ['meshform-plan', 'meshform-drift', 'meshform-apply']) {
    const got = calls(job, { inputs: { lock: 'file' } });
    expect(got('git').match(/ (?:fetch|push) --quiet \S+/g), job).toEqual(
      job === 'meshform-apply'
        ? [' fetch --quiet origin', ' push --quiet origin']
        : [' fetch --quiet origin'],
    );
    expect(got('meshform').includes(' --lock file '), job).toBe(job === 'meshform-apply');
  }
  expect(calls('meshform-plan')('git')).not.toMatch(MOVED);
  // No program of git is started at all.
  expect(() => calls('meshform-apply')('git')).toThrow('ENOENT');
});

const PUSH_URL = 'https://robot:gl"pat\\x@gitlab.example.com/network.git';

const REAL_GIT = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();

/** What git, started where the component starts meshform, has as the address to push to, and signs in with there. */
function pushedTo(pushUrl: string, host: string) {
  const { at, program, run } = newProject();
  const settings = `-c "include.path=$GIT_CONFIG_VALUE_0"`;
  const asked = `printf 'protocol=https\\nhost=${host}\\n\\n'`;
  program(
    'meshform',
    `{ '${REAL_GIT}' ${settings} config remote.origin.pushurl; ${asked} | '${REAL_GIT}' ${settings} credential fill; env; } > '${at('meshform')}'`,
  );
  const ended = run('meshform-apply', {}, { MESHFORM_PUSH_URL: pushUrl });
  expect(ended.status, ended.stderr).toBe(0);
  const [address, ...others] = readFileSync(at('meshform'), 'utf8').split('\n');
  return { address, user: others[2], password: others[3], rest: others.slice(4).join('\n') };
}

test.each([
  [PUSH_URL, 'gitlab.example.com', 'robot', 'gl"pat\\x'],
  ['https://a%40b:c%2Fd@h.example:8443/network.git', 'h.example:8443', 'a@b', 'c/d'],
  ['https://glpat@gitlab.example.com/a@b.git', 'gitlab.example.com', 'glpat', ''],
])(
  'git signs in at the address %s, which it has without the token',
  (url, host, user, password) => {
    const got = pushedTo(url, host);
    expect(got).toMatchObject({ user: `username=${user}`, password: `password=${password}` });
    expect(got.address).toBe(url.replace(/\/\/[^/]*@/, '//'));
    expect(got.rest).toMatch(/^GIT_CONFIG_KEY_0=include\.path$/m);
    // No variable has it either: files of desired state can read variables.
    expect(got.rest).not.toMatch(/gl"?pat|robot|c%2Fd/);
  },
);

test('only the apply gets MESHFORM_PUSH_URL', () => {
  const variables = { MESHFORM_PUSH_URL: PUSH_URL };
  for (const job of ['meshform-plan', 'meshform-drift'])
    expect(calls(job, { variables })('meshform')).not.toMatch(/robot|GIT_CONFIG/);
});

test('git settings that the input `variables` names are kept', () => {
  const { program, run, at } = newProject();
  program('meshform', `env > '${at('meshform')}'`);
  const inputs = { variables: 'GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0' };
  const given = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' };
  const variables = { ...given, MESHFORM_PUSH_URL: PUSH_URL };
  expect(run('meshform-apply', inputs, variables).status).toBe(0);
  const got = readFileSync(at('meshform'), 'utf8');
  expect(got).toMatch(/^GIT_CONFIG_COUNT=2$/m);
  expect(got).toMatch(/^GIT_CONFIG_KEY_0=a\.b$/m);
  expect(got).toMatch(/^GIT_CONFIG_KEY_1=include\.path$/m);
});

test('a push address with a line break adds no setting', () => {
  const { program, run } = newProject();
  program('meshform', 'exit 7');
  const variables = { MESHFORM_PUSH_URL: 'x"\n[core]\n\tsshCommand = y' };
  const ended = run('meshform-apply', {}, variables);
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('MESHFORM_PUSH_URL is not an address');
});
