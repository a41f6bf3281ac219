// Names that every object inherits, such as `__proto__` and `constructor`, are names like any other wherever people and
// servers choose names: they are found only if they are there.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { fc } from '../support/seeded.ts';

const NAMES = Object.getOwnPropertyNames(Object.prototype);

const channel = (address: string) =>
  `notification_channels: [{ type: webhook, target: { url: '${address}' }, event_types: [peer.add] }]\n`;

/** Desired state with a name in it, and whether it can be planned. */
const FILES: Readonly<Record<string, readonly [(name: string) => string, isValid: boolean]>> = {
  'every name of an object': [
    name => `groups: [{ name: ${name} }, { name: others }]
policies:
  - name: ${name}
    rules: [{ name: ${name}, protocol: all, sources: [${name}], destinations: [${name}] }]
networks:
  - name: ${name}
    resources: [{ name: ${name}, address: 10.0.0.0/24, groups: [others] }]
    routers: [{ peer_groups: [${name}], masquerade: false, metric: 1 }]
setup_keys: [{ name: ${name}, type: reusable, expires_in: 86400, auto_groups: [${name}] }]
routes: [{ network_id: ${name}, network: 10.1.0.0/24, peer_groups: [${name}], groups: [${name}], masquerade: false, keep_route: false, metric: 100 }]
access_tests: [{ name: ${name}, from: group/${name}, allow: [group/${name}] }]
`,
    true,
  ],
  'a reference': [name => `groups: [{ name: a, peers: [${name}] }]\n`, false],
  'a kind': [name => `groups: [{ name: a }]\n${name}: [{ name: a }]\n`, false],
  'a field': [name => `groups: [{ name: a, ${name}: 1 }]\n`, false],
  'a lifecycle setting': [name => `groups: [{ name: a, lifecycle: { ${name}: 1 } }]\n`, false],
  'a former name': [name => `groups: [{ name: a, lifecycle: { was: ${name} } }]\n`, true],
  'an ignored field': [name => `groups: [{ name: a, lifecycle: { ignore: [${name}] } }]\n`, false],
  'a variable': [name => `groups: [{ name: 'a\${var:${name}}' }]\n`, false],
  'an environment variable': [name => channel(`https://a.example.com/\${env:${name}}`), false],
  'a whole secret': [name => channel(`\${env:${name}}`), false],
  'a file': [name => channel(`https://a.example.com/\${file:${name}}`), false],
  'a choice': [
    name =>
      `groups: [{ name: a }]\npolicies: [{ name: p, rules: [{ name: r, protocol: ${name}, sources: [a], destinations: [a] }] }]\n`,
    false,
  ],
  'a key of an access test': [name => `access_tests: [{ name: a, ${name}: 1 }]\n`, false],
  'a selector': [name => `access_tests: [{ name: a, from: ${name}/x, allow: [x] }]\n`, false],
};

const PROJECTS: Readonly<Record<string, (name: string) => string>> = {
  'a setting': name => `${name}: 1\n`,
  'a place of a threshold': name => `thresholds: { ${name}: { deletes: 1 } }\n`,
  'a limit': name => `thresholds: { default: { ${name}: 1 } }\n`,
  'a kind to protect': name => `protect: ['${name}/a']\n`,
  'a guarded target': name => `guarded: ['${name}/a']\n`,
  'a dialect': name => `dialect: ${name}\n`,
};

const FLAGS: Readonly<Record<string, (name: string) => readonly string[]>> = {
  'a selected object': name => ['plan', 'network', '--only', `group/${name}`],
  'a selected kind': name => ['plan', 'network', '--kinds', name],
  'an excepted object': name => ['plan', 'network', '--except', `${name}/${name}`],
  'a rotated object': name => ['plan', 'network', '--rotate', `group/${name}`],
  'a forgotten object': name => ['plan', 'network', '--forget', `group/${name}`],
  'a format': name => ['plan', 'network', '--format', name],
  'a place for secrets': name => ['apply', 'network', '--secrets-to', name],
  'an explained kind': name => ['explain', name],
  'an explained field': name => ['explain', `group.${name}`],
  'an operation': name => ['api', 'describe', name],
  'a parameter': name => ['api', 'call', 'listGroups', '--param', `${name}=1`],
  'a command': name => [name],
};

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount({ seed: 1 });
});
afterAll(() => account.close());

/** Runs a command beside these files; no run may end with an internal error or show what an object inherits. */
function ran(argv: readonly string[], files: Readonly<Record<string, string>>) {
  return inFolder(async cwd => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), text);
    }
    const ended = await meshform(argv, { env: environmentOf(account), cwd });
    expect(ended.stdout + ended.stderr).not.toMatch(/unexpected error|native code|\[object /);
    return ended;
  });
}

const name = fc.constantFrom(...NAMES);
const GROUPS = 'groups: [{ name: a }]\n';

test.each(Object.entries(FILES))(
  'a file with %s is evaluated as with any other name',
  async (_, [text, isValid]) => {
    for (const drawn of ['__proto__', 'constructor', 'anything']) {
      const { code, stdout, stderr } = await ran(['plan', 'network'], {
        'network/a.yaml': text(drawn),
      });
      expect(code, stdout + stderr).toBe(isValid ? 0 : 3);
    }
  },
);

test('names in files are evaluated as any other name', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(FILES)),
      name,
      fc.constantFrom('plan', 'drift', 'graph'),
      async ([text, isValid], drawn, command) => {
        const { code } = await ran([command, 'network'], { 'network/a.yaml': text(drawn) });
        if (command === 'plan') expect(code).toBe(isValid ? 0 : 3);
      },
    ),
    { numRuns: 60 },
  ));

test('names in project files are evaluated as any other name', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.values(PROJECTS)), name, async (text, drawn) => {
      const files = { 'network/a.yaml': GROUPS, 'network/meshform.yaml': text(drawn) };
      expect(await ran(['plan', 'network'], files)).toMatchObject({ code: 3 });
    }),
    { numRuns: 30 },
  ));

test('names on the command line are evaluated as any other name', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.values(FLAGS)), name, async (argv, drawn) => {
      const { code } = await ran(argv(drawn), { 'network/a.yaml': GROUPS });
      expect([3, 64]).toContain(code);
    }),
    { numRuns: 40 },
  ));
