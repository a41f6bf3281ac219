// What somebody changes by hand in objects that wait for a group of the identity provider: only what the group stands for is passed over.
import { describe, expect, test, vi } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { HEAD, type Named, ok, policyBody, ssh, story } from './providerStory.ts';

vi.setConfig({ testTimeout: 60_000 });

type Stage = Parameters<Parameters<typeof story>[1]>[0];

/** A rule as a server shows it, with the ids of its groups. */
interface Rule extends JsonObject {
  readonly name: string;
  readonly sources: readonly string[];
  readonly ports?: readonly string[];
}

/** Somebody edits a policy in the dashboard. */
async function edit(
  { account, named }: Stage,
  name: string,
  change: (rules: readonly Rule[]) => {
    readonly name?: string;
    readonly rules: readonly Json[];
    readonly enabled?: boolean;
  },
): Promise<void> {
  const policy = (await named('/api/policies', name)) as unknown as JsonObject & {
    readonly id: string;
    readonly rules: readonly JsonObject[];
  };
  const ids = (value: Json | undefined) => ((value ?? []) as readonly Named[]).map(({ id }) => id);
  const rules = policy.rules.map(
    rule =>
      ({
        ...rule,
        sources: ids(rule.sources),
        destinations: ids(rule.destinations),
      }) as unknown as Rule,
  );
  await account.call('PUT', `/api/policies/${policy.id}`, { ...policy, ...change(rules) });
}

const idOf = async ({ named }: Stage, group: string): Promise<string> =>
  (await named('/api/groups', group))?.id ?? '';

/** The group of the provider is gone from the account, and from its users. */
async function withoutGroup(stage: Stage, group: string): Promise<void> {
  await stage.signIn();
  const body = { role: 'user', auto_groups: [], is_blocked: false };
  await stage.account.call('PUT', `/api/users/${stage.person.id}`, body);
  await stage.account.call('DELETE', `/api/groups/${await idOf(stage, group)}`);
}

const drifted = async ({ drift, run }: Stage) => {
  const ended = { based: await drift(), plain: await run('drift', '.') };
  for (const { code, stdout, stderr } of Object.values(ended))
    expect(code, `${stdout}\n${stderr}`).toBe(2);
  return { based: ended.based.stdout, plain: ended.plain.stdout };
};

describe.each(someOf(['spec', 'netbird'] as const, 1))('on a server of dialect %s', dialect => {
  /** A policy that is switched off, because its only group has another name at the provider. */
  const switchedOff = (tell: (stage: Stage) => Promise<void>) =>
    story(dialect, async stage => {
      await stage.signIn('engineers');
      await stage.write(`${HEAD}${ssh('engineers')}`);
      ok(await stage.apply());
      await stage.write(`${HEAD}${ssh('engineers')}`.replaceAll('engineers', 'engineering'));
      ok(await stage.apply('--allow', 'ACCESS_WAITS'));
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      expect(ok(await stage.run('drift', '.')).stdout).toContain('No drift.');
      await tell(stage);
    });

  test('drift reports a source and a port that somebody adds to a disabled policy', () =>
    switchedOff(async stage => {
      const all = await idOf(stage, 'All');
      await edit(stage, 'ssh', ([rule]) => ({
        rules: [{ ...rule, sources: [...(rule?.sources ?? []), all], ports: ['22', '23'] }],
      }));
      const { based, plain } = await drifted(stage);
      expect(based).toMatch(/rules\["in"\]\.ports \(drift\)\n\s+\+ "23"/);
      expect(based).toMatch(/rules\["in"\]\.sources \(drift\)\n\s+\+ "All"/);
      expect(plain).toMatch(/rules\["in"\]\.ports\n\s+\+ "23"/);
      const planned = ok(await stage.plan());
      expect(planned.stdout).toMatch(/rules\["in"\]\.sources \(drift\)\n\s+- "All"/);
      // What was given by hand is taken back without an allowance.
      expect(planned.stdout).not.toContain('ACCESS_WAITS');
      ok(await stage.apply());
      expect(await stage.sourcesOf('ssh')).toEqual({ isOn: false, sources: ['engineers'] });
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      await stage.signIn('engineering');
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      ok(await stage.apply());
      expect(await stage.sourcesOf('ssh')).toEqual({ isOn: true, sources: ['engineering'] });
    }));

  test('a policy that somebody renames while it waits is found by its id in the base, and gets its name back', () =>
    switchedOff(async stage => {
      const { id } = (await stage.named('/api/policies', 'ssh')) ?? {};
      await edit(stage, 'ssh', rules => ({ rules, name: 'by hand' }));
      const drifted = await stage.drift();
      expect(drifted.code, drifted.stdout + drifted.stderr).toBe(2);
      expect(drifted.stdout).toContain('~ name = "ssh" -> "by hand" (drift)');
      expect(drifted.stdout).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
      expect(drifted.stderr).toContain('policy.ssh waits for group.engineering');
      expect(drifted.stdout + drifted.stderr).not.toMatch(/OBJECT_DELETED|is missing/);
      const planned = ok(await stage.plan());
      expect(planned.stdout).toContain('~ name = "by hand" -> "ssh" (drift)');
      expect(planned.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
      ok(await stage.apply());
      const named = async () => (await stage.list('/api/policies')).map(one => [one.id, one.name]);
      expect(await named()).toEqual([[id, 'ssh']]);
      expect(await stage.sourcesOf('ssh')).toEqual({ isOn: false, sources: ['engineers'] });
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      await stage.signIn('engineering');
      ok(await stage.apply());
      expect(await named()).toEqual([[id, 'ssh']]);
      expect(await stage.sourcesOf('ssh')).toEqual({ isOn: true, sources: ['engineering'] });
    }));

  test(
    'drift reports a policy that somebody enables with other sources',
    { tags: 'variation' },
    () =>
      switchedOff(async stage => {
        const all = await idOf(stage, 'All');
        await edit(stage, 'ssh', ([rule]) => ({
          enabled: true,
          rules: [{ ...rule, enabled: true, sources: [all] }],
        }));
        const { based, plain } = await drifted(stage);
        for (const text of [based, plain]) {
          expect(text).toContain('enabled = false -> true');
          expect(text).toMatch(/sources.*\n\s+\+ "All"/);
        }
        ok(await stage.apply());
        expect(await stage.sourcesOf('ssh')).toEqual({ isOn: false, sources: ['engineers'] });
      }),
  );

  test(
    'drift reports a policy that somebody created under the name of a policy that waits for a group',
    { tags: 'variation' },
    () =>
      story(dialect, async stage => {
        await stage.write(`${HEAD}${ssh('engineers')}`);
        ok(await stage.apply());
        const all = await idOf(stage, 'All');
        const servers = await idOf(stage, 'servers');
        await stage.account.call('POST', '/api/policies', policyBody(all, servers));
        for (const text of Object.values(await drifted(stage))) {
          expect(text).toContain('enabled = false -> true');
          expect(text).toMatch(/sources\n\s+\+ "All"/);
        }
      }),
  );

  test(
    'drift reports a waiting drop rule that somebody changes to accept',
    { tags: 'variation' },
    () =>
      story(dialect, async stage => {
        await stage.write(`${HEAD}${ssh('ops', ', action: drop')}`);
        ok(await stage.apply());
        await stage.write(`${HEAD}${ssh('engineers', ', action: drop')}`);
        expect(ok(await stage.drift()).stdout).toContain('No drift.');
        const servers = await idOf(stage, 'servers');
        await edit(stage, 'ssh', ([rule]) => ({
          rules: [{ ...rule, action: 'accept', sources: [servers] }],
        }));
        for (const text of Object.values(await drifted(stage)))
          expect(text).toContain('action = "drop" -> "accept"');
        const allow = ['--allow', 'DROP_WAITS', '--allow', 'ACCESS_WAITS'];
        ok(await stage.apply(...allow, '--resolve', 'desired'));
        // Whoever was denied is denied again.
        const { sources } = await stage.sourcesOf('ssh');
        expect(sources).toEqual(['ops', 'servers']);
      }),
  );

  test(
    'drift is the same, with one of two rules waiting, whether or not the server splits the policy',
    { tags: 'variation' },
    () =>
      story(dialect, async stage => {
        const rules = (who: string) => `${HEAD}policies:
  - name: ssh
    rules:
      - { name: a, sources: [ops], destinations: [servers], protocol: icmp }
      - { name: b, sources: [${who}], destinations: [servers], protocol: tcp, ports: ["22"] }
`;
        await stage.write(rules('ops'));
        ok(await stage.apply());
        await stage.write(rules('engineers'));
        ok(await stage.apply('--allow', 'ACCESS_WAITS'));
        expect(ok(await stage.drift()).stdout).toContain('No drift.');
        expect(ok(await stage.plan()).stdout).toMatch(/\nNo changes\.\n$/);
        const name = dialect === 'spec' ? 'ssh' : 'ssh / b';
        const all = await idOf(stage, 'All');
        await edit(stage, name, found => ({
          rules: found.map(rule =>
            rule.name === 'b' ? { ...rule, sources: [...rule.sources, all] } : rule,
          ),
        }));
        expect((await stage.drift()).stdout).toMatch(
          /rules\["b"\]\.sources \(drift\)\n\s+\+ "All"/,
        );
        ok(await stage.apply());
        await stage.signIn('engineers');
        expect(ok(await stage.drift()).stdout).toContain('No drift.');
        ok(await stage.apply());
        expect(await stage.sourcesOf(name)).toEqual({
          isOn: true,
          sources: dialect === 'spec' ? ['engineers', 'ops'] : ['engineers'],
        });
      }),
  );

  const route = (groups: string) => `${HEAD}routes:
  - network_id: lab
    network: 10.9.0.0/16
    masquerade: true
    groups: [ops]
    peer_groups: [servers]
    access_control_groups: [${groups}]
`;

  /** Somebody edits the only route in the dashboard. */
  const editRoute = async ({ account, list }: Stage, more: JsonObject) => {
    const [found] = await list('/api/routes');
    const {
      id = '',
      peer: _,
      domains: __,
      network_type: ___,
      ...body
    } = { ...found } as JsonObject;
    await account.call('PUT', `/api/routes/${id}`, { ...body, ...more } as Json);
  };

  test(
    'an object that cannot be written without the group is reset to its last applied state',
    { tags: 'variation' },
    () =>
      story(dialect, async stage => {
        await stage.signIn('engineers');
        await stage.write(route('engineers, ops'));
        ok(await stage.apply());
        const all = await idOf(stage, 'All');
        const ops = await idOf(stage, 'ops');
        await editRoute(stage, { groups: [all, ops], access_control_groups: [ops] });
        await withoutGroup(stage, 'engineers');
        const { based, plain } = await drifted(stage);
        expect(based).toMatch(/~ groups \(drift\)\n\s+\+ "All"/);
        expect(plain).toMatch(/~ groups\n\s+\+ "All"/);
        expect(based).not.toContain('access_control_groups');
        const planned = ok(await stage.plan());
        expect(planned.stdout).toMatch(/~ groups \(drift\)\n\s+- "All"/);
        expect(planned.stderr).toContain(
          'waits for group.engineers, and stays as it was last applied',
        );
        // Without a base, nothing says what was applied: it stays as it is, and apply says so.
        const held = await stage.run('apply', '.', '--yes');
        expect(held.code).toBe(4);
        expect(held.stderr).toContain(
          'route["lab 10.9.0.0/16 servers"] differs in `groups`, and stays as it is: it cannot be written as declared without group.engineers',
        );
        ok(await stage.apply());
        expect((await stage.list('/api/routes'))[0]?.groups).toEqual([ops]);
        expect(ok(await stage.drift()).stdout).toContain('No drift.');
      }),
  );

  test(
    'drift reports a restricting list that somebody empties while its group is absent',
    { tags: 'variation' },
    () =>
      story(dialect, async stage => {
        await stage.signIn('engineers');
        await stage.write(route('engineers, ops'));
        ok(await stage.apply());
        await editRoute(stage, { access_control_groups: [] });
        await withoutGroup(stage, 'engineers');
        for (const text of Object.values(await drifted(stage)))
          expect(text).toMatch(/~ access_control_groups.*\n\s+- "engineers"\n\s+- "ops"/);
        const planned = await stage.plan();
        expect(planned.code).toBe(3);
        expect(planned.stderr).toContain('WAITS_OPEN');
      }),
  );

  test('drift reports the role of a user whose groups are absent', { tags: 'variation' }, () =>
    story(dialect, async stage => {
      const users = (groups: string) => `${HEAD}users:
  - { email: ada@example.com, name: Ada, role: user, auto_groups: [${groups}] }
`;
      await stage.write(users('ops'));
      ok(await stage.apply());
      await stage.write(users('engineers'));
      ok(await stage.apply('--allow', 'ACCESS_WAITS'));
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      const body = { role: 'admin', auto_groups: [], is_blocked: false };
      await stage.account.call('PUT', `/api/users/${stage.person.id}`, body);
      const { based, plain } = await drifted(stage);
      expect(based).toContain('role = "user" -> "admin" (drift)');
      expect(plain).toContain('role = "user" -> "admin"');
      const planned = ok(await stage.plan());
      expect(planned.stdout).toContain('role = "admin" -> "user" (drift)');
    }),
  );
});

test(
  'drift reports groups that somebody adds to a setup key whose declared group is absent',
  { tags: 'variation' },
  () =>
    story('spec', async stage => {
      const keys = (groups: string) => `${HEAD}setup_keys:
  - { name: key, type: reusable, expires_in: 86400, auto_groups: [${groups}] }
`;
      const groupsNow = async () => (await stage.list('/api/setup-keys'))[0]?.auto_groups;
      await stage.write(keys('ops'));
      ok(await stage.apply('--secrets-to', 'file:kept.jsonl'));
      await stage.write(keys('engineers'));
      // Machines of the key join no group until theirs exists.
      ok(await stage.apply('--allow', 'ACCESS_WAITS'));
      expect(await groupsNow()).toEqual([]);
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      const [key] = await stage.list('/api/setup-keys');
      const auto_groups = [await idOf(stage, 'servers')];
      await stage.account.call('PUT', `/api/setup-keys/${key?.id}`, {
        revoked: false,
        auto_groups,
      });
      expect((await drifted(stage)).based).toMatch(/auto_groups \(drift\)\n\s+\+ "servers"/);
      ok(await stage.apply());
      expect(await groupsNow()).toEqual([]);
      await stage.signIn('engineers');
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      ok(await stage.apply());
      expect(await groupsNow()).toEqual([await idOf(stage, 'engineers')]);
    }),
);

test(
  'a zone whose only group is absent is still compared in all other fields',
  { tags: 'variation' },
  () =>
    story('netbird', async stage => {
      const zone = (groups: string) => `${HEAD}dns:
  zones:
    - { domain: lab.example.com, name: lab, distribution_groups: [${groups}], enable_search_domain: false }
`;
      await stage.write(zone('ops'));
      ok(await stage.apply());
      await stage.write(zone('engineers'));
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
      const [found] = await stage.list('/api/dns/zones');
      const distribution_groups = [await idOf(stage, 'ops'), await idOf(stage, 'servers')];
      const { id = '', ...body } = { ...found } as JsonObject;
      await stage.account.call('PUT', `/api/dns/zones/${id}`, {
        ...body,
        enable_search_domain: true,
        distribution_groups,
      } as Json);
      const { based } = await drifted(stage);
      expect(based).toContain('enable_search_domain = false -> true (drift)');
      expect(based).toMatch(/distribution_groups \(drift\)\n\s+\+ "servers"/);
    }),
);

test(
  'a nameserver group that somebody renames while its group is absent is found by its id in the base',
  { tags: 'variation' },
  () =>
    story('netbird', async stage => {
      await stage.signIn('engineers');
      const resolvers = `dns:
  nameserver_groups:
    - { name: office, nameservers: [{ ip: 10.0.0.53 }], groups: [engineers], domains: [corp.test] }
`;
      const path = '/api/dns/nameservers';
      await stage.write(`${HEAD}${resolvers}`);
      ok(await stage.apply());
      await stage.write(`${HEAD}${resolvers}`.replaceAll('engineers', 'engineering'));
      ok(await stage.apply());
      const live = (await stage.named(path, 'office')) as Named;
      await stage.account.call('PUT', `${path}/${live.id}`, { ...live, name: 'by hand' });
      const drifted = await stage.drift();
      expect(drifted.code, drifted.stdout + drifted.stderr).toBe(2);
      expect(drifted.stdout).toContain('~ name = "office" -> "by hand" (drift)');
      expect(drifted.stdout + drifted.stderr).not.toMatch(/OBJECT_DELETED|is missing/);
      expect(ok(await stage.plan()).stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
      ok(await stage.apply());
      const left = await stage.list(path);
      expect(left.map(({ id, name }) => [id, name])).toEqual([[live.id, 'office']]);
      expect(left[0]).toMatchObject({ groups: live.groups });
      expect(ok(await stage.drift()).stdout).toContain('No drift.');
    }),
);

test(
  'the records of a zone whose group is absent are compared and written as usual',
  { tags: 'variation' },
  () =>
    story('netbird', async stage => {
      const zone = (groups: string, records: string) => `${HEAD}dns:
  zones:
    - domain: lab.example.com
      name: lab
      distribution_groups: [${groups}]
      records: [${records}]
`;
      const record = (name: string) =>
        `{ name: ${name}.lab.example.com, type: A, content: 10.0.0.1 }`;
      await stage.write(zone('ops', record('a')));
      ok(await stage.apply());
      await stage.write(zone('engineers', `${record('a')}, ${record('b')}`));
      // Without a base, the zone stays as it is, and its records do not.
      const planned = ok(await stage.run('plan', '.'));
      expect(planned.stderr).toContain('dns_zone.lab.example.com waits for group.engineers');
      expect(planned.stdout).toContain('b.lab.example.com A 10.0.0.1"] will be created');
      expect((await stage.run('drift', '.')).stdout).toContain(
        'b.lab.example.com A 10.0.0.1"] is missing from the account',
      );
    }),
);

test('an export writes nothing for a waiting policy, and lists only the fields that still differ', () =>
  story('spec', async stage => {
    await stage.signIn('engineers');
    await stage.write(`${HEAD}${ssh('engineers')}`);
    ok(await stage.apply());
    await stage.write(`${HEAD}${ssh('engineering')}`.replace('engineers', 'engineering'));
    const ended = await stage.run('export', '--out', '.', '--kinds', 'policies');
    expect(ended.stdout).toBe('Nothing to write.\n');
    expect(ended.stderr).toContain('policy.ssh still differs from the account: `enabled`');
    expect(ended.stderr).toContain('1 object exported: 1 declared already.');
  }));
