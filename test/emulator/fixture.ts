// An account with one of everything, and a good request for each operation on it.
import { expect } from 'vitest';
import type { Operation } from '../../src/contract/index.ts';
import {
  allocationBody,
  channelBody,
  checkBody,
  directoryABody,
  directoryBBody,
  EDR_BODIES,
  inviteBody,
  jobBody,
  peerBody,
  policyBody,
  providerBody,
  resourceBody,
  routeBody,
  routerBody,
  ruleBody,
  scimBody,
  setupKeyBody,
  streamBody,
  tenantBody,
  userBody,
  userUpdate,
} from './bodies.ts';
import { type Emulated, idOf } from './emulated.ts';

export interface Fixture {
  /** Has the account as it was laid, but for what the operation needs to be otherwise. */
  restore(operation?: Operation): Promise<void>;
  /** A path on which every placeholder is what it should be, or what `other` says. */
  path(operation: Operation, other?: Readonly<Record<string, string>>): string;
  /** A body that the operation takes; undefined where it takes none. */
  body(operation: Operation): object | undefined;
  /** Ids by the name of their placeholder; those of several kinds that share `id` by their tag. */
  readonly ids: Readonly<Record<string, string>>;
  /** A token of a user without any right. */
  readonly outsider: string;
}

const INTEGRATIONS = '/api/integrations';

/** What else an account has, and the bodies of the operations on it. */
export interface Further {
  readonly ids: Readonly<Record<string, string>>;
  readonly bodies: Readonly<Record<string, object>>;
}

/** Lays the fixture through the API itself. */
export async function startFixture(
  api: Emulated,
  layFurther: (ids: Readonly<Record<string, string>>) => Promise<Further> = async () => ({
    ids: {},
    bodies: {},
  }),
): Promise<Fixture> {
  const ids = { ...(await layNetworks(api)), ...(await layPeople(api)) };
  const known = { ...ids, ...(await layIntegrations(api, ids)) };
  const further = await layFurther(known);
  const more = { ...known, ...further.ids };
  const outsider = Object(await api.control('POST', '/emulator/users', { email: 'o@example.com' }));
  const { token } = Object(await api.control('POST', '/emulator/tokens', { user_id: outsider.id }));
  const bodies = { ...goodBodies(more), ...further.bodies };
  const snapshot = await api.control('GET', '/emulator/snapshot');
  return {
    ids: more,
    restore: async operation => {
      await api.control('PUT', '/emulator/snapshot', snapshot);
      const [, letter] = operation?.id.match(/^createEdrProvider(.)$/) ?? [];
      if (letter !== undefined) await api.call('DELETE', edrPath(letter));
    },
    path: (operation, other = {}) => {
      return pathOf(operation, { ...more, ...ownIds(more)[operation.id], ...other });
    },
    body: ({ id, request }) => {
      if (request === undefined) return undefined;
      const body = bodies[id] ?? bodies[id.replace(/^(create|update)/, '')];
      expect(body, `a body for ${id}`).toBeDefined();
      return body;
    },
    outsider: String(token),
  };
}

/** What a placeholder is for some operations alone. */
function ownIds(ids: Readonly<Record<string, string>>): Readonly<Record<string, object>> {
  return {
    deletePeer: { peerId: ids.deletable },
    getJob: { peerId: ids.gate },
    answerMspTenantInvite: { id: ids.ownTenant },
    inviteMspTenant: { id: ids.otherTenant },
    verifyMspTenantDomain: { id: ids.provedTenant },
    getUserInvite: { invite: ids.inviteToken },
    approveUser: { userId: ids.pending },
    rejectUser: { userId: ids.pending },
    resendUserInvitation: { userId: ids.invited },
    changePassword: { userId: ids.owner },
  };
}

function pathOf({ path, tag }: Operation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === 'id' ? (values.id ?? values[idKey(tag, path)]) : values[name];
    return encodeURIComponent(value ?? 'none');
  });
}

/** Where the value of a placeholder is kept that is only called `id`. */
function idKey(tag: string, path: string): string {
  return tag === 'Directory sync' ? (path.split('/')[3] ?? '') : tag;
}

function edrPath(letter: string): string {
  return `${INTEGRATIONS}/edr/edr-provider-${letter.toLowerCase()}`;
}

async function layNetworks(api: Emulated) {
  const peerId = await api.enrol('laptop');
  const groupId = await api.make('/api/groups', { name: 'unused' });
  const used = await api.make('/api/groups', { name: 'used' });
  const networkId = await api.make('/api/networks', { name: 'n' });
  const sides = { sources: [used], destinations: [used] };
  const check = checkBody({ nb_version_check: { min_version: '1' } });
  const route = routeBody({ network: '10.0.0.0/8', peer: '', groups: [used] });
  const network = `/api/networks/${networkId}`;
  return {
    peerId,
    groupId,
    used,
    networkId,
    resourceId: await api.make(`${network}/resources`, resourceBody()),
    routerId: await api.make(`${network}/routers`, routerBody({ peer_groups: [used] })),
    routeId: await api.make('/api/routes', route),
    policyId: await api.make('/api/policies', policyBody([ruleBody(sides)])),
    postureCheckId: await api.make('/api/posture-checks', check),
  };
}

async function layPeople(api: Emulated) {
  const robot = userBody({ name: 'robot', role: 'admin', is_service_user: true });
  const userId = await api.make('/api/users', robot);
  const person = async (more: object) =>
    idOf(await api.control('POST', '/emulator/users', { email: 'p@example.com', ...more }));
  const invite = Object(await api.post('/api/users/invites', inviteBody()));
  const password = { password: 'Old pass 1' };
  const token = await api.post(`/api/users/${userId}/tokens`, { name: 't', expires_in: 1 });
  return {
    userId,
    tokenId: idOf(Object(token).personal_access_token),
    invite: invite.id,
    inviteId: invite.id,
    inviteToken: invite.invite_token,
    token: invite.invite_token,
    pending: await person({ pending_approval: true }),
    invited: await person({ email: 'i@example.com', invited: true }),
    owner: idOf(await api.control('POST', '/emulator/passwords', password)),
    keyId: await api.make('/api/setup-keys', setupKeyBody()),
    idpId: await api.make('/api/identity-providers', providerBody()),
  };
}

/** Tenants in every state: one to be, one that is proved, one that may be invited; and this account, invited by another. */
async function layTenants(api: Emulated) {
  const path = `${INTEGRATIONS}/msp/tenants`;
  const make = async (domain: string) => Object(await api.post(path, tenantBody({ domain })));
  const { dns_challenge, id: provedTenant, domain } = await make('proved.example.com');
  await api.control('PUT', '/emulator/dns', { domain, texts: [dns_challenge] });
  const email = 'owner@other.example.org';
  const { token } = Object(await api.control('POST', '/emulator/accounts', { email }));
  const as = `Token ${token}`;
  const own = await api.call('POST', path, tenantBody({ domain: 'example.com' }), as);
  const ownTenant = idOf(own.body);
  await api.call('POST', `${path}/${ownTenant}/invite`, undefined, as);
  return { provedTenant, ownTenant, otherTenant: (await make('other.example.org')).id };
}

async function layIntegrations(api: Emulated, { peerId }: { readonly peerId: string }) {
  const gate = await api.enrol('gate');
  const ingress = { peer_id: gate, enabled: true, fallback: true };
  const spare = { ...ingress, peer_id: await api.enrol('spare'), enabled: false };
  await api.make('/api/ingress/peers', ingress);
  for (const [letter, body] of Object.entries(EDR_BODIES)) await api.make(edrPath(letter), body);
  return {
    gate,
    fresh: await api.enrol('fresh'),
    jobId: await api.make(`/api/peers/${gate}/jobs`, jobBody()),
    ingressPeerId: await api.make('/api/ingress/peers', spare),
    allocationId: await api.make(`/api/peers/${peerId}/ingress/ports`, allocationBody()),
    deletable: await api.enrol('deletable'),
    channelId: await api.make(`${INTEGRATIONS}/notifications/channels`, channelBody()),
    ...(await layTenants(api)),
    'MSP tenants': await api.make(`${INTEGRATIONS}/msp/tenants`, tenantBody()),
    'Event streaming': await api.make('/api/event-streaming', streamBody()),
    'scim-idp': await api.make(`${INTEGRATIONS}/scim-idp`, scimBody()),
    'idp-sync-a': await api.make(`${INTEGRATIONS}/idp-sync-a`, directoryABody()),
    'idp-sync-b': await api.make(`${INTEGRATIONS}/idp-sync-b`, directoryBBody()),
  };
}

/** Good bodies, by operation or by what a creation and an update of it are named for. */
function goodBodies(ids: Readonly<Record<string, string>>): Readonly<Record<string, object>> {
  const groups = [ids.used];
  const check = checkBody({ nb_version_check: { min_version: '1' } });
  const resource = resourceBody({ address: '10.20.0.5/32' });
  return {
    createToken: { name: 'another', expires_in: 365 },
    createUser: userBody(),
    updateUser: userUpdate({ role: 'auditor' }),
    changePassword: { old_password: 'Old pass 1', new_password: 'New pass 1' },
    createUserInvite: inviteBody({ email: 'new@example.com' }),
    regenerateUserInvite: {},
    acceptUserInvite: { password: 'New pass 1' },
    Network: { name: 'n' },
    createNetworkResource: { ...resource, name: 'new' },
    updateNetworkResource: { ...resource, name: 'changed' },
    NetworkRouter: routerBody({ peer_groups: groups }),
    updatePeer: peerBody({ name: 'renamed' }),
    createTemporaryAccess: { name: 'guest', wg_pub_key: 'key', rules: ['tcp/80'] },
    createJob: jobBody(),
    IngressPortAllocation: allocationBody(),
    createIngressPeer: { peer_id: ids.fresh, enabled: true, fallback: false },
    updateIngressPeer: { enabled: true, fallback: true },
    Group: { name: 'renamed' },
    Route: routeBody({ network: '10.0.0.0/8', peer: '', groups }),
    createSetupKey: setupKeyBody(),
    updateSetupKey: { revoked: true, auto_groups: groups },
    IdentityProvider: providerBody(),
    Policy: policyBody([ruleBody({ sources: groups, destinations: groups })]),
    PostureCheck: check,
    createPostureCheck: { ...check, name: 'new' },
    createMspTenant: tenantBody({ domain: 'other.example.com' }),
    updateMspTenant: { name: 'renamed', groups: [{ id: ids.used, role: 'admin' }] },
    unlinkMspTenant: { owner: ids.invited },
    changeMspTenantSubscription: { priceID: 'p' },
    answerMspTenantInvite: { value: 'accept' },
    EdrProviderA: EDR_BODIES.A,
    EdrProviderB: EDR_BODIES.B,
    EdrProviderC: EDR_BODIES.C,
    EdrProviderD: EDR_BODIES.D,
    createScimIntegration: scimBody(),
    updateScimIntegration: { enabled: false },
    createDirectorySyncA: directoryABody(),
    updateDirectorySyncA: { sync_interval: 600 },
    createDirectorySyncB: directoryBBody(),
    updateDirectorySyncB: { sync_interval: 600 },
    NotificationChannel: channelBody(),
    EventStream: streamBody(),
  };
}
