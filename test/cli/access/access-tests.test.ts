// `test` as people type it: access tests in files, judged offline, in every format.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

const NETWORK = `groups:
  - name: on-call
  - name: dba
  - name: payroll
  - name: databases
  - name: gateways
posture_checks:
  - name: recent agent
    checks: { nb_version_check: { min_version: 0.60.0 } }
networks:
  - name: production
    resources:
      - { name: orders-db, address: 10.20.0.5, groups: [databases] }
    routers:
      - { peer_groups: [gateways], metric: 100, masquerade: true }
policies:
  - name: pg
    rules:
      - { name: pg, sources: [on-call], destinations: [databases], protocol: tcp, ports: ["5432"] }
  - name: dba pg
    source_posture_checks: [recent agent]
    rules:
      - { name: pg, sources: [dba], destinations: [databases], protocol: tcp, ports: ["5432"] }
`;
const DB = 'network_resource/production/orders-db';

/** Runs `test` over the network and these tests. */
const judged = (tests: string, ...flags: string[]) =>
  inFolder(async cwd => {
    await write(cwd, { 'net/network.yaml': NETWORK, 'net/tests.yaml': `access_tests:\n${tests}` });
    return meshform(['test', 'net', ...flags], { cwd });
  });

async function write(cwd: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
}

const entry = (fields: Readonly<Record<string, unknown>>) =>
  `  - ${JSON.stringify({ name: 'it', ...fields })}\n`;

test('the access tests of the example pass', async () => {
  const { code, stdout } = await meshform(['test', 'examples/company'], { cwd: ROOT });
  expect(stdout).toMatch(/32 access tests: 32 passed, 0 failed; assumes no undeclared policy\.\n$/);
  expect(code).toBe(0);
});

test('a failed line is printed with its place and the flow or nearest miss, and the exit code is 6', async () => {
  const tests = [
    entry({
      name: 'pg only',
      from: 'group/on-call',
      allow: [`${DB}:tcp/5432`],
      deny: [`${DB}:tcp/22`],
    }),
    entry({ name: 'nobody else', to: `${DB}:tcp/5432`, only_from: ['group/on-call'] }),
    entry({ name: 'ssh', from: 'group/on-call', allow: [`${DB}:tcp/22`] }),
  ];
  const { code, stdout, stderr } = await judged(tests.join(''));
  expect({ code, stderr }).toEqual({ code: 6, stderr: '' });
  expect(stdout).toBe(`PASS  pg only
FAIL  nobody else
      net/tests.yaml:3:94  only_from: network_resource/production/orders-db:tcp/5432 is reached by others
        group/dba (future members) → network_resource/production/orders-db 10.20.0.5  tcp/5432
            policy "dba pg", rule "pg", through group/gateways
              declared at net/network.yaml:23:9
            only with "recent agent": 1 unknown (group/dba)
FAIL  ssh
      net/tests.yaml:4:51  allow: network_resource/production/orders-db:tcp/22 is not reached by all
        group/on-call (future members) ↛ network_resource/production/orders-db 10.20.0.5
            PORT: policy "pg", rule "pg" allows tcp/5432 only
              declared at net/network.yaml:19:9

3 access tests: 1 passed, 2 failed; assumes no undeclared policy.
`);
});

describe('posture checks decide a test line:', () => {
  const allow = { from: 'group/dba', allow: [`${DB}:tcp/5432`] };
  const deny = { from: 'group/dba', deny: [`${DB}:tcp/5432`] };
  const old = { with: { version: '0.59.0', os: 'linux', country: 'DE' } };
  const recent = { with: { version: '0.60.1' } };
  test.each([
    ['what is conditional fails allow', allow, 6],
    ['what is conditional fails deny', deny, 6],
    ['posture: pass satisfies allow', { ...allow, posture: 'pass' }, 0],
    ['posture: pass fails deny', { ...deny, posture: 'pass' }, 6],
    ['an old agent fails allow', { ...allow, ...old }, 6],
    ['an old agent satisfies deny', { ...deny, ...old }, 0],
    ['a recent agent satisfies allow', { ...allow, ...recent }, 0],
    ['a recent agent fails deny', { ...deny, ...recent }, 6],
  ])('%s', async (_, fields, code) => {
    expect((await judged(entry(fields))).code).toBe(code);
  });
});

test('an `allow` line passes only if every port and every destination can be reached', async () => {
  const allow = (selector: string) => judged(entry({ from: 'group/on-call', allow: [selector] }));
  expect((await allow(`${DB}:tcp/5432`)).code).toBe(0);
  expect((await allow('10.20.0.5:tcp/5432')).code).toBe(0);
  expect((await allow(`${DB}:tcp/5432-5433`)).code).toBe(6);
  expect((await allow(DB)).code).toBe(6);
  expect((await allow('group/payroll:tcp/5432')).code).toBe(6);
});

test('JSON and JUnit carry the same verdicts', async () => {
  const tests = `${entry({ from: 'group/payroll', deny: ['all'] })}${entry({ name: 'a & b', from: 'group/payroll', allow: [DB] })}`;
  const json = await judged(tests, '--format', 'json');
  expect(json.code).toBe(6);
  expect(JSON.parse(json.stdout)).toMatchObject({
    format_version: '1.0',
    passed: false,
    assumes: 'assumes no undeclared policy',
    tests: [
      { name: 'it', passed: true, failures: [] },
      {
        name: 'a & b',
        passed: false,
        failures: [{ line: 'allow', selector: DB, misses: [{ code: 'NO_RULE' }] }],
      },
    ],
  });
  const junit = await judged(tests, '--format', 'junit');
  expect(junit.code).toBe(6);
  expect(junit.stdout).toContain(
    '<testsuite name="meshform test" tests="2" failures="1" errors="0" skipped="0">',
  );
  expect(junit.stdout).toContain(
    '<testcase classname="access" name="a &amp; b" file="net/tests.yaml" line="3">',
  );
  expect(junit.stdout).toContain('<failure type="allow" message="net/tests.yaml:3:');
});

test('coverage lists the policies that no test would miss', async () => {
  const one = await judged(
    entry({ from: 'group/on-call', allow: [`${DB}:tcp/5432`] }),
    '--coverage',
  );
  expect(one.stdout).toContain('Coverage: no verdict depends on "dba pg"\n');
  const both = [
    entry({ from: 'group/on-call', allow: [`${DB}:tcp/5432`] }),
    entry({ from: 'group/dba', posture: 'pass', allow: [`${DB}:tcp/5432`] }),
  ];
  const all = await judged(both.join(''), '--coverage');
  expect(all.stdout).toContain('Coverage: every policy decides a verdict.\n');
});

describe('a faulty access test is invalid input, reported with its place:', () => {
  test.each([
    ['- { name: x }', 'ACCESS_TEST_INVALID', 'tests.yaml:2:5'],
    ['- { name: x, from: all }', 'ACCESS_TEST_INVALID', 'tests.yaml:2:5'],
    ['- { name: x, from: all, to: all, deny: [all] }', 'ACCESS_TEST_INVALID', 'tests.yaml:2:5'],
    ['- { name: x, from: all, deny: [nobody] }', 'ACCESS_TEST_INVALID', 'tests.yaml:2:34'],
    ['- { name: x, from: all, deny: ["all:tcp/x"] }', 'ACCESS_TEST_INVALID', 'tests.yaml:2:34'],
    ['- { name: x, from: group/nobody, deny: [all] }', 'ACCESS_TEST_INVALID', 'tests.yaml:2:22'],
    ['- { name: x, from: all, denny: [all] }', 'SCHEMA_UNKNOWN_FIELD', 'tests.yaml:2:27'],
    [
      '- { name: x, from: "group/dba:tcp/22", deny: [all] }',
      'ACCESS_TEST_INVALID',
      'tests.yaml:2:22',
    ],
    [
      '- { name: x, to: all, only_from: ["group/dba:tcp/22"] }',
      'ACCESS_TEST_INVALID',
      'tests.yaml:2:37',
    ],
    [
      '- { name: x, from: all, with: { country: Germany }, deny: [all] }',
      'SCHEMA_FORMAT',
      'tests.yaml:2:44',
    ],
    [
      '- { name: x, from: all, with: { version: latest }, deny: [all] }',
      'SCHEMA_FORMAT',
      'tests.yaml:2:44',
    ],
    [
      '- { name: x, from: all, with: { address: "198.51.100" }, deny: [all] }',
      'SCHEMA_FORMAT',
      'tests.yaml:2:44',
    ],
    ['- { from: all, deny: [all] }', 'SCHEMA_MISSING_FIELD', 'tests.yaml:2:5'],
    ['- { name: x, from: all, deny: all }', 'SCHEMA_TYPE', 'tests.yaml:2:33'],
    ['{ name: x }', 'SCHEMA_TYPE', 'tests.yaml:2:3'],
  ])('%s', async (tests, code, at) => {
    const { code: ended, stderr } = await judged(`  ${tests}\n`);
    expect(ended).toBe(3);
    expect(stderr).toContain(`net/${at} error ${code}`);
  });

  test('validate reports the faults too, except unknown names', () =>
    inFolder(async cwd => {
      const tests = 'access_tests:\n  - { name: x, from: nobody, deny: [all] }\n';
      await write(cwd, { 'network.yaml': `${NETWORK}${tests}` });
      const { code, stdout } = await meshform(['validate'], { cwd });
      expect(code).toBe(3);
      expect(stdout).toContain('ACCESS_TEST_INVALID');
    }));
});

test('the command says if the files have no tests', () =>
  inFolder(async cwd => {
    await write(cwd, { 'network.yaml': NETWORK });
    expect(await meshform(['test'], { cwd })).toEqual({
      code: 0,
      stderr: '',
      stdout: 'No access tests are declared.\n',
    });
  }));

describe('the object that decides a failed line', () => {
  const OFFICES = `sets:
  offices: { hamburg: { port: "80" }, bremen: { port: "81" } }
templates:
  - name: open
    rules:
      - { name: web, sources: [staff], destinations: ["servers"], protocol: tcp, ports: ["\${each.value.port}"] }
groups:
  - name: staff
  - name: servers
policies:
  - name: into \${each.key}
    for_each: offices
    extends: open
  - name: off
    enabled: false
    rules: [{ name: all, sources: [staff], destinations: [servers], protocol: all }]
access_tests:
  - { name: no web, from: group/staff, deny: ["group/servers:tcp/81"] }
  - { name: ssh, from: group/staff, allow: ["group/servers:tcp/22"] }
`;
  const judgedOffices = (...flags: string[]) =>
    inFolder(async cwd => {
      await write(cwd, { 'net/offices.yaml': OFFICES });
      return meshform(['test', 'net', ...flags], { cwd });
    });

  test('is reported with its place in the file, and the entry of for_each', async () => {
    const { stdout } = await judgedOffices();
    expect(stdout).toContain(`            policy "into bremen", rule "web"
              declared at net/offices.yaml:6:9, used at net/offices.yaml:11:5 (for_each "bremen")
`);
    expect(stdout).toMatch(/allows tcp\/8[01] only\n +declared at net\/offices\.yaml:6:9, used at/);
  });

  test('is reported with its place in JSON and JUnit too', async () => {
    const { stdout } = await judgedOffices('--format', 'json');
    const use = { places: [{ line: 11 }], instances: ['bremen'] };
    const at = { file: 'net/offices.yaml', line: 6, column: 9, use };
    expect(JSON.parse(stdout)).toMatchObject({
      tests: [
        { failures: [{ flows: [{ via: [{ policy: 'into bremen', rule: 'web', at }] }] }] },
        {
          failures: [
            { misses: [{ by: { kind: 'policy', rule: 'web' }, at: { line: 6, column: 9 } }] },
          ],
        },
      ],
    });
    const junit = await judgedOffices('--format', 'junit');
    expect(junit.stdout).toContain('declared at net/offices.yaml:6:9, used at');
  });

  test('is reported with its place if the server splits the policy, or if a missing rule decides', async () => {
    const netbird = await judged(
      [
        entry({ name: 'a', to: `${DB}:tcp/5432`, only_from: ['group/on-call'] }),
        entry({ name: 'b', from: 'group/on-call', allow: [`${DB}:tcp/22`] }),
      ].join(''),
      '--dialect',
      'netbird',
    );
    expect(netbird.stdout).toContain('declared at net/network.yaml:23:9');
    expect(netbird.stdout).toContain('declared at net/network.yaml:19:9');
  });

  test('is reported without a place if no file declares it', async () => {
    const { stdout } = await judged(entry({ from: 'group/payroll', allow: [DB] }));
    expect(stdout).toContain('NO_RULE: ');
    expect(stdout).not.toContain('declared at');
  });
});
