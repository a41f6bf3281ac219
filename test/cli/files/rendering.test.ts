// `render`: what it prints declares the same, says where each value is written, and shows no secret.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const OFFICES = {
  'network/offices.yaml': `
sets:
  offices:
    hamburg: { net: 10.1.0.0/16 }
    bremen: { net: 10.2.0.0/16, ports: ["8443"] }
`,
  'network/network.yaml': `
templates:
  - { name: closed, lifecycle: { protect: true } }
groups: [{ name: employees }, { name: "\${each.key}", for_each: offices }]
networks:
  - name: \${office.key}
    for_each: offices
    as: office
    extends: closed
    resources: [{ name: "net of \${office.key}", address: "\${office.value.net}", groups: ["\${office.key}"] }]
policies:
  - name: into \${each.key}
    for_each: offices
    description: \${var:TEAM} owns $\${each.key}
    rules: [{ name: web, protocol: tcp, ports: "\${each.value.ports:-[\\"443\\"]}", sources: [employees], destinations: ["\${each.key}"] }]
`,
};
const TESTS = `
access_tests:
  - { name: web, from: group/employees, deny: ["group/hamburg:tcp/22"] }
`;

type Run = (...argv: readonly string[]) => Promise<Ended>;

const within = (
  files: Readonly<Record<string, string>>,
  use: (
    run: Run,
    write: (files: Readonly<Record<string, string>>) => Promise<void>,
  ) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> =>
  inFolder(async cwd => {
    const write = async (all: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(all)) {
        await mkdir(dirname(join(cwd, name)), { recursive: true });
        await writeFile(join(cwd, name), text);
      }
    };
    await write(files);
    await use((...argv) => meshform(argv, { cwd, env }), write);
  });

test('rendered files declare the same objects, and render to the same text again', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await within(
    OFFICES,
    async (run, write) => {
      const applied = await run('apply', 'network', '--yes', '--var', 'TEAM=web');
      expect(applied.code, applied.stderr).toBe(0);
      const { stdout, stderr, code } = await run('render', 'network', '--var', 'TEAM=web');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('description: "web owns $${each.key}"');
      await write({ 'rendered/all.yaml': stdout });
      const plan = await run('plan', 'rendered');
      expect(plan.stdout).toContain('No changes.');
      expect((await run('render', 'rendered')).stdout).toBe(stdout);
      const json = await run('render', 'network', '--var', 'TEAM=web', '--format', 'json');
      await write({ 'rendered/all.yaml': json.stdout });
      expect((await run('render', 'rendered')).stdout).toBe(stdout);
    },
    environmentOf(account),
  );
});

test('render states where each value is written, and what uses it', () =>
  within({ ...OFFICES, 'network/tests.yaml': TESTS }, async run => {
    const { stdout } = await run('render', '--origin', 'network', '--var', 'TEAM=web');
    const lines = stdout.split('\n').map(line => line.trim());
    expect(lines).toContain(
      'address: 10.2.0.0/16  # network/offices.yaml:5:20, used at network/network.yaml:10:58 (for_each "bremen")',
    );
    expect(lines).toContain('- "group/hamburg:tcp/22"  # network/tests.yaml:3:48');
    expect(lines).toContain(
      'protect: true  # network/network.yaml:3:43, used at network/network.yaml:6:5 (for_each "hamburg")',
    );
    const json = await run(
      'render',
      '--origin',
      'network',
      '--format',
      'json',
      '--var',
      'TEAM=web',
    );
    const { desired, origins } = JSON.parse(json.stdout);
    expect(desired.networks[1].resources[0].address).toBe('10.2.0.0/16');
    expect(origins['/networks/1/resources/0/address']).toEqual({
      file: 'network/offices.yaml',
      line: 5,
      column: 20,
      use: {
        places: [{ file: 'network/network.yaml', line: 10, column: 58 }],
        instances: ['bremen'],
      },
    });
    expect(origins['/networks/1']).toMatchObject({ line: 6, use: { instances: ['bremen'] } });
  }));

const CHANNEL = (target: string) => `
notification_channels:
  - { type: webhook, enabled: true, event_types: [user.join], target: ${target} }
`;

test('render masks an address that is written in the files, and a plan refuses to read the mask', () =>
  within(
    {
      'network/a.yaml': CHANNEL(
        '{ url: "https://hooks.example.com/T0KEN/x", headers: { X-A: "${env:A}" } }',
      ),
    },
    async (run, write) => {
      const { stdout, stderr, code } = await run('render', 'network');
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain('T0KEN');
      expect(stdout).toContain('url: "https://hooks.example.com/***"');
      expect(stdout).toContain('X-A: "${env:A}"');
      expect(stderr).toContain('network/a.yaml:3:78 note RENDER_MASKED');
      await write({ 'rendered/all.yaml': stdout });
      const again = await run('plan', 'rendered');
      expect(again.code).toBe(3);
      expect(again.stderr).toContain('SECRET_LITERAL');
      expect(again.stderr).toContain('this is the mask that replaces a secret in output');
    },
  ));

test('render masks an address that only looks like a reference', () =>
  within(
    { 'network/a.yaml': CHANNEL('{ url: "https://hooks.example.com/T0KEN/$${env:A}" }') },
    async run => {
      const { stdout, stderr } = await run('render', 'network');
      expect(stdout).toContain('url: "https://hooks.example.com/***"');
      expect(stderr).toContain('RENDER_MASKED');
      expect(stdout + stderr).not.toContain('T0KEN');
    },
  ));

test('render masks values that are read from files of another layer', () =>
  within(
    {
      'common/a.yaml': CHANNEL(
        '{ url: "https://hooks.example.com/", headers: { X-A: "${file:token.txt}" } }',
      ),
      'common/token.txt': 'T0KEN',
      'site/b.yaml': 'groups: [{ name: a }]\n',
    },
    async (run, write) => {
      const { stdout, stderr } = await run('render', 'common', 'site');
      expect(stdout).toContain('X-A: "*** (file:token.txt of ../common)"');
      expect(stdout).toContain('- name: a');
      expect(stderr).toContain('`${file:token.txt}` is looked up in the layer `../common`');
      await write({ 'rendered/all.yaml': stdout });
      expect((await run('validate', 'rendered')).stdout).toContain('SECRET_LITERAL');
      const own = await run('render', 'common');
      expect(own.stdout).toContain('X-A: "${file:token.txt}"');
    },
  ));

test('render prints nothing if the files have errors', () =>
  within({ 'network/a.yaml': 'groups: [{ name: a, extends: b }]\n' }, async run => {
    const { code, stdout, stderr } = await run('render', 'network');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('TEMPLATE_UNKNOWN');
  }));

test('render keeps empty lists, with their places, in the same order wherever they are declared', () =>
  within(
    {
      'network/a.yaml': 'policies: []\nnetworks: [{ name: a, routers: [], resources: [] }]\n',
      'network/b.yaml': 'dns: { zones: [] }\ngroups: []\nusers: []\n---\nusers: []\n',
    },
    async (run, write) => {
      const { stdout, code } = await run('render', 'network', '--origin');
      expect(code).toBe(0);
      expect(stdout).toBe(`groups: []  # network/b.yaml:2:9
networks:
  - name: a  # network/a.yaml:2:20
    resources: []  # network/a.yaml:2:47
    routers: []  # network/a.yaml:2:32
dns:
  zones: []  # network/b.yaml:1:15
users: []  # network/b.yaml:3:8
policies: []  # network/a.yaml:1:11
`);
      await write({ 'rendered/all.yaml': stdout });
      expect((await run('render', 'rendered')).stdout).toBe(stdout.replaceAll(/ {2}#.*/g, ''));
    },
  ));
