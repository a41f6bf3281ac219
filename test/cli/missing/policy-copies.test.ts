// Somebody copies a policy in the dashboard under the same name: it stops nothing, and the declared policy is neither confused with the
// copy nor widened.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

const rule = (name: string, ports: string) =>
  `{ name: ${name}, sources: [s], destinations: [d], protocol: tcp, bidirectional: false, ports: ["${ports}"] }`;

const files = (rules: readonly string[], description = 'a') =>
  `groups: [{ name: s }, { name: d }]
networks: [{ name: n, description: ${description} }]
policies:
  - { name: p, rules: [${rules.join(', ')}] }
  - { name: q, rules: [${rule('r', '22')}] }
`;

const ONE = files([rule('a', '80')]);
const TWO = files([rule('a', '80'), rule('b', '81')]);

/** A copy of the live policy of a name, as a dashboard makes it; resolves to the ids of both. */
async function copied(account: TestAccount, name: string): Promise<readonly [string, string]> {
  const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
  const found = policies.find(one => one.name === name) as JsonObject;
  const ids = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);
  const rules = (found.rules as JsonObject[]).map(({ id: _, sources, destinations, ...one }) => ({
    ...one,
    sources: ids(sources),
    destinations: ids(destinations),
  }));
  const body = { name, enabled: true, description: '', source_posture_checks: [], rules };
  const made = (await account.call('POST', '/api/policies', body)) as JsonObject;
  return [String(found.id), String(made.id)];
}

/** The ports of all policies but the one that an account begins with, by name and id. */
async function portsIn(account: TestAccount): Promise<Readonly<Record<string, unknown>>> {
  const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
  return Object.fromEntries(
    policies
      .filter(({ name }) => name !== 'Default')
      .map(({ name, id, rules }) => [
        `${name} ${id}`,
        (rules as JsonObject[]).map(({ ports }) => ports).join(),
      ]),
  );
}

const CHANGED = [rule('a', '8080'), rule('b', '8081')];

describe.each(
  someOf(
    [
      ['spec', 'p', ONE, files(CHANGED.slice(0, 1), 'b')],
      ['netbird', 'p', ONE, files(CHANGED.slice(0, 1), 'b')],
      ['netbird', 'p / a', TWO, files(CHANGED, 'b')],
    ] as const,
    1,
  ),
)(
  'a policy with a copy of the same name in the account (%s, %s)',
  (dialect, name, before, after) => {
    test('stays unchanged without a base, as the copy does, and everything else is applied', async () => {
      const account = await startAccount({ dialect });
      try {
        await inFolder(async cwd => {
          const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
          await mkdir(join(cwd, 'network'));
          const write = (text: string) => writeFile(join(cwd, 'network/a.yaml'), text);
          await write(before);
          expectCode(await run('apply', 'network', '--yes'), 0);
          const ids = await copied(account, name);
          await write(after);
          const unchanged = await portsIn(account);
          const planned = await run('plan', 'network');
          expectCode(planned, 0);
          expect(planned.stderr).toContain('warning OBJECT_AMBIGUOUS');
          for (const id of ids) expect(planned.stderr).toContain(id);
          const drifted = await run('drift', 'network');
          expectCode(drifted, 2);
          expect(drifted.stdout).toContain('# policy.p ');
          expect(drifted.stdout).toContain('# network.n ');
          const prune = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
          expectCode(await run('apply', 'network', '--yes', ...prune), 4);
          expect(await portsIn(account)).toEqual(unchanged);
          const [network] = (await account.call('GET', '/api/networks')) as JsonObject[];
          expect(network?.description).toBe('b');
        });
      } finally {
        await account.close();
      }
    });

    const recorded = (story: (world: Teams) => Promise<void>) =>
      teams(async world => {
        const { id, apply, commit } = world;
        await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': before });
        expectCode(await apply('net'), 0);
        await story(world);
      }, dialect);

    test('is changed with a recorded base, and the copy is listed', () =>
      recorded(async ({ account, run, apply, commit }) => {
        const [own, copy] = await copied(account, name);
        const unchanged = (await portsIn(account))[`${name} ${copy}`];
        const drifted = await run(['drift', 'net', '--base', 'auto']);
        expectCode(drifted, 0);
        expect(drifted.stderr).toContain('warning OBJECT_NAMESAKE');
        expect(drifted.stdout).toContain(`id:${copy} (${name})`);
        await commit({ 'net/groups.yaml': after });
        const applied = await apply('net');
        expectCode(applied, 0);
        const ports = await portsIn(account);
        expect(ports[`${name} ${own}`]).toBe('8080');
        expect(ports[`${name} ${copy}`]).toBe(unchanged);
      }));

    test('is identified by the audit log with a revision as base: the first with the name', () =>
      recorded(async ({ account, run, commit }) => {
        const [own, copy] = await copied(account, name);
        await commit({ 'net/groups.yaml': after });
        const applied = await run(['apply', 'net', '--base', 'HEAD~1', '--yes']);
        expectCode(applied, 0);
        expect(applied.stderr).toContain('warning OBJECT_NAMESAKE');
        const ports = await portsIn(account);
        expect(ports[`${name} ${own}`]).toBe('8080');
        expect(ports[`${name} ${copy}`]).toBe('80');
      }));
  },
);

test('a part of a policy that somebody renames in the dashboard is recognised as the same part', () =>
  teams(async ({ account, id, apply, commit, run }) => {
    await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': TWO });
    expectCode(await apply('net'), 0);
    const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
    const found = policies.find(one => one.name === 'p / a') as JsonObject;
    const ids = (list: unknown) => (list as { id: string }[]).map(one => one.id);
    const rules = (found.rules as JsonObject[]).map(({ sources, destinations, ...one }) => ({
      ...one,
      sources: ids(sources),
      destinations: ids(destinations),
    }));
    await account.call('PUT', `/api/policies/${found.id}`, {
      name: 'renamed',
      enabled: true,
      description: '',
      source_posture_checks: [],
      rules,
    });
    const planned = await run(['plan', 'net', '--base', 'auto']);
    expect(planned.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    expectCode(await apply('net'), 0);
    expect(Object.keys(await portsIn(account))).toContain(`p / a ${found.id}`);
  }, 'netbird'));
