// Variables of whoever starts a pipeline: those that no input names reach no program, and those that choose what the runner checks
// out end the job.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { INPUTS, newProject, SHELLS } from './component.ts';

/** Variables that would choose what a program runs, whom it calls or what it believes. */
const HOSTILE = {
  BASH_ENV: '/builds/x.tmp/SCRIPT',
  ENV: '/builds/x.tmp/SCRIPT',
  CURL_HOME: '/builds/x.tmp',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.sshCommand',
  GIT_CONFIG_VALUE_0: 'sh -c id',
  GIT_EXEC_PATH: '/builds/x',
  GIT_SSH_COMMAND: 'sh -c id',
  GIT_ASKPASS: '/builds/x/askpass',
  HTTPS_PROXY: 'http://evil.example.com',
  https_proxy: 'http://evil.example.com',
  LD_LIBRARY_PATH: '/builds/x',
  NODE_EXTRA_CA_CERTS: '/builds/x.tmp/AUTHORITY',
  NODE_OPTIONS: '--import=data:text/javascript,1',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  SSH_AUTH_SOCK: '/builds/x/agent',
  SSL_CERT_FILE: '/builds/x.tmp/AUTHORITY',
  XDG_CONFIG_HOME: '/builds/x',
  npm_config_userconfig: '/builds/x/npmrc',
  MESHFORM_SIGNING_KEY: 'a key of somebody who forged a base',
  MESHFORM_FINGERPRINT_KEY: 'a key of somebody else',
  MESHFORM_SOPS_ALLOW: 'hc_vault=https://evil.example.com',
  MESHFORM_NOTIFY_URL: 'https://evil.example.com',
  MESHFORM_VAR_SITE: 'elsewhere',
  MESHFORM_WRITER_OF_OTHERS: 'nbp_other',
  VAULT_TOKEN: 'hvs.secret',
  // Names that the script itself might use.
  name: 'a',
  value: 'b',
  word: 'c',
  ordinary: ' NODE_OPTIONS ',
  code: '7',
  kept: '/builds',
  // Its lines look as if a shell had listed variables.
  LINES: "x\nexport PATH='/builds'\ndeclare -x HOME=\"/builds\"\nexport 'B C'=1\nexport 9=1",
};

type Given = Readonly<Record<string, string>>;

interface Started {
  readonly shell?: string | undefined;
  readonly inputs?: Given;
  readonly variables?: Given;
}

/** Runs a job, and answers with which variables each program was started. */
function started(job: string, { shell, inputs = {}, variables = {} }: Started) {
  const { at, program, run } = newProject(shell);
  const report = '<!-- meshform {"report":"plan"} -->';
  const noted = (name: string) => `{ env; echo; } >> '${at(name)}'`;
  for (const name of ['git', 'curl', 'jq', 'sed', 'mktemp', 'head'])
    program(
      name,
      `${noted(name)}\n${existsSync(`/usr/bin/${name}`) ? `exec /usr/bin/${name} "$@"` : ''}`,
    );
  for (const name of ['git', 'curl', 'jq']) program(name, `${noted(name)}\ncat > /dev/null`);
  program('meshform', `${noted('meshform')}\necho '${report}'`);
  const ended = run(
    job,
    { note: 'true', ...inputs },
    { MESHFORM_NOTES_TOKEN: 'glpat', ...variables },
  );
  const variablesOf = (name: string) =>
    existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n') : null;
  return { ...ended, variablesOf };
}

const JOBS = ['meshform-validate', 'meshform-plan', 'meshform-apply', 'meshform-drift'];
const PROGRAMS = ['meshform', 'git', 'curl', 'jq', 'sed', 'mktemp', 'head'];

test.each(SHELLS.flatMap(shell => JOBS.map(job => [job, shell] as const)))(
  'no program of %s gets a variable that no input names, in %s',
  (job, shell) => {
    const { status, stderr, variablesOf } = started(job, { shell, variables: HOSTILE });
    expect(status, stderr).toBe(0);
    expect(variablesOf('meshform')).not.toBeNull();
    for (const program of PROGRAMS) {
      const lines = variablesOf(program) ?? [];
      const got = Object.keys(HOSTILE).filter(name =>
        lines.some(line => line.startsWith(`${name}=`)),
      );
      expect(got, program).toEqual([]);
    }
  },
);

test('variables that the input names reach meshform, and git and curl get those of a connection', () => {
  const inputs = {
    variables: 'MESHFORM_SIGNING_KEY  VAULT_TOKEN HTTPS_PROXY SSL_CERT_FILE PATH',
    // Then the job itself reaches the Git remote.
    lock: 'file',
  };
  const { status, variablesOf } = started('meshform-plan', { inputs, variables: HOSTILE });
  expect(status).toBe(0);
  const named = (program: string) =>
    inputs.variables
      .split(/ +/)
      .filter(name => variablesOf(program)?.some(line => line.startsWith(`${name}=`)));
  expect(named('meshform')).toEqual(inputs.variables.split(/ +/));
  for (const program of ['git', 'curl'])
    expect(named(program), program).toEqual(['HTTPS_PROXY', 'SSL_CERT_FILE', 'PATH']);
  expect(named('jq')).toEqual(['PATH']);
});

test('the input `variables` accepts only names', () => {
  const pattern = new RegExp(INPUTS.variables?.regex ?? '');
  for (const names of ['', 'A', 'MESHFORM_VAR_SITE https_proxy'])
    expect(pattern.test(names), names).toBe(true);
  for (const names of ['A=b', '$(id)', 'A\nB', 'A;B', '*', '-x', '9A'])
    expect(pattern.test(names), names).toBe(false);
});

test.each(SHELLS)('programs and settings of the checkout are not used, in %s', shell => {
  const { at, program, run } = newProject(shell);
  const called = (name: string) => `echo ${name} >> '${at('calls')}'\ncat > /dev/null`;
  program('meshform', called('meshform'));
  mkdirSync(at('checkout/tools'));
  for (const name of ['meshform', 'git', 'mktemp'])
    writeFileSync(at('checkout/tools', name), `#!/bin/sh\n${called('planted')}\n`, { mode: 0o755 });
  const folders = ['tools', at('checkout/tools'), '/proc/self/cwd/tools', '.', ''];
  const path = [...folders, at('bin'), process.env.PATH].join(':');
  const { status, stderr } = run('meshform-drift', {}, { PATH: path });
  expect(status, stderr).toBe(0);
  expect(readFileSync(at('calls'), 'utf8')).toBe('meshform\n');
  for (const HOME of [at('checkout/tools'), '/proc/self/cwd', 'tools']) {
    const refused = run('meshform-drift', {}, { HOME });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('Error: HOME is a folder of the checkout');
  }
  const scratch = run('meshform-drift', {}, { TMPDIR: at('checkout/tools') });
  expect(scratch.status).toBe(1);
  expect(scratch.stderr).toContain('Error: TMPDIR is a folder of the checkout');
});

test.each(
  SHELLS.flatMap(shell =>
    [
      '',
      ':',
      '.',
      './',
      'tools',
      'CHECKOUT',
      'CHECKOUT/',
      'CHECKOUT:',
      'LINK',
      '/proc/self/cwd',
      '/dev/null',
    ].map(path => [path, shell] as const),
  ),
)('the job ends before it starts a program with the PATH "%s", in %s', (path, shell) => {
  const { at, run } = newProject(shell);
  for (const name of ['sed', 'rm', 'mkdir', 'mktemp', 'git', 'meshform', 'cat'])
    writeFileSync(at('checkout', name), `#!/bin/sh\necho ${name} >> '${at('calls')}'\n`, {
      mode: 0o755,
    });
  symlinkSync(at('checkout'), at('link'));
  const PATH = path.replace('CHECKOUT', at('checkout')).replace('LINK', at('link'));
  const { status, stderr } = run('meshform-apply', {}, { PATH });
  expect(existsSync(at('calls'))).toBe(false);
  expect(stderr).toContain('Error: PATH has no folder outside of the checkout.');
  expect(status).toBe(1);
});

test.each(SHELLS)(
  'folders in PATH are replaced by their real paths, and others removed, in %s',
  shell => {
    const { at, program, run } = newProject(shell);
    program('meshform', `echo "$PATH" > '${at('path')}'`);
    mkdirSync(at('a:checkout'));
    symlinkSync(at('a:checkout'), at('link'));
    const given = [
      '/proc/self/cwd/../bin',
      at('link'),
      at('missing'),
      '',
      at('bin'),
      '/usr/bin',
      '/bin',
    ];
    const { status, stderr } = run('meshform-drift', {}, { PATH: given.join(':') });
    expect(status, stderr).toBe(0);
    const real = [at('bin'), at('bin'), '/usr/bin', '/bin'].map(folder => realpathSync(folder));
    expect(readFileSync(at('path'), 'utf8').trim()).toBe(real.join(':'));
  },
);

const TEXTS = [
  'MESHFORM_URL=x',
  'MESHFORM_PATH',
  'UID=1',
  'PPID=1',
  'PATH=/evil',
  'set=1',
  'IFS=x',
];

test.each(
  someOf(
    SHELLS.flatMap(shell => TEXTS.map(text => [text, shell] as const)),
    3,
  ),
)('a commit message with the line `export %s` changes nothing, in %s', (text, shell) => {
  for (const message of [`Fix\n\nexport ${text}`, `It's "x\ndeclare -x ${text}\n`]) {
    const variables = { CI_COMMIT_MESSAGE: message, NODE_OPTIONS: message };
    const { status, stderr, variablesOf } = started('meshform-apply', { shell, variables });
    expect(status, stderr).toBe(0);
    const got = variablesOf('meshform') ?? [];
    expect(got).toContain('MESHFORM_URL=https://api.example.com');
    expect(got.filter(line => /^(?:CI_COMMIT|NODE_OPT|export|declare)/.test(line))).toEqual([]);
  }
});

/** Names that the script uses while it reads the list of variables. */
const OWN_NAMES = [
  'name',
  'value',
  'word',
  'folder',
  'folders',
  'here',
  'ordinary',
  'lined',
  'newline',
  'listed',
];

test.each(SHELLS.flatMap(shell => OWN_NAMES.map(name => [name, shell] as const)))(
  'a file named like the variable %s of the script starts nothing, in %s',
  (name, shell) => {
    const { at, program, run } = newProject(shell);
    program('meshform', 'cat > /dev/null');
    mkdirSync(at('checkout/tools'));
    const planted = `#!/bin/sh\necho planted >> '${at('calls')}'\n`;
    for (const file of ['=1', '=name', '=value', '=word', `=${name}`, '1', name])
      writeFileSync(at('checkout/tools', file), planted, { mode: 0o755 });
    const path = [at('checkout/tools'), at('bin'), process.env.PATH].join(':');
    const text = `x\nexport ${name}=1\nexport ${name}=\ndeclare -x ${name}="1"`;
    const { status, stderr } = run('meshform-drift', {}, { PATH: path, TEXT: text });
    expect(status, stderr).toBe(0);
    expect(existsSync(at('calls'))).toBe(false);
  },
);

test.runIf(SHELLS.includes('bash'))('bash options from a variable end the job', () => {
  const variables = { SHELLOPTS: 'allexport', PS4: '' };
  const { status, stderr, variablesOf } = started('meshform-apply', { shell: 'bash', variables });
  expect(status).toBe(1);
  expect(stderr).toContain('SHELLOPTS');
  expect(variablesOf('meshform')).toBeNull();
});

test.each([
  ['GIT_STRATEGY', 'none'],
  ['GIT_STRATEGY', 'empty'],
  ['GIT_CHECKOUT', 'false'],
  ['GIT_CLEAN_FLAGS', 'none'],
  ['GIT_CLEAN_FLAGS', '-ffdx -e network/'],
])(
  'the job ends with %s=%s, because the checkout may have files of another pipeline',
  (name, value) => {
    const { status, stderr, variablesOf } = started('meshform-apply', {
      variables: { [name]: value },
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`Error: with the variable ${name}, the checkout may have files that`);
    expect(variablesOf('meshform')).toBeNull();
  },
);

test.each([
  ['GIT_STRATEGY', 'clone'],
  ['GIT_STRATEGY', 'fetch'],
  ['GIT_CHECKOUT', 'true'],
])('%s=%s is accepted as a variable', (name, value) => {
  expect(started('meshform-apply', { variables: { [name]: value } }).status).toBe(0);
});

test('an image or an environment that a variable could choose is refused', () => {
  for (const name of ['image', 'environment']) {
    const pattern = new RegExp(INPUTS[name]?.regex ?? '');
    expect(pattern.test('registry.example.com/network/meshform@sha256:0123'), name).toBe(true);
    expect(pattern.test('$CI_REGISTRY_IMAGE/meshform'), name).toBe(false);
  }
});
