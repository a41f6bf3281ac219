// Somebody else changes an object just after the run has written it: the read after the write shows another value.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { adminOf, expectCode, teams } from '../bases/teams.ts';

const FILES = `groups: [{ name: staff }]
policies:
  - name: ssh
    rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [staff], destinations: [staff] }]
`;

test('an apply whose value somebody changed again meanwhile fails, and names the user', () =>
  teams(async story => {
    const { account, apply, commit, id } = story;
    await commit({ 'net/meshform.yaml': `account: ${id}\n`, 'net/a.yaml': FILES });
    expectCode(await apply('net'), 0);
    const ada = await adminOf(story);
    await commit({ 'net/a.yaml': FILES.replace('"22"', '"22", "23"') });
    const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
    const body = renamed(policies.find(({ name }) => name === 'ssh') ?? {});
    const others: Promise<unknown>[] = [];
    account.onAnswer(({ method, path }) => {
      if (method === 'PUT' && path.startsWith('/api/policies/') && others.length === 0)
        others.push(ada.write('PUT', path, body));
    });
    const ended = await apply('net');
    await Promise.all(others);
    expectCode(ended, 4);
    expect(ended.stdout).toContain('the server did not store: name');
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'ada changed it during the run, according to the audit log',
    );
    expect(ended.stdout).not.toContain('a referenced object may be gone');
  }, 'netbird'));

function renamed({ rules, ...policy }: JsonObject): JsonObject {
  const ids = (of: unknown) => (of as JsonObject[]).map(one => String(one.id));
  return {
    ...policy,
    name: 'renamed',
    rules: (rules as JsonObject[]).map(rule => ({
      ...rule,
      ports: ['22', '23'],
      sources: ids(rule.sources),
      destinations: ids(rule.destinations),
    })),
  };
}
