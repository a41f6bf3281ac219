// An account, as the API's GET answers have it, loaded into an emulator through its controls.
import type { Emulated } from '../emulated.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Answers {
  readonly peers: readonly Fields[];
  readonly groups: readonly Fields[];
  readonly policies: readonly Fields[];
  readonly posture_checks: readonly Fields[];
  readonly routes: readonly Fields[];
  readonly networks: readonly Fields[];
}

/** What a machine reports, and who enrolled it. The emulator chooses addresses itself. */
const REPORTED = [
  'id',
  'name',
  'hostname',
  'connection_ip',
  'os',
  'kernel_version',
  'version',
  'country_code',
  'city_name',
];

/** The calls that loading takes. */
export type Loading = Pick<Emulated, 'control' | 'get' | 'put' | 'remove'>;

/** Replaces what an account of dialect `spec` holds. Ids stay, but for that of the group All. */
export async function loadAnswers(api: Loading, account: unknown): Promise<void> {
  await api.control('POST', '/emulator/reset');
  const answers = Object(account) as Answers;
  const { peers, groups, policies, posture_checks, routes } = answers;
  const all = [await api.get('/api/groups')].flat().map(group => Object(group).id);
  const names = new Map(groups.filter(isAll).map(({ id }) => [id, all[0]]));
  for (const policy of [await api.get('/api/policies')].flat())
    await api.remove(`/api/policies/${Object(policy).id}`);
  const networks = [answers.networks].flat();
  await api.control('POST', '/emulator/load', {
    '/emulator/peers': peers.map(peer => only(peer, REPORTED)),
    '/api/groups': groups
      .filter(group => !isAll(group))
      .map(({ id, name, peers }) => ({ id, name, peers: ids(peers) })),
    '/api/posture-checks': posture_checks,
    '/api/networks': networks.map(({ id, name }) => ({ id, name })),
    ...Object.fromEntries(networks.flatMap(network => parts(network, names))),
    '/api/routes': routes.map(route => only(named(route, names), undefined, ['network_type'])),
    '/api/policies': policies.map(policy => policyBody(policy, names)),
  });
  for (const { id, name, approval_required } of peers)
    if (approval_required === true)
      await api.put(`/api/peers/${id}`, {
        name,
        approval_required,
        ssh_enabled: false,
        login_expiration_enabled: false,
        inactivity_expiration_enabled: false,
      });
}

type Names = ReadonlyMap<unknown, unknown>;

function isAll({ name }: Fields): boolean {
  return name === 'All';
}

function parts({ id, resources, routers }: Fields, names: Names) {
  const bodies = (list: unknown, body: (fields: Fields) => Fields) =>
    [list ?? []].flat().map(one => body(named(Object(one), names)));
  const resource = (one: Fields) => only(one, undefined, ['type']);
  return [
    [`/api/networks/${id}/resources`, bodies(resources, resource)],
    [`/api/networks/${id}/routers`, bodies(routers, router => router)],
  ] as const;
}

function policyBody(policy: Fields, names: Names): Fields {
  const rules = [policy.rules ?? []].flat().map(rule => {
    const { id: _, ...rest } = named(Object(rule), names);
    return rest;
  });
  return { ...policy, rules };
}

/** An object in which the groups it points at are ids, and have the ids of the emulator. */
function named(fields: Fields, names: Names): Fields {
  const lists = ['groups', 'peer_groups', 'access_control_groups', 'sources', 'destinations'];
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        lists.includes(name) ? ids(value).map(id => names.get(id) ?? id) : value,
      ]),
  );
}

function ids(list: unknown): readonly unknown[] {
  return [list ?? []].flat().map(one => (typeof one === 'string' ? one : Object(one).id));
}

function only(fields: Fields, kept = Object.keys(fields), without: readonly string[] = []): Fields {
  return Object.fromEntries(
    kept
      .filter(name => !without.includes(name) && name in fields)
      .map(name => [name, fields[name]]),
  );
}

/** The ids of the accessible peers of each peer. */
export async function accessible(api: Emulated, account: unknown) {
  const found = new Map<string, readonly string[]>();
  for (const { id } of [Object(account).peers].flat()) {
    const list = await api.get(`/api/peers/${id}/accessible-peers`);
    found.set(
      id,
      [list]
        .flat()
        .map(one => String(Object(one).id))
        .toSorted(),
    );
  }
  return Object.fromEntries(found);
}
