// The state changes of the specification that no other test is named for, and that each of them has a test that is.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { peerBody, setupKeyBody } from '../bodies.ts';
import { emulated, refused } from '../emulated.ts';
import { person } from '../people/people.ts';

/** Each row: its subject and state, and the operation or event. */
const ROWS = [
  ['User: pending_approval = true', 'POST approve: approved'],
  ['User: pending_approval = true', 'DELETE reject: removed from the account'],
  ['User: any', 'PUT with is_blocked = true: blocked'],
  ['User: any', 'DELETE: loses access to the system'],
  ['Invite: pending', 'POST /api/users/invites: pending, token issued'],
  ['Invite: pending', 'POST accept: accepted'],
  ['Invite: pending', 'POST regenerate: a new token and a new expiry'],
  ['Invite: pending', 'DELETE: deleted'],
  ['Invite: pending', 'passing expires_at: expired = true'],
  ['Temporary access peer: connected', 'peer disconnects: deleted'],
  ['Job: pending', 'the machine answers: succeeded'],
  ['Job: pending', 'nobody answers for five minutes: failed'],
  ['Setup key: valid, revoked, state', 'PUT sets revoked'],
  ['MSP tenant: pending', 'POST dns, the challenge is in the DNS: active'],
  ['MSP tenant: existing', 'POST invite: invited'],
  ['MSP tenant: invited', 'PUT invite, accept: active'],
  ['MSP tenant: invited', 'PUT invite, decline: existing'],
  ['MSP tenant: any', 'POST unlink: the tenant no longer exists'],
  ['Peer: connected, login_expired, approval_required', 'connects and disconnects'],
  ['Peer: connected, login_expired, approval_required', 'passing the login lifetime'],
  ['Peer: connected, login_expired, approval_required', 'PUT sets approval_required'],
] as const;

const EMULATOR = new URL('../', import.meta.url);
const TESTS = readdirSync(EMULATOR, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts'))
  .map(name => readFileSync(new URL(name, EMULATOR), 'utf8'));

it.each(ROWS)('%s, %s: has a test named after it', (subject, move) => {
  const named = TESTS.filter(text => text.includes(`'${subject}`) && text.includes(`it('${move}`));
  expect(named).toHaveLength(1);
});

describe('Setup key: valid, revoked, state', () => {
  it('PUT sets revoked: revoked, and never valid again', async () => {
    const api = await emulated();
    const path = `/api/setup-keys/${await api.make('/api/setup-keys', setupKeyBody())}`;
    expect(await api.get(path)).toMatchObject({ valid: true, revoked: false, state: 'valid' });
    const revoked = { valid: false, revoked: true, state: 'revoked' };
    expect(await api.put(path, { revoked: true, auto_groups: [] })).toMatchObject(revoked);
    const back = { revoked: false, auto_groups: [] };
    expect(await api.refusal('PUT', path, back)).toEqual(refused(422));
    expect(await api.get(path)).toMatchObject(revoked);
  });
});

describe('Peer: connected, login_expired, approval_required', () => {
  it('connects and disconnects: `connected` changes accordingly', async () => {
    const api = await emulated();
    const id = await api.enrol('laptop');
    for (const [move, connected] of [
      ['disconnect', false],
      ['connect', true],
    ] as const) {
      await api.control('POST', `/emulator/peers/${id}/${move}`);
      expect(await api.get(`/api/peers/${id}`)).toMatchObject({ connected });
    }
  });

  it('passing the login lifetime: login_expired = true, unless it does not expire', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const own = await api.enrol('own', { user_id: ada.id });
    const shared = await api.enrol('shared');
    await api.control('POST', '/emulator/clock', { advance: 86_400 });
    expect(await api.get(`/api/peers/${own}`)).toMatchObject({ login_expired: true });
    expect(await api.get(`/api/peers/${shared}`)).toMatchObject({ login_expired: false });
    await api.put(`/api/peers/${own}`, peerBody({ name: 'own' }));
    expect(await api.get(`/api/peers/${own}`)).toMatchObject({ login_expired: false });
  });

  it('PUT sets approval_required: reaches nobody until it is removed', async () => {
    const api = await emulated();
    const id = await api.enrol('laptop');
    const other = await api.enrol('server');
    const path = `/api/peers/${id}`;
    const reached = (peer: string) => api.get(`/api/peers/${peer}/accessible-peers`);
    const put = (approval_required: boolean) => api.put(path, peerBody({ approval_required }));
    expect(await put(true)).toMatchObject({ approval_required: true });
    expect([await reached(id), await reached(other)]).toEqual([[], []]);
    await put(false);
    expect(await reached(id)).toMatchObject([{ id: other }]);
  });
});
