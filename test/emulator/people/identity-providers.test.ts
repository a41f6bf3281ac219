// Identity providers (docs/server-behaviour.md#identity-providers).
import { describe, expect, it } from 'vitest';
import type { SignIn } from '../../../src/emulator/index.ts';
import { providerBody } from '../bodies.ts';
import { emulated, refused } from '../emulated.ts';

const PATH = '/api/identity-providers';
const TYPES = [
  'oidc',
  'zitadel',
  'entra',
  'google',
  'okta',
  'pocketid',
  'microsoft',
  'authentik',
  'keycloak',
  'adfs',
];

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it.each(TYPES)('can have the type %s, which its id shows', async type => {
    const api = await emulated({ dialect });
    const { id } = Object(await api.post(PATH, providerBody({ type })));
    expect(id).toMatch(type === 'oidc' ? /^[0-9a-v]{20}$/ : new RegExp(`^${type}-[0-9a-v]{20}$`));
    expect(await api.get(`${PATH}/${id}`)).toMatchObject({ id, type });
  });

  it.each(['google', 'microsoft'])('reads %s as its dialect does: issuer or none', async type => {
    const api = await emulated({ dialect });
    const { issuer } = providerBody();
    const made = Object(await api.post(PATH, providerBody({ type })));
    expect(made).toMatchObject({ issuer });
    expect(await api.get(`${PATH}/${made.id}`)).toMatchObject({
      issuer: dialect === 'spec' ? issuer : '',
    });
  });

  it('needs no issuer if the issuer is well known', async () => {
    const api = await emulated({ dialect });
    await api.post(PATH, providerBody({ type: 'google', issuer: '' }));
  });

  it.each([
    ['an empty name', { name: '' }],
    ['an unknown type', { type: 'saml' }],
    ['an empty client', { client_id: '' }],
    ['an issuer that is no URL', { issuer: 'login' }],
    ['no issuer', { issuer: '' }],
  ])('is refused with %s', async (_, more) => {
    const api = await emulated({ dialect });
    expect(await api.refusal('POST', PATH, providerBody(more))).toEqual(refused(422));
  });

  it('is refused if nobody responds at the issuer', async () => {
    const api = await emulated({ dialect, acceptsIssuer: issuer => issuer.includes('real') });
    expect(await api.refusal('POST', PATH, providerBody())).toEqual(refused(422));
    await api.post(PATH, providerBody({ issuer: 'https://real.example.com' }));
  });

  it('keeps its type, and may have the name of another provider', async () => {
    const api = await emulated({ dialect });
    await api.post(PATH, providerBody());
    const id = await api.make(PATH, providerBody());
    const other = providerBody({ type: 'okta' });
    const status = dialect === 'spec' ? 422 : 500;
    expect(await api.refusal('PUT', `${PATH}/${id}`, other)).toEqual(refused(status));
    const unknown = dialect === 'spec' ? 404 : 500;
    expect(await api.refusal('PUT', `${PATH}/none`, providerBody())).toEqual(refused(unknown));
  });

  it('accepts an empty secret in an update, and never shows a secret', async () => {
    const api = await emulated({ dialect });
    const id = await api.make(PATH, providerBody());
    const body = providerBody({ client_secret: '', name: 'renamed' });
    expect(await api.put(`${PATH}/${id}`, body)).not.toHaveProperty('client_secret');
  });

  it.each<SignIn>(['external', 'none'])(
    'does not exist without the embedded provider: sign-in %s',
    async signIn => {
      const api = await emulated({ dialect, signIn });
      const status = dialect === 'spec' ? 412 : 500;
      expect(await api.get(PATH)).toEqual([]);
      expect(await api.refusal('POST', PATH, providerBody())).toEqual(refused(status));
      for (const method of ['GET', 'DELETE'])
        expect(await api.refusal(method, `${PATH}/none`)).toEqual(refused(status));
    },
  );
});
