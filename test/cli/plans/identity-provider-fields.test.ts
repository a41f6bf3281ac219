// Declarations that name an absent group of the identity provider in one of their fields: the others are compared and written.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { HEAD, ok, ssh, story } from './providerStory.ts';

vi.setConfig({ testTimeout: 60_000 });

type Stage = Parameters<Parameters<typeof story>[1]>[0];

const settingsOf = async ({ list }: Stage): Promise<JsonObject> =>
  (await list('/api/accounts'))[0]?.settings as JsonObject;

test('settings beside an absent group are written, and are compared by drift', () =>
  story('netbird', async stage => {
    await stage.write(`${HEAD}account_settings: { lazy_connection_enabled: true }\n`);
    ok(await stage.apply());
    const before = (await settingsOf(stage)).ipv6_enabled_groups ?? null;
    await stage.write(
      `${HEAD}account_settings: { lazy_connection_enabled: false, peer_login_expiration: 3600, ipv6_enabled_groups: [engineers] }\n`,
    );
    for (const planned of [await stage.plan(), await stage.run('plan', '.')]) {
      expect(ok(planned).stdout).toContain('peer_login_expiration');
      expect(planned.stdout).toContain('lazy_connection_enabled');
      expect(planned.stderr).toContain(
        'waits for group.engineers, and only `ipv6_enabled_groups` of it stays as it is',
      );
      expect(planned.stderr).not.toContain('OBJECT_HELD');
    }
    // Without a base, too.
    ok(await stage.run('apply', '.', '--yes', '--allow', 'EXPIRES_MACHINES'));
    const written = await settingsOf(stage);
    expect(written).toMatchObject({ lazy_connection_enabled: false, peer_login_expiration: 3600 });
    expect(written.ipv6_enabled_groups ?? null).toEqual(before);
    ok(await stage.apply());
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
    await stage.account.call('PUT', `/api/accounts/${(await stage.list('/api/accounts'))[0]?.id}`, {
      settings: { ...written, lazy_connection_enabled: true },
    });
    const drifted = await stage.drift();
    expect(drifted.code).toBe(2);
    expect(drifted.stdout).toContain('lazy_connection_enabled = false -> true (drift)');
    await stage.signIn('engineers');
    expect(ok(await stage.plan()).stdout).toContain('ipv6_enabled_groups');
  }));

test('a setting that takes effect through an absent group is not written before the group exists, unless it disables a feature', () =>
  story('netbird', async stage => {
    const settings = (more: string) => `${HEAD}account_settings: { ${more} }\n`;
    await stage.write(settings('peer_expose_enabled: false, peer_expose_groups: [ops]'));
    ok(await stage.apply());
    await stage.write(
      settings(
        'peer_expose_enabled: true, peer_expose_groups: [engineers], peer_login_expiration: 3600',
      ),
    );
    const applied = ok(await stage.apply('--allow', 'EXPIRES_MACHINES'));
    expect(applied.stderr).toContain(
      'only `peer_expose_groups`, `peer_expose_enabled` of it stay as they are',
    );
    expect(await settingsOf(stage)).toMatchObject({
      peer_expose_enabled: false,
      peer_login_expiration: 3600,
    });
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
    await stage.signIn('engineers');
    ok(await stage.apply('--allow', 'EXPOSES_WITHOUT_FILES'));
    await stage.write(
      settings('peer_expose_enabled: false, peer_expose_groups: [absent]').replace(
        'groups:\n',
        'groups:\n  - { name: absent, from: identity_provider }\n',
      ),
    );
    ok(await stage.apply());
    expect(await settingsOf(stage)).toMatchObject({
      peer_expose_enabled: false,
      peer_expose_groups: [(await stage.named('/api/groups', 'engineers'))?.id],
    });
  }));

test('a setting that is on for others is an error while its list waits, until the setting is switched off', () =>
  story('netbird', async stage => {
    const settings = (isOn: boolean, group: string) =>
      `${HEAD}account_settings: { peer_expose_enabled: ${isOn}, peer_expose_groups: [${group}] }\n`;
    await stage.write(settings(true, 'ops'));
    ok(await stage.apply('--allow', 'EXPOSES_WITHOUT_FILES'));
    await stage.write(settings(true, 'engineers'));
    for (const planned of [await stage.plan(), await stage.run('plan', '.')]) {
      expect(planned.code, planned.stdout + planned.stderr).toBe(3);
      expect(planned.stderr).toContain('error WAITS_OPEN');
      // Settings have no field that switches all of them off.
      expect(planned.stderr).not.toContain('enabled: false');
    }
    await stage.write(settings(false, 'engineers'));
    ok(await stage.apply());
    expect(await settingsOf(stage)).toMatchObject({ peer_expose_enabled: false });
  }));

test('zones and nameserver groups are changed except for the list with an absent group', () =>
  story('netbird', async stage => {
    const dns = (group: string, ip: string, isOn: boolean) => `${HEAD}dns:
  zones:
    - { domain: lab.example.com, name: lab, distribution_groups: [${group}], enabled: ${isOn} }
  nameserver_groups:
    - { name: n, nameservers: [{ ip: ${ip} }], groups: [${group}], domains: [a.example.com], enabled: ${isOn} }
`;
    await stage.write(dns('ops', '10.0.0.1', true));
    ok(await stage.apply());
    await stage.write(dns('engineers', '10.0.0.2', false));
    const ops = (await stage.named('/api/groups', 'ops'))?.id;
    ok(await stage.apply());
    expect((await stage.list('/api/dns/zones'))[0]).toMatchObject({
      enabled: false,
      distribution_groups: [ops],
    });
    expect((await stage.list('/api/dns/nameservers'))[0]).toMatchObject({
      enabled: false,
      groups: [ops],
      nameservers: [{ ip: '10.0.0.2' }],
    });
    ok(await stage.run('apply', '.', '--yes'));
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
    // Switched on now, they would serve machines that the files no longer name.
    await stage.write(dns('engineers', '10.0.0.2', true));
    ok(await stage.apply());
    expect((await stage.list('/api/dns/zones'))[0]).toMatchObject({ enabled: false });
    await stage.signIn('engineers');
    ok(await stage.apply());
    expect((await stage.list('/api/dns/zones'))[0]).toMatchObject({
      enabled: true,
      distribution_groups: [(await stage.named('/api/groups', 'engineers'))?.id],
    });
  }));

const route = (group: string, isOn: boolean) => `${HEAD}routes:
  - network_id: lab
    network: 10.9.0.0/16
    peer_groups: [servers]
    groups: [ops]
    access_control_groups: [${group}]
    metric: 9999
    masquerade: true
    keep_route: true
    enabled: ${isOn}
    description: d
`;

test('a route with an absent group can be disabled, and its lists stay unchanged', () =>
  story('netbird', async stage => {
    await stage.write(route('ops', true));
    ok(await stage.apply());
    const [before] = await stage.list('/api/routes');
    await stage.write(route('engineers', false));
    for (const planned of [await stage.run('plan', '.'), await stage.plan()]) {
      expect(ok(planned).stdout).toContain('enabled = true -> false');
      expect(planned.stdout).not.toContain('access_control_groups');
      expect(planned.stderr).toContain(
        'waits for group.engineers, and is switched off as declared; everything else in it stays as it is',
      );
    }
    ok(await stage.apply());
    expect((await stage.list('/api/routes'))[0]).toEqual({ ...before, enabled: false });
    for (const base of [['--base', 'auto'], []]) {
      expect(ok(await stage.run('plan', '.', ...base)).stdout).toContain('No changes.');
      expect(ok(await stage.run('drift', '.', ...base)).stdout).toContain('No drift.');
    }
    // Switched on, it would be more open than declared.
    await stage.write(route('engineers', true));
    expect((await stage.plan()).stderr).toContain('WAITS_OPEN');
  }));

test('a waiting drop rule is reported, and denies access to others until its groups exist', () =>
  story('netbird', async stage => {
    await stage.write(`${HEAD}${ssh('ops', ', action: drop')}`);
    ok(await stage.apply());
    await stage.write(`${HEAD}${ssh('engineers', ', action: drop')}`);
    const planned = await stage.plan();
    expect(planned.stderr).toContain(
      'policy.ssh waits for group.engineers, and until then denies access only to others',
    );
    expect(planned.stderr).not.toContain('is written without what it waits for');
  }));
