// Settings of an account that let somebody do more: no source gains access, and a reviewer sees them as rights.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';
import { BEFORE, type Folder, meshformOf, refused, started } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird' });
});
afterEach(() => account.close());

const settings = (fields: Readonly<Record<string, unknown>>) =>
  `${BEFORE}account_settings: ${JSON.stringify(fields)}\n`;
const STRICT = {
  user_approval_required: true,
  local_mfa_enabled: true,
  jwt_groups_enabled: true,
  jwt_groups_claim_name: 'groups',
  jwt_allow_groups: ['staff'],
  groups_propagation_enabled: false,
  peer_login_expiration_enabled: true,
  peer_login_expiration: 7200,
  peer_inactivity_expiration_enabled: true,
  peer_inactivity_expiration: 600,
  peer_expose_enabled: false,
  peer_expose_groups: ['engineers'],
};
const CASES: readonly (readonly [Readonly<Record<string, unknown>>, ...string[]])[] = [
  [{ user_approval_required: false }, 'sign_in no longer wait for approval'],
  [{ local_mfa_enabled: false }, 'sign_in need no one-time code'],
  [{ jwt_allow_groups: [] }, 'sign_in everybody whom the identity provider knows may sign in'],
  [{ jwt_allow_groups: ['staff', 'guests'] }, 'sign_in people of more groups'],
  [
    { jwt_groups_enabled: false },
    'sign_in everybody whom the identity provider knows may sign in,',
  ],
  [{ jwt_groups_claim_name: 'other' }, 'membership another claim'],
  [{ groups_propagation_enabled: true }, 'membership the peers of people join'],
  [{ peer_login_expiration_enabled: false }, 'sign_in peers of people stay in the network without'],
  [{ peer_login_expiration: 86400 }, 'sign_in peers of people stay in the network for longer'],
  [{ peer_inactivity_expiration_enabled: false }, 'sign_in peers of people may be away for any'],
  [{ peer_inactivity_expiration: 700 }, 'sign_in peers of people may be away for longer'],
  [{ peer_expose_enabled: true }, 'exposure peers in `peer_expose_groups`'],
];

const ALLOWED = ['LOCKS_OUT', 'EXPIRES_MACHINES', 'EXPOSES_WITHOUT_FILES'].flatMap(code => [
  '--allow',
  code,
]);

async function tightened({ want, run }: Folder): Promise<void> {
  await want(settings(STRICT));
  const applied = await run('apply', '--yes', ...ALLOWED);
  expect(applied.code, applied.stderr).toBe(0);
}

test('loosening account settings is reported as a right, tightening them is not', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await tightened(folder);
    const rightsOf = async () =>
      (meshformOf(await run('plan', '--format', 'json')).access.rights ?? []).map(
        (one: { right: string; message: string }) => `${one.right} ${one.message}`,
      );
    for (const [loosened, ...says] of CASES) {
      await want(settings({ ...STRICT, ...loosened }));
      expect(await rightsOf()).toEqual(
        says.map(one => expect.stringContaining(one.slice(one.indexOf(' ') + 1))),
      );
    }
    const all = Object.assign({}, STRICT, ...CASES.map(([loosened]) => loosened));
    await want(settings(all));
    await refused(account, folder, '--no-new-access');
    expect((await run('apply', '--yes', '--allow', 'EXPOSES_WITHOUT_FILES')).code).toBe(0);
    await want(
      settings({
        ...STRICT,
        jwt_groups_enabled: false,
        groups_propagation_enabled: true,
        jwt_groups_claim_name: 'other',
      }),
    );
    expect(await rightsOf()).toEqual([]);
  }));

test('a lockout is reported only if fewer people may sign in', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await tightened(folder);
    const isLockedOut = async (groups: readonly string[]) => {
      await want(settings({ ...STRICT, jwt_allow_groups: groups }));
      return (await run('plan')).stdout.includes('LOCKS_OUT');
    };
    expect(await isLockedOut([])).toBe(false);
    expect(await isLockedOut(['guests', 'staff'])).toBe(false);
    expect(await isLockedOut(['guests'])).toBe(true);
    await want(settings({ ...STRICT, jwt_allow_groups: [] }));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await isLockedOut(['staff'])).toBe(true);
  }));

/** A channel or stream, the right that it gives to see events, and the right about its secret. */
type Case = readonly [file: string, events?: string | undefined, secret?: string];

// The first is the stream as it is.
const STREAMS: readonly Case[] = [
  ['{ platform: generic_http, config: { url: "https://siem.example.com", key: "${env:KEY}" } }'],
  [
    '{ platform: generic_http, config: { url: "https://else.example.com", key: "${env:KEY}" } }',
    'may be sent to somebody else',
    '`config["key"]` is sent to else.example.com',
  ],
  [
    '{ platform: generic_http, config: { url: "https://siem.example.com", key: "${env:KEY}", more: all } }',
    'may be sent to somebody else',
    '`config["key"]` is sent to another address',
  ],
  [
    '{ platform: generic_http, config: { url: "https://siem.example.com", key: "${env:KEY}" }, enabled: false }',
  ],
  [
    '{ platform: datadog, config: { api_key: "${env:KEY}" } }',
    'are sent to the platform',
    '${env:KEY} is sent in `config["api_key"]`',
  ],
  [
    '{ platform: datadog, config: { api_key: "${env:KEY}" }, enabled: false }',
    undefined,
    '${env:KEY} is sent in `config["api_key"]`',
  ],
];
const CHANNEL = (target: string, types: string, rest = '') =>
  `{ type: ${target.includes('@') ? 'email' : 'webhook'}, target: { ${target} }, event_types: [${types}]${rest} }`;
const OPS = 'emails: [ops@example.com]';
const CHANNELS: readonly Case[] = [
  [CHANNEL(OPS, 'user.join')],
  [CHANNEL(OPS, 'user.join, peer.user.add'), 'more events of the account are sent'],
  [CHANNEL(OPS, 'peer.user.add'), 'more events of the account are sent'],
  [CHANNEL(OPS, 'user.join', ', enabled: false')],
  [CHANNEL('emails: [eve@example.com]', 'user.join'), 'are sent to the target'],
  [CHANNEL('url: "https://else.example.com"', 'user.join'), 'are sent to the target'],
  [CHANNEL('url: "https://else.example.com"', 'user.join', ', enabled: false')],
];

test.each(
  someOf(
    [
      ['event_streams', STREAMS],
      ['notification_channels', CHANNELS],
    ] as const,
    1,
  ),
)('%s that send events of the account to another address are reported as a right', (place, cases) =>
  started(account, async ({ cwd, want }) => {
    const env = { ...environmentOf(account), KEY: 'a secret of the platform' };
    const run = (...words: string[]) => meshform(words, { cwd, env });
    const folder = { cwd, want, run };
    const streams = (...files: readonly string[]) => `${BEFORE}${place}: [${files.join(', ')}]\n`;
    const [[first], ...others] = cases as readonly [(typeof cases)[0], ...typeof cases];
    await want(streams(first));
    expect((await run('apply', '--yes')).code).toBe(0);
    for (const [file, events, secret] of others) {
      await want(streams(file));
      const { access } = meshformOf(await run('plan', '--format', 'json'));
      const expected = [
        ...(events === undefined ? [] : [{ right: 'events', message: events }]),
        ...(secret === undefined ? [] : [{ right: 'secret', message: secret }]),
      ].map(one =>
        expect.objectContaining({ ...one, message: expect.stringContaining(one.message) }),
      );
      expect(access.rights ?? [], file).toEqual(expected);
      if (expected.length > 0) await refused(account, folder, '--no-new-access');
    }
    // What is off sends nothing until it is on; but the source of a secret in it is a right already.
    await want(streams(...others.flatMap(([file, events]) => (events ? [] : [file]))));
    if (place === 'event_streams') await refused(account, folder, '--no-new-access');
    const limits = place === 'event_streams' ? [] : ['--no-new-access'];
    expect((await run('apply', '--yes', ...limits)).code).toBe(0);
    await want(streams(first));
    await refused(account, folder, '--no-new-access');
  }),
);
