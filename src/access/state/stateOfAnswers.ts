// Converts the responses of the API's GET calls to the state. An id becomes a name if the name is
// unique, as everywhere in name space.
import { idKey, keyOf } from '../../model/key.ts';
import { remoteId } from '../../model/names.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import type { AccessState, Part } from './accessState.ts';
import { answerFaults } from './answerForm.ts';
import { SERVICE } from './services.ts';
import type { StateObject } from './stateObject.ts';
import { stateOf } from './stateOf.ts';

/** The state that an account's responses describe, or the reasons why they are not the responses of an account. */
export type Answered =
  | { readonly state: AccessState }
  | { readonly faults: readonly [string, ...string[]] };

/**
 * The state of an account. `account`: its lists as the API returns them, with resources and routers
 * inside their networks.
 */
export function stateOfAnswers(account: Json): Answered {
  const [fault, ...others] = answerFaults(account);
  if (fault !== undefined) return { faults: [fault, ...others] };
  const lists = account as Readonly<Record<string, Json>>;
  return { state: stateOf(objectsOf(lists), unreadOf(lists)) };
}

const LISTS: readonly (readonly [part: Part, kind: string, name: string, list?: string])[] = [
  ['peers', 'peer', 'name'],
  ['groups', 'group', 'name'],
  ['users', 'user', 'email'],
  ['setup_keys', 'setup_key', 'name'],
  ['policies', 'policy', 'name'],
  ['posture_checks', 'posture_check', 'name'],
  ['networks', 'network', 'name'],
  ['routes', 'route', 'network_id'],
  // An account that an older version saved lacks the following lists. If they are missing, it is
  // unknown what is open to the internet.
  ['proxy_services', SERVICE, 'domain', 'services'],
];

/** By field, the kind of its references. */
const REFS: Readonly<Record<string, string>> = {
  peers: 'peer',
  peer: 'peer',
  peer_groups: 'group',
  groups: 'group',
  auto_groups: 'group',
  access_control_groups: 'group',
  sources: 'group',
  destinations: 'group',
  source_posture_checks: 'posture_check',
  access_groups: 'group',
  distribution_groups: 'group',
};

/** By kind, the kind of its parent. */
const PARENTS: Readonly<Record<string, string>> = {
  network_resource: 'network',
  network_router: 'network',
  dns_record: 'dns_zone',
};

type KeyOfId = (kind: string, id: string) => string;

function unreadOf(lists: Fields): ReadonlyMap<Part, string> {
  const absent = LISTS.filter(([part, , , list = part]) => lists[list] === undefined);
  return new Map(absent.map(([part]) => [part, 'not part of the answers']));
}

interface Answer {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly parent?: string;
  readonly body: Fields;
}

function objectsOf(lists: Fields): readonly StateObject[] {
  const answers = [
    ...LISTS.flatMap(([part, kind, name, list = part]) => answersIn(lists[list], kind, name)),
    ...answersIn(lists.zones, 'dns_zone', 'domain'),
  ]
    // Service users are left out, because they do not enrol machines.
    .filter(({ kind, body }) => kind !== 'user' || body.is_service_user !== true);
  const nested = answers.flatMap(({ kind, id, body }): Answer[] => {
    if (kind === 'dns_zone') return answersIn(body.records, 'dns_record', '', id);
    if (kind !== 'network') return [];
    return [
      ...answersIn(body.resources, 'network_resource', 'name', id),
      ...answersIn(body.routers, 'network_router', '', id),
    ];
  });
  const all = [...answers, ...nested];
  const keys = keysOf(all);
  const keyOfId: KeyOfId = (kind, id) => keys.get(`${kind} ${id}`) ?? idKey(remoteId(id));
  return all.map(({ kind, id, parent, body }) => ({
    kind,
    id,
    key: keyOfId(kind, id),
    serverFields: body,
    fields: kind === 'peer' ? {} : named(body, keyOfId),
    ...(parent !== undefined && { parent: keyOfId(PARENTS[kind] ?? '', parent) }),
  }));
}

function answersIn(list: Json | undefined, kind: string, name: string, parent?: string): Answer[] {
  if (!isList(list)) return [];
  return list.filter(isObject).map(body => {
    const called = body[name];
    const answer = { kind, id: String(body.id), name: typeof called === 'string' ? called : '' };
    return { ...answer, body, ...(parent !== undefined && { parent }) };
  });
}

// The keys of objects. A name becomes a key only if it is unique. The name of a child becomes a key
// only if the name of its parent is unique too.
function keysOf(answers: readonly Answer[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const nested of [false, true]) {
    const holders = new Map<string, string[]>();
    for (const { kind, id, name, parent } of answers) {
      if ((parent !== undefined) !== nested || name === '' || name.startsWith('id:')) continue;
      const above = parent === undefined ? [] : [keys.get(`${PARENTS[kind]} ${parent}`)];
      if (above.includes(undefined)) continue;
      const key = keyOf([...above.flatMap(part => part ?? []), name]);
      const ids = holders.get(`${kind} ${key}`);
      if (ids) ids.push(id);
      else holders.set(`${kind} ${key}`, [id]);
    }
    for (const [holder, [id, ...others]] of holders) {
      const [kind = ''] = holder.split(' ', 1);
      if (others.length === 0) keys.set(`${kind} ${id}`, holder.slice(kind.length + 1));
    }
  }
  return keys;
}

function named(body: Fields, keyOfId: KeyOfId): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, namedValue(field, value, keyOfId)]),
  );
}

function namedValue(field: string, value: Json, keyOfId: KeyOfId): Json {
  if (field === 'rules' && isList(value))
    return value.filter(isObject).map(rule => named(rule, keyOfId));
  if (field === 'sourceResource' || field === 'destinationResource')
    return isObject(value) ? single(value, keyOfId) : null;
  if (field === 'targets' && isList(value))
    return value.filter(isObject).map(target => ({ ...target, ...targetOf(target, keyOfId) }));
  if ((field === 'auth' || field === 'bearer_auth') && isObject(value))
    return named(value, keyOfId);
  const kind = REFS[field];
  if (kind === undefined) return value;
  const key = (ref: Json): Json => keyOfId(kind, String(isObject(ref) ? ref.id : ref));
  if (isList(value)) return value.map(key);
  return value === '' || value === null ? '' : key(value);
}

function single({ id, type }: Fields, keyOfId: KeyOfId): Json {
  if (typeof id !== 'string' || id === '') return null;
  const kind = type === 'peer' ? 'peer' : 'network_resource';
  return { [kind]: keyOfId(kind, id) };
}

// The target of a service. A proxy cluster is outside the account.
function targetOf({ target_id: id, target_type: type }: Fields, keyOfId: KeyOfId): Fields {
  return {
    target: type === 'cluster' ? null : single({ id: id ?? null, type: type ?? null }, keyOfId),
  };
}
