// Invites: made, listed with their end, taken back (docs/server-behaviour.md#invites).
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../../src/emulator/ids/secret-tokens.ts';
import type { SignIn } from '../../../src/emulator/index.ts';
import { inviteBody } from '../bodies.ts';
import { emulated, refused } from '../emulated.ts';

const PATH = '/api/users/invites';
const HOUR = 3600;

const lifetime = (invite: unknown): number => {
  const { created_at, expires_at } = Object(invite);
  return (Date.parse(expires_at) - Date.parse(created_at)) / 1000;
};

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('has a token that is shown once, and is omitted from the list', async () => {
    const api = await emulated({ dialect });
    const { invite_token, ...invite } = Object(await api.post(PATH, inviteBody()));
    expect(isWellFormed('invite', invite_token)).toBe(true);
    expect(invite).toMatchObject({ ...inviteBody(), expired: false });
    expect(await api.get(PATH)).toEqual([invite]);
  });

  it('is valid for three days by default', async () => {
    const api = await emulated({ dialect });
    expect(lifetime(await api.post(PATH, inviteBody()))).toBe(72 * HOUR);
    const short = inviteBody({ email: 'b@example.com', expires_in: HOUR });
    expect(lifetime(await api.post(PATH, short))).toBe(HOUR);
    const zero = inviteBody({ email: 'c@example.com', expires_in: 0 });
    expect(lifetime(await api.post(PATH, zero))).toBe(72 * HOUR);
  });

  it('stays in the list when it has expired, and says so', async () => {
    const api = await emulated({ dialect });
    await api.post(PATH, inviteBody({ expires_in: HOUR }));
    await api.control('POST', '/emulator/clock', { advance: HOUR });
    expect(await api.get(PATH)).toMatchObject([{ expired: true }]);
  });

  it('is refused for an email that a user or an invite has', async () => {
    const api = await emulated({ dialect });
    await api.post(PATH, inviteBody());
    expect(await api.refusal('POST', PATH, inviteBody())).toEqual(refused(409));
    const taken = inviteBody({ email: 'Owner@Example.com' });
    expect(await api.refusal('POST', PATH, taken)).toEqual(refused(409));
  });

  it.each([
    ['an empty name', { name: '' }],
    ['an empty email', { email: '' }],
    ['the role of the owner', { role: 'Owner' }],
  ])('is refused with %s', async (_, more) => {
    const api = await emulated({ dialect });
    expect(await api.refusal('POST', PATH, inviteBody(more))).toEqual(refused(422));
  });

  it('may omit roles and groups, and does not prevent the deletion of a group', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    await api.post(PATH, inviteBody({ role: 'king', auto_groups: [group, 'none'] }));
    await api.remove(`/api/groups/${group}`);
  });

  it.each<SignIn>(['external', 'none'])(
    'needs the embedded identity provider; with %s each request is a 412',
    async signIn => {
      const api = await emulated({ dialect, signIn });
      expect(await api.refusal('GET', PATH)).toEqual(refused(412));
      expect(await api.refusal('POST', PATH, inviteBody())).toEqual(refused(412));
      expect(await api.refusal('DELETE', `${PATH}/none`)).toEqual(refused(412));
    },
  );
});

it('is valid for an hour at least, if the dialect is netbird', async () => {
  const short = inviteBody({ expires_in: HOUR - 1 });
  const netbird = await emulated({ dialect: 'netbird' });
  expect(await netbird.refusal('POST', PATH, short)).toEqual(refused(422));
  const spec = await emulated();
  expect(lifetime(await spec.post(PATH, short))).toBe(HOUR - 1);
});

it('leaves the invitation of users to the existing provider', async () => {
  const body = { email: 'ada@example.com', name: 'Ada', role: 'user', auto_groups: [] };
  const person = { ...body, is_service_user: false };
  const external = await emulated({ signIn: 'external' });
  const invited = await external.post('/api/users', person);
  expect(invited).toMatchObject({ status: 'invited' });
  expect(invited).not.toHaveProperty('password');
  const none = await emulated({ signIn: 'none' });
  expect(await none.refusal('POST', '/api/users', person)).toEqual(refused(412));
});
