// Identity providers other than the embedded one (docs/server-behaviour.md#identity-providers). Their secrets are never shown.

import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import type { IdentityProviderRecord } from '../records/integrations.ts';
import { done, ok } from '../request/answer.ts';
import { object, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, mishandled, notFound, precondition } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const BODY = object({
  type: text,
  name: text,
  issuer: text,
  client_id: text,
  client_secret: text,
});

/** The supported types; for some types the issuer is fixed. */
const PLAIN = 'oidc';
const WITH_KNOWN_ISSUER = ['google', 'microsoft'];
const TYPES = [
  PLAIN,
  'zitadel',
  'entra',
  'okta',
  'pocketid',
  'authentik',
  'keycloak',
  'adfs',
  ...WITH_KNOWN_ISSUER,
];

export const identityProviders: Handlers = {
  listIdentityProviders: (account, _request, environment) => {
    const all = environment.signIn === 'embedded' ? account.identityProviders.all() : [];
    return ok(all.map(provider => view(provider, environment)));
  },

  createIdentityProvider: (account, request, environment) => {
    requireEmbedded(environment);
    const body = checked(request, environment);
    const { chosen } = environment;
    const id = objectId(account.identityProviders, environment);
    const isBare = body.type === PLAIN || chosen?.id !== undefined;
    const provider = written(body, isBare ? id : `${body.type}-${id}`);
    account.identityProviders.put(provider);
    log(account, 'identityprovider.create', provider);
    return ok({ ...provider });
  },

  getIdentityProvider: (account, request, environment) => {
    requireEmbedded(environment);
    return ok(view(find(account, request), environment));
  },

  updateIdentityProvider: (account, request, environment) => {
    requireEmbedded(environment);
    const body = checked(request, environment);
    const before = account.identityProviders.get(request.path('idpId'));
    if (before === undefined)
      throw mishandled(environment, notFound('identity provider', request.path('idpId')));
    if (before.type !== body.type)
      throw mishandled(environment, invalid('the type of an identity provider cannot be changed'));
    const provider = written(body, before.id);
    account.identityProviders.put(provider);
    log(account, 'identityprovider.update', provider);
    return ok({ ...provider });
  },

  deleteIdentityProvider: (account, request, environment) => {
    requireEmbedded(environment);
    const provider = find(account, request);
    account.identityProviders.remove(provider.id);
    log(account, 'identityprovider.delete', provider);
    return done();
  },
};

function requireEmbedded(environment: Environment): void {
  if (environment.signIn !== 'embedded')
    throw mishandled(environment, precondition('the embedded identity provider is not enabled'));
}

function find(account: Account, request: ApiRequest): IdentityProviderRecord {
  const id = request.path('idpId');
  const provider = account.identityProviders.get(id);
  if (provider === undefined) throw notFound('identity provider', id);
  return provider;
}

function checked(request: ApiRequest, { acceptsIssuer }: Environment): Read<typeof BODY> {
  const body = request.body(BODY);
  const { type, name, issuer, client_id } = body;
  if (name === '') throw invalid('identity provider name is required');
  if (type === '') throw invalid('identity provider type is required');
  if (!TYPES.includes(type)) throw invalid(`unsupported identity provider type: ${type}`);
  if (client_id === '') throw invalid('identity provider client id is required');
  if (issuer === '' && !WITH_KNOWN_ISSUER.includes(type))
    throw invalid('identity provider issuer is required');
  if (issuer !== '' && !isUrl(issuer)) throw invalid(`the issuer must be a valid URL: ${issuer}`);
  if (issuer !== '' && !acceptsIssuer(issuer))
    throw invalid(`identity provider issuer is unreachable: ${issuer}`);
  return body;
}

function isUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol);
}

function written(body: Read<typeof BODY>, id: string): IdentityProviderRecord {
  const { type, name, issuer, client_id } = body;
  return { id, type, name, issuer, client_id };
}

function log(
  account: Account,
  code: 'identityprovider.create' | 'identityprovider.update' | 'identityprovider.delete',
  { id, name, type, issuer }: IdentityProviderRecord,
): void {
  account.log({ code, target: id, meta: { name, type, issuer } });
}

function view(provider: IdentityProviderRecord, { behaviour }: Environment) {
  const isHidden =
    behaviour.issuers === 'hidden where known' && WITH_KNOWN_ISSUER.includes(provider.type);
  return isHidden ? { ...provider, issuer: '' } : provider;
}
