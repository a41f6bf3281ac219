// Who may call, and what is answered to those who may not (docs/server-behaviour.md#credentials).
import { describe, expect, it } from 'vitest';
import { digest, isWellFormed, newSecretToken } from '../../../src/emulator/ids/secret-tokens.ts';
import { memoryStore, seededRandom } from '../../../src/emulator/index.ts';
import { openInstallation } from '../../../src/emulator/store/account.ts';
import { emulated } from '../emulated.ts';

const refusalOf = (status: number, message: string) => ({
  status,
  body: { message, code: status },
});

describe('a personal access token', () => {
  it('is 40 characters with a prefix and a checksum', () => {
    const token = newSecretToken('personal', seededRandom(1));
    expect(token).toMatch(/^nbp_[0-9A-Za-z]{36}$/);
    expect(isWellFormed('personal', token)).toBe(true);
  });

  it('a token with the checksum of another implementation, written in base 62, is well formed', () => {
    // CRC-32 of 30 zeros is 0x77e5db82; in base 62, most significant digit first, that is 2C8GjS.
    expect(isWellFormed('personal', `nbp_${'0'.repeat(30)}2C8GjS`)).toBe(true);
  });

  it('a token with one character changed, cut or added is not well formed', () => {
    const token = newSecretToken('personal', seededRandom(2));
    const other = token.at(10) === 'a' ? 'b' : 'a';
    expect(isWellFormed('personal', `${token.slice(0, 10)}${other}${token.slice(11)}`)).toBe(false);
    expect(isWellFormed('personal', token.slice(0, -1))).toBe(false);
    expect(isWellFormed('personal', `${token}0`)).toBe(false);
    expect(isWellFormed('personal', token.replace('nbp_', 'nbi_'))).toBe(false);
  });
});

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('accepts the token under Token, in any case, and under Bearer', async () => {
    const api = await emulated({ dialect });
    for (const scheme of ['Token', 'token', 'TOKEN', 'Bearer'])
      expect(
        await api.call('GET', '/api/groups', undefined, `${scheme} ${api.token}`),
      ).toMatchObject({
        status: 200,
      });
  });

  it.each(['', 'Token', 'Token a b', 'Basic dTpw', 'nonsense'])(
    'answers 401 to the header %j',
    async header => {
      const api = await emulated({ dialect });
      expect(await api.call('GET', '/api/groups', undefined, header)).toMatchObject(
        refusalOf(401, 'no valid authentication provided'),
      );
    },
  );

  it.each(['Token nonsense', `Token nbp_${'0'.repeat(36)}`, 'Bearer e30.e30.c2ln'])(
    'answers 401 to a malformed token: %s',
    async header => {
      const api = await emulated({ dialect });
      expect(await api.call('GET', '/api/groups', undefined, header)).toMatchObject(
        refusalOf(401, 'token invalid'),
      );
    },
  );

  it('answers 404 to a well-formed unknown token', async () => {
    const api = await emulated({ dialect });
    const stranger = newSecretToken('personal', seededRandom(99));
    expect(await api.call('GET', '/api/groups', undefined, `Token ${stranger}`)).toMatchObject(
      refusalOf(404, `personal access token: ${digest(stranger).toLowerCase()} not found`),
    );
  });

  it('authenticates the caller before it looks for objects or at bodies', async () => {
    const api = await emulated({ dialect });
    expect(await api.call('PUT', '/api/groups/none', '{', '')).toMatchObject({ status: 401 });
  });
});

describe('a token given to the emulator', () => {
  it('is usable as it is, whatever its form', async () => {
    const api = await emulated({ token: 'let-me-in' });
    expect(api.token).toBe('let-me-in');
    expect(await api.get('/api/groups')).toHaveLength(1);
  });
});

describe('the stored form of a token', () => {
  it('is a digest, and when it was last used', async () => {
    const store = memoryStore();
    const clock = () => new Date('2026-01-02T03:04:05Z');
    const api = await emulated({ store, clock });
    await api.call('GET', '/api/groups/none');
    const credentials = store.transaction(rows => openInstallation(rows).credentials.all());
    expect(credentials).toMatchObject([
      { id: digest(api.token), last_used: '2026-01-02T03:04:05.000Z' },
    ]);
    expect(JSON.stringify(credentials)).not.toContain(api.token);
  });

  it('includes its expiry, after which it is refused with a 401', async () => {
    const store = memoryStore();
    let now = '2026-01-02T00:00:00Z';
    const api = await emulated({ store, clock: () => new Date(now) });
    store.transaction(rows => {
      const { credentials } = openInstallation(rows);
      for (const one of credentials.all())
        credentials.put({ ...one, expires: '2026-01-03T00:00:00.000Z' });
    });
    await api.get('/api/groups');
    now = '2026-01-03T00:00:00Z';
    expect(await api.refusal('GET', '/api/groups')).toEqual([401, 'token invalid']);
  });
});
