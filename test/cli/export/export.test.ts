// `export`, and `plan --adopt report`, as people type them: an account becomes files, and the files stay true to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';

const QUICKSTART = new URL('../../../examples/quickstart', import.meta.url).pathname;
const SECRET = 'a-secret-that-nobody-may-see';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const run = (line: readonly string[], options: CliOptions = {}) =>
  meshform(line, { ...options, env: { ...environmentOf(account), ...options.env } });

const applied = async () => {
  expect((await run(['apply', QUICKSTART, '--yes'])).code).toBe(0);
  const asked = account.requests.length;
  return () => new Set(account.requests.slice(asked).map(({ method }) => method));
};

test('an account becomes a folder that declares it', () =>
  inFolder(async cwd => {
    const methods = await applied();
    const written = await run(['export', '--out', 'net'], { cwd });
    expect(written).toMatchObject({
      code: 0,
      stdout: `Written:
  net/groups.yaml
  net/networks.yaml
  net/policies.yaml
  net/posture_checks.yaml
  net/meshform.yaml
`,
    });
    expect(written.stderr).toContain('note OBJECT_LEFT_OUT\n  Left out: group "All"');
    expect(written.stderr).toMatch(/11 objects exported: 11 new; 2 left out\.\n$/);
    const groups = await readFile(join(cwd, 'net/groups.yaml'), 'utf8');
    expect(groups).toMatch(
      /^# yaml-language-server: \$schema=\.meshform\/desired-state\.schema\.json\n/,
    );
    const project = await readFile(join(cwd, 'net/meshform.yaml'), 'utf8');
    const all = ((await account.call('GET', '/api/groups')) as { id: string; name: string }[]).find(
      ({ name }) => name === 'All',
    );
    expect(project).toContain(`# account: "${all?.id}" `);
    expect(await readdir(join(cwd, 'net/.meshform'))).toEqual(['desired-state.schema.json']);
    expect((await run(['plan', 'net'], { cwd })).stdout).toMatch(/\nNo changes\.\n$/);
    expect(await run(['export', '--check', 'net'], { cwd })).toMatchObject({
      code: 0,
      stdout: 'The files match the account.\n',
    });
    expect(methods()).toEqual(new Set(['GET']));
  }));

test('an existing folder keeps what is unchanged, and gets what is new', () =>
  inFolder(async cwd => {
    await applied();
    const file = join(cwd, 'network.yaml');
    await writeFile(file, await readFile(join(QUICKSTART, 'network.yaml'), 'utf8'));
    expect(
      (await run(['export', '--out', 'network.yaml', '--kinds', 'groups'], { cwd })).stdout,
    ).toBe('Nothing to write.\n');
    await account.call('POST', '/api/groups', { name: 'newcomers' });
    const before = await readFile(file, 'utf8');
    const check = await run(['export', '--check', 'network.yaml'], { cwd });
    expect(check.code).toBe(2);
    expect(check.stdout).toContain('1 group: "newcomers"');
    expect((await run(['export', '--out', 'network.yaml'], { cwd })).stdout).toBe(
      'Written:\n  network.yaml\n',
    );
    const after = await readFile(file, 'utf8');
    const lines = before.split('\n');
    expect(after.split('\n').filter(line => !lines.includes(line))).toEqual([
      '  - name: newcomers',
      '  - name: Default',
      expect.stringContaining('description: '),
      '      - name: Default',
      expect.stringContaining('description: '),
      '        bidirectional: true',
      '        protocol: all',
      '        sources: [All]',
      '        destinations: [All]',
    ]);
    expect((await run(['export', '--check', 'network.yaml'], { cwd })).code).toBe(0);
  }));

test('a declared object that the account no longer has stays, and is reported', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'groups.yaml'), 'groups:\n  - name: gone\n');
    const { code, stderr } = await run(['export', '--out', '.', '--kinds', 'group'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('groups.yaml:2:5 warning OBJECT_NOT_THERE');
    const check = await run(['export', '--check', '.', '--kinds', 'group'], { cwd });
    expect(check).toMatchObject({ code: 2 });
    expect(check.stdout).toContain('1 missing from the account');
  }));

test('faulty or ambiguous files are left as they are', () =>
  inFolder(async cwd => {
    const text = 'networks:\n  - name: n\n';
    await writeFile(join(cwd, 'n.yaml'), text);
    for (const description of ['one', 'other'])
      await account.call('POST', '/api/networks', { name: 'n', description });
    const ended = await run(['export', '--out', '.'], { cwd });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('n.yaml:2:5 warning OBJECT_AMBIGUOUS');
    expect(await readFile(join(cwd, 'n.yaml'), 'utf8')).toBe(text);
    const files = await readdir(cwd);
    await writeFile(join(cwd, 'other.yaml'), 'groups: 7\n');
    expect((await run(['export', '--out', '.'], { cwd })).code).toBe(3);
    expect(await readdir(cwd)).toEqual([...files, 'other.yaml'].sort());
    expect(await readFile(join(cwd, 'n.yaml'), 'utf8')).toBe(text);
  }));

test('no file is written if one file cannot be written', () =>
  inFolder(async cwd => {
    await applied();
    await mkdir(join(cwd, 'net/policies.yaml/in-the-way'), { recursive: true });
    const ended = await run(['export', '--out', 'net'], { cwd });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('nothing was written');
    expect(await readdir(join(cwd, 'net'))).toEqual(['policies.yaml']);
  }));

test('an export of some kinds or names is printed on stdout', async () => {
  await applied();
  const { stdout, code } = await run([
    'export',
    '--only',
    'network_resource/office/wiki',
    '--only',
    'group/laptops',
  ]);
  expect({ stdout, code }).toEqual({
    code: 0,
    stdout: `# yaml-language-server: $schema=.meshform/desired-state.schema.json

groups:
  - name: laptops

networks:
  - name: office
    description: The server room
    resources:
      - name: wiki
        address: wiki.office.internal
        groups: [office-services]
`,
  });
});

test.each([
  [['--only', 'group/nobody'], 3, 'no objects that match `group/nobody`'],
  [['--kinds', 'grops'], 64, 'unknown kind `grops`'],
  [['--check', '.', '--out', '-'], 64, 'cannot be combined with `--out`'],
])('%j ends with exit code %i and says why', async (flags, code, words) => {
  const ended = await run(['export', ...flags]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(words);
});

test('names that match no object suggest similar names', { tags: 'variation' }, async () => {
  await applied();
  for (const [written, suggested] of [
    ['group/laptop', 'group/laptops'],
    ['network/off', 'network/office'],
    ['network_resource/office/wik', 'network_resource/office/wiki'],
  ] as const) {
    const { code, stderr } = await run(['export', '--only', written]);
    expect(code).toBe(3);
    expect(stderr).toContain(`did you mean \`${suggested}\`?`);
  }
});

test('a kind that the account does not offer is a warning, and is not treated as empty', async () => {
  await applied();
  await account.fault({
    method: 'GET',
    path: '/api/posture-checks',
    effect: 'status',
    status: 403,
  });
  const { code, stdout, stderr } = await run(['export', '--kinds', 'policies,posture_checks']);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'warning KIND_UNAVAILABLE\n  the server does not return its posture checks',
  );
  expect(stdout).toContain('Left out: policy "laptops use the office"');
  expect(stdout).toContain('  - name: laptops ping gateways\n');
});

test('a declaration that cannot be changed is reported, and all others are changed', () =>
  inFolder(async cwd => {
    const text = `networks:
  - name: m
    description: &words ours
  - name: n
    description: *words
`;
    await writeFile(join(cwd, 'n.yaml'), text);
    await account.call('POST', '/api/networks', { name: 'm', description: 'theirs' });
    await account.call('POST', '/api/networks', { name: 'n', description: 'theirs' });
    const { code, stderr } = await run(['export', '--out', '.', '--kinds', 'network'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('n.yaml:3:25 warning OBJECT_STUCK');
    expect(await readFile(join(cwd, 'n.yaml'), 'utf8')).toBe(text.replace('*words', 'theirs'));
  }));

test('a secret becomes a variable in the files, and its value is written nowhere', () =>
  inFolder(async cwd => {
    const provider = { type: 'oidc', name: 'staff', issuer: 'https://login.example.com' };
    await account.call('POST', '/api/identity-providers', {
      ...provider,
      client_id: 'overlay',
      client_secret: SECRET,
    });
    const { stdout, stderr } = await run(['export'], { cwd });
    expect(stdout).toContain('client_secret: ${env:IDENTITY_PROVIDER_STAFF_CLIENT_SECRET}');
    expect(stdout + stderr).not.toContain(SECRET);
    await run(['export', '--out', 'net'], { cwd });
    const plan = await run(['plan', 'net'], { cwd });
    // The account has the value, and nothing that the plan writes needs it.
    expect(plan.stderr).not.toContain('IDENTITY_PROVIDER_STAFF_CLIENT_SECRET');
    expect(plan.stdout).toMatch(/\nNo changes\.\n$/);
  }));

test('plan --adopt report says what matches and why, and makes no plan', async () => {
  await applied();
  const { code, stdout } = await run(['plan', QUICKSTART, '--adopt', 'report']);
  expect(code).toBe(0);
  expect(stdout).toContain('  name         group.gateways');
  expect(stdout).toContain('  natural key  network_router.office/gateways');
  expect(stdout).toMatch(/\n10 matched, 0 of them differ; 0 ambiguous, 0 similar, 0 new\.\n$/);
  const json = await run(['plan', QUICKSTART, '--adopt', 'report', '--format', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ format_version: '1.0', doubts: [], fresh: [] });
});

test('adopting an account with an enabled Default reports once that other policies between machines change nothing', () =>
  inFolder(async cwd => {
    const policies = ['ssh', 'web'].map(
      name =>
        `  - { name: ${name}, rules: [{ name: ${name}, sources: [a], destinations: [b], protocol: tcp, ports: ["22"] }] }\n`,
    );
    await writeFile(
      join(cwd, 'net.yaml'),
      `groups: [{ name: a }, { name: b }]\npolicies:\n${policies.join('')}`,
    );
    const none = await run(['export'], { cwd });
    expect(none.stderr).not.toContain('POLICY_ALLOWS_ALL');
    expect((await run(['apply', 'net.yaml', '--yes'], { cwd })).code).toBe(0);
    const note =
      'note POLICY_ALLOWS_ALL\n  policy `Default` lets every machine reach every other machine, regardless of what `ssh` and 1 more allow\n';
    for (const words of [
      ['export', '--out', 'net'],
      ['export', '--check', 'net'],
      ['plan', 'net', '--adopt', 'report'],
    ]) {
      const { stderr } = await run(words, { cwd });
      expect(stderr.split(note)).toHaveLength(2);
    }
  }));

test('export prints the same if it runs as a separate process', { tags: 'variation' }, async () => {
  await applied();
  const { stdout } = await run(['export']);
  const child = spawn(process.execPath, [LAUNCHER, 'export'], {
    env: { ...process.env, ...environmentOf(account) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect({ said, code }).toEqual({ said: stdout, code: 0 });
});

test('objects that --except names stay out of files, with their children', () =>
  inFolder(async cwd => {
    await applied();
    const { code, stdout } = await run([
      'export',
      '--except',
      'network/*',
      '--except',
      'group/gateways',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('policies:');
    expect(stdout).not.toMatch(/networks:|resources:|- name: gateways$/m);
    const only = await run(['export', '--only', 'group/*', '--except', 'group/gateways']);
    expect(only.stdout).toContain('groups:');
    expect(only.stdout).not.toMatch(/policies:|- name: gateways$/m);
    const unknown = await run(['export', '--except', 'group/nobody'], { cwd });
    expect(unknown).toMatchObject({ code: 3 });
    expect(unknown.stderr).toContain('`group/nobody`');
  }));
