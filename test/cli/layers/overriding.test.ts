// One environment changes what all share: from files to an account and back, with a base.
import { expect, test, vi } from 'vitest';
import { expectCode, PRUNE, teams } from '../bases/teams.ts';

vi.setConfig({ testTimeout: 60_000 });

const BASE = `groups:
  - name: staff
  - name: web
policies:
  - name: web
    rules:
      - { name: http, sources: [staff], destinations: [web], protocol: tcp, ports: ["80"] }
      - { name: ping, sources: [staff], destinations: [web], protocol: icmp }
`;
const PROD = `policies:
  - name: web
    lifecycle: { override: true }
    rules:
      - { name: http, ports: ["443"] }
      - { name: ping, omit: true }
groups:
  - { name: web, lifecycle: { omit: true } }
`;

test('an override in a layer is applied, compared, and reverted', () =>
  teams(async ({ commit, run, apply, id, names, account }) => {
    const project = `account: ${id}\nlayers: [../base, .]\n`;
    await commit({
      'base/all.yaml': BASE,
      'prod/meshform.yaml': project,
      'prod/groups.yaml': 'groups: [{ name: on-call }]\n',
    });
    expectCode(await apply('prod'), 0);
    await commit({ 'prod/web.yaml': PROD.slice(0, PROD.indexOf('groups:')) });
    const planned = await run(['plan', 'prod', '--base', 'auto', ...PRUNE, '--detailed-exitcode']);
    expectCode(planned, 2);
    expect(planned.stdout).toContain('443');
    expect(planned.stdout).not.toContain('on-call');
    expectCode(await apply('prod', ['--allow', 'NARROWS_ACCESS']), 0);
    const policies = (await account.call('GET', '/api/policies')) as unknown as {
      name: string;
      rules: { name: string; ports?: string[] }[];
    }[];
    const web = policies.find(({ name }) => name === 'web');
    expect(web?.rules.map(({ name, ports }) => [name, ports])).toEqual([['http', ['443']]]);
    expectCode(await run(['drift', 'prod', '--base', 'auto']), 0);
    // A revision before the layer had the override is read without it.
    expectCode(await run(['plan', 'prod', '--base', 'HEAD^', '--detailed-exitcode']), 0);
    await commit({ 'prod/web.yaml': null });
    expectCode(await apply('prod', ['--allow', 'WIDENS_ACCESS']), 0);
    expect(await names('/api/groups')).toEqual(['All', 'on-call', 'staff', 'web']);
  }));

test('an object that a layer omits is removed with a base, and a reference to it is an error', () =>
  teams(async ({ commit, run, apply, id, names }) => {
    const project = `account: ${id}\nlayers: [../base, .]\n`;
    await commit({ 'base/all.yaml': BASE, 'prod/meshform.yaml': project });
    expectCode(await apply('prod'), 0);
    await commit({ 'prod/web.yaml': PROD });
    expect((await run(['validate', 'prod'])).stdout).toContain('no file declares the group `web`');
    await commit({
      'prod/web.yaml':
        'policies: [{ name: web, lifecycle: { omit: true } }]\ngroups: [{ name: web, lifecycle: { omit: true } }]\n',
    });
    expectCode(await apply('prod', ['--allow', 'OVER_THRESHOLD']), 0);
    expect(await names('/api/groups')).toEqual(['All', 'staff']);
  }));

test('a base with a missing layer is read without the objects of that layer', () =>
  teams(async ({ commit, run, id }) => {
    await commit({
      'old/all.yaml': BASE,
      'prod/meshform.yaml': `account: ${id}\n`,
      'prod/web.yaml': PROD,
    });
    await commit({ 'old/all.yaml': null, 'new/all.yaml': BASE });
    const planned = await run(['plan', 'new', 'prod', '--base', 'HEAD^']);
    expect(planned.stderr).toContain('has no layer `new`');
    expect(planned.stderr).not.toContain('BASE_INVALID');
  }));
