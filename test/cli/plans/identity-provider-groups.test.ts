// Groups that the identity provider makes: files name them before, while and after they exist.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';
import { HEAD, type Named, ok, policyBody, ssh, story } from './providerStory.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.each(someOf(['spec', 'netbird'] as const, 1))('on a server of dialect %s', dialect => {
  test('a policy for a group can be written before anybody signs in', () =>
    story(dialect, async ({ write, run, plan, apply, drift, signIn, named, sourcesOf }) => {
      await write(`${HEAD}${ssh('engineers')}`);
      ok(await run('validate', '--strict', '.'));
      const planned = ok(await plan());
      expect(planned.stderr).toContain(
        'net.yaml:6:5 note OBJECT_WAITS\n  policy.ssh waits for group.engineers, and is not created',
      );
      // Whoever approves the files approves the access that they give later.
      expect(planned.stdout).toContain(
        '+ group/engineers (future members) → group/servers  tcp/22',
      );
      expect((await plan('--no-new-access')).code).toBe(6);
      ok(await apply());
      expect(await named('/api/groups', 'engineers')).toBeUndefined();
      expect(await named('/api/policies', 'ssh')).toBeUndefined();
      expect(ok(await drift()).stdout).toContain('No drift.');
      expect(ok(await plan()).stdout).toMatch(/\nNo changes\.\n$/);
      await signIn('engineers');
      // It is pending: nobody has deleted the policy.
      expect(ok(await drift()).stdout).toContain('No drift.');
      const pending = ok(await plan());
      expect(pending.stdout).toContain('policy.ssh will be created');
      expect(pending.stdout).not.toMatch(/deleted|missing/);
      ok(await apply());
      expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['engineers'] });
      expect(ok(await plan()).stdout).toMatch(/\nNo changes\.\n$/);
      expect(ok(await drift()).stderr).not.toContain('OBJECT_WAITS');
    }));

  test(
    'a policy that somebody deletes while its group is away is drift until the next apply',
    { tags: 'variation' },
    () =>
      story(dialect, async ({ account, write, apply, plan, drift, signIn, named }) => {
        await signIn('engineers');
        await write(`${HEAD}${ssh('engineers')}`);
        ok(await apply());
        const idOf = async (path: string, name: string) => (await named(path, name))?.id ?? '';
        await account.call('DELETE', `/api/policies/${await idOf('/api/policies', 'ssh')}`);
        await signIn();
        await account.call('DELETE', `/api/groups/${await idOf('/api/groups', 'engineers')}`);
        const drifted = await drift();
        expect(drifted.code, drifted.stdout + drifted.stderr).toBe(2);
        expect(drifted.stdout).toMatch(/policy\.ssh.* is missing from the account/);
        expect(drifted.stderr.replaceAll(/\s+/g, ' ')).toMatch(
          /note OBJECT_DELETED policy\.ssh is no longer in the account: it was deleted by .* at .*; it waits, and a later run creates it again/,
        );
        const planned = ok(await plan());
        expect(planned.stdout).toMatch(/\nNo changes\.\n$/);
        expect(planned.stderr).toContain('OBJECT_DELETED');
        ok(await apply());
        expect(ok(await drift()).stdout).toContain('No drift.');
        await signIn('engineers');
        // It is pending: the apply has taken note of the deletion.
        expect(ok(await drift()).stdout).toContain('No drift.');
        ok(await apply());
        expect(await named('/api/policies', 'ssh')).toBeDefined();
      }),
  );

  test('an account group with the declared name is an error, because the provider could not create its own group', () =>
    story(dialect, async ({ account, run, write, plan, apply, signIn, named, sourcesOf }) => {
      await account.call('POST', '/api/groups', { name: 'engineers' });
      await write(`${HEAD}${ssh('engineers')}`);
      const planned = await plan();
      expect(planned.code).toBe(3);
      expect(planned.stderr).toContain('net.yaml:2:5 error GROUP_NAME_BLOCKED');
      expect((await apply()).code).toBe(3);
      // What else differs is not hidden by it.
      const drifted = await run('drift', '.');
      expect(drifted.code).toBe(2);
      expect(drifted.stdout).toMatch(
        /group\.engineers.* is missing from the account: another object has its name/,
      );
      expect(drifted.stdout).toMatch(/policy\.ssh.* is missing from the account/);
      expect(drifted.stderr).toContain('GROUP_NAME_BLOCKED');
      expect(drifted.stderr).toContain(
        'hint: rename the group in the account, or delete it once nothing uses it: ',
      );
      await signIn('engineers');
      expect(await named('/api/groups', 'engineers')).toMatchObject({ issued: 'api' });
      const { id = '' } = (await named('/api/groups', 'engineers')) ?? {};
      await account.call('PUT', `/api/groups/${id}`, { name: 'engineers by hand', peers: [] });
      ok(await apply());
      await signIn('engineers');
      ok(await apply());
      expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['engineers'] });
    }));

  test(
    'the policy is disabled until the new group appears if a group is renamed at the provider',
    { tags: 'variation' },
    () =>
      story(dialect, async ({ write, apply, drift, plan, signIn, sourcesOf }) => {
        await signIn('engineers');
        await write(`${HEAD}${ssh('engineers')}`);
        ok(await apply());
        await write(`${HEAD}${ssh('engineers')}`.replaceAll('engineers', 'engineering'));
        const refused = await apply();
        expect(refused.code).toBe(6);
        expect(refused.stdout + refused.stderr).toContain('ACCESS_WAITS');
        ok(await apply('--allow', 'ACCESS_WAITS'));
        expect(await sourcesOf('ssh')).toEqual({ isOn: false, sources: ['engineers'] });
        expect(ok(await drift()).stdout).toContain('No drift.');
        await signIn('engineering');
        expect(ok(await drift()).stdout).toContain('No drift.');
        expect(ok(await plan()).stdout).toContain('policy.ssh will be updated');
        ok(await apply());
        expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['engineering'] });
      }),
  );

  test('only users who leave a group at the provider lose access', { tags: 'variation' }, () =>
    story(dialect, async ({ account, write, apply, drift, plan, signIn, named, sourcesOf }) => {
      await signIn('engineers');
      await write(`${HEAD}${ssh('engineers, ops')}`);
      ok(await apply());
      // The provider no longer names the group: it stays, without members.
      await signIn();
      expect(ok(await drift()).stdout).toContain('No drift.');
      expect(ok(await plan('--prune', 'removed')).stdout).toMatch(/\nNo changes\.\n$/);
      // Somebody removes it from the account.
      const { id = '' } = (await named('/api/policies', 'ssh')) ?? {};
      const groups = await Promise.all(['ops', 'servers'].map(name => named('/api/groups', name)));
      const [ops, servers] = groups.map(group => group?.id ?? '');
      await account.call('PUT', `/api/policies/${id}`, policyBody(ops ?? '', servers ?? ''));
      const engineers = (await named('/api/groups', 'engineers'))?.id ?? '';
      await account.call('DELETE', `/api/groups/${engineers}`);
      const planned = ok(await plan('--prune', 'removed'));
      expect(planned.stdout).toMatch(/\nNo changes\.\n$/);
      expect(planned.stderr).toContain(
        'policy.ssh waits for group.engineers, and is written without what it waits for',
      );
      expect(ok(await drift()).stdout).toContain('No drift.');
      expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['ops'] });
    }),
  );

  test('a name that a group of the provider and a group of the account share means the group of the provider', () =>
    story(dialect, async ({ account, write, apply, plan, signIn, list, named }) => {
      await signIn('engineers');
      await account.control('POST', '/emulator/groups', { name: 'engineers', issued: 'api' });
      await write(`${HEAD}${ssh('engineers')}`);
      ok(await apply());
      const policy = (await named('/api/policies', 'ssh')) as unknown as {
        rules: { sources: Named[] }[];
      };
      const ids = policy.rules.flatMap(({ sources }) => sources.map(({ id }) => id));
      const made = (await list('/api/groups')).filter(({ name }) => name === 'engineers');
      expect(made.map(({ issued }) => issued).sort()).toEqual(['api', 'jwt']);
      expect(ids).toEqual(made.filter(({ issued }) => issued === 'jwt').map(({ id }) => id));
      expect(ok(await plan()).stdout).toMatch(/\nNo changes\.\n$/);
    }));
});

describe('while a group of the provider is absent, access is only withheld:', () => {
  test('other groups of a list, and other rules, do not wait', () =>
    story('spec', async ({ write, apply, sourcesOf, named }) => {
      await write(`${HEAD}policies:
  - name: ssh
    rules:
      - { name: both, sources: [engineers, ops], destinations: [servers], protocol: icmp }
      - { name: theirs, sources: [engineers], destinations: [servers], protocol: all }
`);
      ok(await apply());
      expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['ops'] });
      expect(JSON.stringify(await named('/api/policies', 'ssh'))).not.toContain('theirs');
    }));

  test('a policy whose only remaining rule has no source is disabled', { tags: 'variation' }, () =>
    story('spec', async ({ write, apply, named }) => {
      const rules = (who: string) => `${HEAD}policies:
  - name: ssh
    rules:
      - { name: a, sources: [ops], destinations: [servers], protocol: icmp }
      - { name: b, sources: [${who}], destinations: [servers], protocol: all }
`;
      await write(rules('ops'));
      ok(await apply());
      await write(rules('engineers'));
      expect((await apply()).code).toBe(6);
      ok(await apply('--allow', 'ACCESS_WAITS'));
      const { rules: found } = (await named('/api/policies', 'ssh')) as unknown as {
        rules: { name: string; enabled: boolean; sources: Named[] }[];
      };
      const said = found.map(one => [one.name, one.enabled, one.sources.map(({ name }) => name)]);
      expect(said.sort()).toEqual([
        ['a', true, ['ops']],
        ['b', false, ['ops']],
      ]);
    }),
  );

  test('a drop rule stays as wide as it is, and a waiting drop rule is a hazard', () =>
    story('spec', async ({ write, plan, apply, sourcesOf }) => {
      const deny = (who: string) => `${HEAD}${ssh(who, ', action: drop')}`;
      await write(deny('ops'));
      ok(await apply());
      await write(deny('engineers'));
      expect(ok(await plan()).stdout).toMatch(/\nNo changes\.\n$/);
      expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['ops'] });
      await write(
        `${deny('engineers')}${ssh('ops').replace('policies:\n', '').replace('ssh', 'allow')}`,
      );
      const refused = await apply();
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain(
        'DROP_WAITS  policy.ssh denies access, but waits for group.engineers',
      );
      ok(await apply('--allow', 'DROP_WAITS'));
      expect(await sourcesOf('ssh')).toEqual({ isOn: true, sources: ['ops'] });
    }));

  const route = (groups: string) => `${HEAD}routes:
  - network_id: lab
    network: 10.9.0.0/16
    masquerade: true
    groups: [ops]
    peer_groups: [servers]
    access_control_groups: [${groups}]
`;

  test('a list that restricts access is never shortened: its object is not written', () =>
    story('spec', async ({ write, plan, apply, list }) => {
      await write(route('engineers, ops'));
      const planned = ok(await apply());
      expect(planned.stderr).toContain(
        'route["lab 10.9.0.0/16 servers"] waits for group.engineers, and is not created',
      );
      expect(await list('/api/routes')).toEqual([]);
      await write(route('ops'));
      ok(await apply());
      await write(route('engineers, ops'));
      expect(ok(await plan('--prune', 'removed')).stdout).toMatch(/\nNo changes\.\n$/);
    }));

  test('a live object that is more open than the files is an error until somebody restricts it', () =>
    story('spec', async ({ write, apply, drift, run }) => {
      await write(route(''));
      ok(await apply());
      await write(route('engineers'));
      const refused = await apply();
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain('net.yaml:6:5 error WAITS_OPEN');
      expect((await drift()).code).toBe(0);
      expect((await run('validate', '.')).code).toBe(0);
    }));

  test('groups of the provider stay in the auto-groups of a user', { tags: 'variation' }, () =>
    story('spec', async ({ account, person, write, apply, signIn, list }) => {
      await account.call('PUT', `/api/users/${person.id}`, {
        role: 'user',
        auto_groups: [],
        is_blocked: false,
      });
      await signIn('engineers');
      await write(`${HEAD}users:
  - { email: ada@example.com, name: Ada, role: admin, auto_groups: [ops] }
`);
      ok(await apply());
      const ada = (await list('/api/users')).find(({ id }) => id === person.id);
      const names = await list('/api/groups');
      const auto = ada?.auto_groups as readonly string[];
      expect(auto.map(id => names.find(one => one.id === id)?.name).sort()).toEqual([
        'engineers',
        'ops',
      ]);
    }),
  );

  test(
    'a group of the provider is never deleted, and an export declares its provider once',
    { tags: 'variation' },
    () =>
      story('spec', async ({ write, run, plan, signIn }) => {
        await signIn('engineers');
        await write('groups:\n  - name: ops\n');
        ok(await run('apply', '.', '--yes'));
        expect(ok(await run('export', '--out', '.', '--kinds', 'groups')).stdout).toBe(
          'Written:\n  net.yaml\n',
        );
        const again = ok(await run('export', '--out', '.', '--kinds', 'groups'));
        expect(again.stdout).toBe('Nothing to write.\n');
        expect(ok(await run('export', '--kinds', 'groups')).stdout).toContain(
          '  - name: engineers\n    from: identity_provider\n',
        );
        expect(ok(await run('export', '--check', '.', '--kinds', 'groups')).code).toBe(0);
        const pruned = await plan('--prune', 'unmanaged');
        expect(pruned.stdout).not.toMatch(/engineers.* (deleted|destroyed)/);
      }),
  );

  test.each([
    ['peers: []', '`peers` cannot be declared'],
    ['lifecycle: { protect: true }', '`lifecycle` cannot be declared'],
    ['resources: []', 'SCHEMA_READ_ONLY'],
  ])('%s beside `from: identity_provider` is an error', (more, words) =>
    inFolder(async cwd => {
      const text = `groups:\n  - { name: engineers, from: identity_provider, ${more} }\n`;
      await writeFile(join(cwd, 'a.yaml'), text);
      const { code, stdout, stderr } = await meshform(['validate', '.'], { cwd });
      expect(code).toBe(3);
      expect(stdout + stderr).toContain(words);
    }),
  );

  test('an access test treats an absent group of the provider as a group with future members only', () =>
    inFolder(async cwd => {
      await writeFile(
        join(cwd, 'a.yaml'),
        `${HEAD}${ssh('engineers')}access_tests:
  - { name: t, from: group/engineers, allow: ["group/servers:tcp/22"] }
`,
      );
      const { code, stdout, stderr } = await meshform(['test', '.'], { cwd });
      expect(code, stdout + stderr).toBe(0);
    }));
});

test(
  'access that a plan removes now is shown as lost, although it returns once the waiting objects are written',
  { tags: 'variation' },
  () =>
    story('netbird', async stage => {
      const web = (port: string) => `policies:
  - name: web
    rules: [{ name: web, sources: [ops], destinations: [servers], protocol: tcp, ports: ["${port}"] }]
`;
      await stage.write(HEAD + web('22'));
      ok(await stage.apply());
      const login =
        'sources: [ops], destinations: [servers], protocol: netbird-ssh, ports: ["22"], authorized_groups: { engineers: [root] }';
      await stage.write(
        `${HEAD}${web('443')}  - { name: login, rules: [{ name: in, ${login} }] }\n`,
      );
      const planned = ok(await stage.plan());
      expect(planned.stderr).toContain('policy.login waits for group.engineers');
      expect(planned.stdout).toMatch(/^ *− group\/ops .*tcp\/22$/m);
      expect(planned.stdout).toMatch(/^ *\+ group\/ops .*tcp\/22, 443 \(was 22\)$/m);
    }),
);
