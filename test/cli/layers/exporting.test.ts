// An export into the last layer edits no other layer.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectCode, teams } from '../bases/teams.ts';

vi.setConfig({ testTimeout: 60_000 });

const BASE = `groups:
  - name: staff
posture_checks:
  - { name: c, description: a, checks: { nb_version_check: { min_version: 0.60.0 } } }
`;
const PROD = 'groups:\n  - name: on-call\n';

test('an export does not edit objects of another layer', () =>
  teams(async ({ commit, run, id, account, cwd }) => {
    await commit({
      'base/groups.yaml': BASE,
      'prod/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n`,
      'prod/groups.yaml': PROD,
    });
    expectCode(await run(['apply', 'prod', '--yes']), 0);
    const [check] = (await account.call('GET', '/api/posture-checks')) as unknown as {
      id: string;
    }[];
    await account.call('PUT', `/api/posture-checks/${check?.id}`, {
      ...check,
      description: 'b',
    } as never);
    const checked = await run(['export', '--check', 'prod']);
    expectCode(checked, 2);
    expect(checked.stdout).toContain('posture_check.c has changed in the account');
    const written = await run(['export', '--out', 'prod']);
    expectCode(written, 2);
    expect(written.stderr).toContain('base/groups.yaml:4:5 warning OBJECT_STUCK');
    expect(written.stderr).toContain(
      'posture_check.c differs from the account, and the export did not change the files: it is in another layer',
    );
    expect(written.stderr).toContain('override it in this folder: the same name, `lifecycle');
    expect(await readFile(join(cwd, 'base/groups.yaml'), 'utf8')).toBe(BASE);
    expect(await readFile(join(cwd, 'prod/groups.yaml'), 'utf8')).toBe(PROD);
  }));

const RULE = 'protocol: tcp, ports: ["22"], sources: [staff], destinations: [staff]';

test.each([
  [
    'a field that the override has',
    'description: of prod\n    rules: [{ name: in, ports: ["443"] }]',
    'description: by hand',
  ],
  ['a rule of the earlier layer alone', 'description: of prod', 'description: by hand'],
  // What is not declared keeps the value of the account.
  ['but not what it removes', 'description: null', 'description: null'],
])('an export writes differences into the text of the override: %s', (_, fields, description) =>
  teams(async ({ commit, run, id, account, cwd }) => {
    const base = `groups:\n  - name: staff\npolicies:\n  - name: p\n    description: of base\n    rules: [{ name: in, ${RULE} }]\n`;
    await commit({
      'base/network.yaml': base,
      'prod/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n`,
      'prod/network.yaml': `policies:\n  - name: p\n    lifecycle: { override: true }\n    ${fields}\n`,
    });
    expectCode(await run(['apply', 'prod', '--yes']), 0);
    const policies = (await account.call(
      'GET',
      '/api/policies',
    )) as unknown as readonly LivePolicy[];
    const live = policies.find(({ name }) => name === 'p');
    const rules = (live?.rules ?? []).map(({ sources, destinations, ...rule }) => ({
      ...rule,
      ports: ['8443'],
      sources: sources.map(one => one.id),
      destinations: destinations.map(one => one.id),
    }));
    const changed = { ...live, description: 'by hand', rules };
    await account.call('PUT', `/api/policies/${live?.id}`, changed as never);
    const written = await run(['export', '--out', 'prod', '--only', 'policy/p']);
    expectCode(written, 0);
    expect(await readFile(join(cwd, 'base/network.yaml'), 'utf8')).toBe(base);
    const own = await readFile(join(cwd, 'prod/network.yaml'), 'utf8');
    expect(own).toContain('lifecycle: { override: true }');
    expect(own).toContain(description);
    expect(own).toContain('8443');
    expectCode(await run(['plan', 'prod', '--detailed-exitcode']), 0);
  }),
);

interface LivePolicy {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly {
    readonly sources: readonly { readonly id: string }[];
    readonly destinations: readonly { readonly id: string }[];
  }[];
}
