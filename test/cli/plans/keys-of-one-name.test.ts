// A new setup key and a key of the same name that somebody else made are two sources of access.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, groupsIn, teams } from '../bases/teams.ts';

const FILES = `groups: [{ name: a }, { name: b }, { name: c }]
setup_keys:
  - { name: ops key, type: reusable, expires_in: 86400, auto_groups: [a] }
policies:
  - { name: p, rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [a], destinations: [c] }] }
  - { name: q, rules: [{ name: r, protocol: tcp, ports: ["80"], sources: [b], destinations: [c] }] }
`;

test.each(['spec', 'netbird'] as const)(
  'a new key with the name of an existing key gets the access of its groups, and the existing key keeps its own: %s',
  dialect =>
    teams(async ({ account, apply, commit, id, run }) => {
      const list = async (path: string) => (await account.call('GET', path)) as JsonObject[];
      for (const policy of await list('/api/policies'))
        await account.call('DELETE', `/api/policies/${String(policy.id)}`);
      await commit({ ...groupsIn('net', id, []), 'net/groups.yaml': FILES });
      expectCode(await apply('net', ['--secrets-to', 'file:keys.jsonl']), 0);
      const [key] = await list('/api/setup-keys');
      const b = (await list('/api/groups')).find(({ name }) => name === 'b');
      await account.call('POST', '/api/setup-keys', {
        name: 'ops key',
        type: 'reusable',
        expires_in: 86400,
        usage_limit: 0,
        auto_groups: [String(b?.id)],
      });
      await account.call('DELETE', `/api/setup-keys/${String(key?.id)}`);
      const { stdout } = await run(['plan', 'net', '--base', 'auto']);
      expect(stdout).toContain('Access: +1 −0 ~0');
      expect(stdout).toContain(
        'enrol with setup_key["ops key"] (future members) → group/c  tcp/22\n',
      );
    }, dialect),
);
