// Services that name a group which the identity provider has not made: what they leave open meanwhile, and what a plan says of it.
import { expect, test, vi } from 'vitest';
import { type Json, listOf } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { HEAD, ok, story } from './providerStory.ts';

vi.setConfig({ testTimeout: 60_000 });

type Stage = Parameters<Parameters<typeof story>[1]>[0];

const PASSWORD = 'password_auth: { enabled: true, password: "${env:WIKI}" }';
const SIGN_IN = 'bearer_auth: { enabled: true, distribution_groups: [engineers] }';
const PRIVATE = 'private: true, access_groups: [engineers]';

const wiki = (more: string, rest = '') => `${HEAD}reverse_proxy:
  services:
    - { domain: wiki.eu.proxy.test, name: Wiki, targets: [{ target: { peer: machine }, port: 8080 }]${more && `, ${more}`} }
${rest}`;

const services = (tell: (stage: Stage) => Promise<void>) =>
  story(
    'netbird',
    async stage => {
      await stage.account.control('POST', '/emulator/clusters', {
        address: 'eu.proxy.test',
        shared: true,
        private: true,
      });
      await tell(stage);
    },
    { WIKI: 'a-password-of-some-length' },
  );

const live = async ({ list }: Stage) => (await list('/api/reverse-proxies/services'))[0];

const begun = async (stage: Stage, more: string) => {
  await stage.write(wiki(more));
  ok(await stage.apply('--allow', 'SERVICE_PUBLIC'));
};

const PUBLIC = '';

test.each(
  someOf(
    [
      ['a public one that becomes private', PUBLIC, PRIVATE],
      ['a public one that asks for a sign-in', PUBLIC, `auth: { ${SIGN_IN} }`],
      ['one with a password that becomes private', `auth: { ${PASSWORD} }`, PRIVATE],
      [
        'a sign-in of everybody that becomes private',
        'auth: { bearer_auth: { enabled: true, distribution_groups: [] } }',
        `${PRIVATE}, auth: { bearer_auth: { enabled: false } }`,
      ],
      [
        'a sign-in of others',
        'auth: { bearer_auth: { enabled: true, distribution_groups: [ops] } }',
        `auth: { ${SIGN_IN} }`,
      ],
      [
        'machines of other groups beside the one that waits',
        'private: true, access_groups: [ops, servers]',
        'private: true, access_groups: [ops, engineers]',
      ],
      ['machines of another group', 'private: true, access_groups: [ops]', PRIVATE],
    ],
    3,
  ),
)('a service that would stay more open than the files is an error: %s', (_, was, is) =>
  services(async stage => {
    await begun(stage, was);
    const before = await live(stage);
    await stage.write(
      wiki(is, 'access_tests: [{ name: out, from: internet, deny: [peer/machine] }]\n'),
    );
    for (const more of [[], ['--base', 'auto']]) {
      const planned = await stage.run('plan', '.', ...more);
      expect(planned.code, planned.stdout + planned.stderr).toBe(3);
      expect(planned.stderr).toContain('error WAITS_OPEN');
      expect(planned.stderr).toContain('switch it off (`enabled: false`)');
      // Nobody loses anything yet.
      expect(planned.stdout).not.toMatch(/^ *− /m);
    }
    expect((await stage.apply()).code).toBe(3);
    expect(await live(stage)).toEqual(before);
    // It differs from nothing that was applied.
    const drifted = ok(await stage.drift());
    expect(drifted.stderr).toContain('warning WAITS_OPEN');
    expect(drifted.stdout + drifted.stderr).not.toContain('= false -> true');
    // It may be switched off until then.
    await stage.write(wiki(`${is}, enabled: false`));
    const off = ok(await stage.apply());
    expect(off.stdout).toContain('enabled = true -> false');
    expect(await live(stage)).toEqual({ ...before, enabled: false });
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
    await stage.signIn('engineers');
    await stage.write(wiki(is));
    ok(await stage.apply('--allow', 'SERVICE_PUBLIC'));
    expect(await live(stage)).toMatchObject({ enabled: true });
    expect(ok(await stage.plan()).stdout).toContain('No changes.');
  }),
);

test.each([
  ['a sign-in beside the password', `auth: { ${PASSWORD}, ${SIGN_IN} }`],
  ['a sign-in, and the password stays as it is', `auth: { ${SIGN_IN} }`],
])('a service that is less open than the files waits: %s', { tags: 'variation' }, (_, is) =>
  services(async stage => {
    await begun(stage, `auth: { ${PASSWORD} }`);
    const before = await live(stage);
    await stage.write(wiki(is));
    for (const more of [[], ['--base', 'auto']]) {
      const planned = ok(await stage.run('plan', '.', ...more));
      expect(planned.stdout).toContain('No changes.');
      expect(planned.stderr).toContain('OBJECT_WAITS');
      expect(planned.stderr).not.toMatch(/error|OBJECT_HELD/);
    }
    ok(await stage.run('apply', '.', '--yes'));
    ok(await stage.apply());
    expect(await live(stage)).toEqual(before);
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
    await stage.signIn('engineers');
    ok(await stage.apply('--allow', 'SERVICE_PUBLIC'));
    expect((await live(stage))?.auth).toMatchObject({
      password_auth: { enabled: true },
      bearer_auth: {
        enabled: true,
        distribution_groups: [(await stage.named('/api/groups', 'engineers'))?.id],
      },
    } as Record<string, Json>);
  }),
);

test('a lock that somebody removes while a sign-in waits is restored', () =>
  services(async stage => {
    await begun(stage, `auth: { ${PASSWORD} }`);
    await stage.write(wiki(`auth: { ${PASSWORD}, ${SIGN_IN} }`));
    ok(await stage.apply());
    const { id = '', ...rest } = (await live(stage)) ?? {};
    await stage.account.call('PUT', `/api/reverse-proxies/services/${id}`, { ...rest, auth: {} });
    expect((await stage.drift()).code).toBe(2);
    const planned = ok(await stage.plan());
    expect(planned.stdout).toContain('auth.password_auth');
    ok(await stage.apply());
    expect((await live(stage))?.auth).toMatchObject({ password_auth: { enabled: true } });
  }));

test('a private service waits as a whole for one of its groups, and additions of other people to it are reverted', () =>
  services(async stage => {
    const both = 'private: true, access_groups: [ops, engineers]';
    await stage.write(wiki(both));
    ok(await stage.apply());
    expect(await live(stage)).toBeUndefined();
    await begun(stage, 'private: true, access_groups: [ops]');
    const before = await live(stage);
    await stage.write(wiki(both));
    for (const more of [[], ['--base', 'auto']]) {
      const planned = ok(await stage.run('plan', '.', ...more));
      expect(planned.stdout).toContain('No changes.');
      expect(planned.stderr).toMatch(/and stays as it (is|was last applied)/);
    }
    ok(await stage.apply());
    expect(await live(stage)).toEqual(before);
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
    const { id = '', ...rest } = before ?? {};
    const servers = (await stage.named('/api/groups', 'servers'))?.id ?? '';
    const more = { ...rest, access_groups: [...listOf(before?.access_groups), servers] };
    await stage.account.call('PUT', `/api/reverse-proxies/services/${id}`, more);
    expect((await stage.drift()).code).toBe(2);
    ok(await stage.apply());
    expect(await live(stage)).toEqual(before);
    await stage.signIn('engineers');
    ok(await stage.apply());
    expect((await live(stage))?.access_groups).toHaveLength(2);
    expect(ok(await stage.drift()).stdout).toContain('No drift.');
  }));
