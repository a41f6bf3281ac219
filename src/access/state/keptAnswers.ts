// The part of an account's API responses on which access depends, in a form that can be stored for
// months. It contains no secrets, no people, and no values that change hourly without affecting
// access.
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';

type Keep = (value: Json) => Json;

const whole: Keep = value => value;

// The server writes null for an empty list.
const each =
  (keep: Keep): Keep =>
  value =>
    isList(value) ? value.map(keep) : value;

const only =
  (fields: Readonly<Record<string, Keep>>): Keep =>
  value =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(fields).flatMap(([name, keep]) => {
            const given = value[name];
            return given === undefined ? [] : [[name, keep(given)] as const];
          }),
        )
      : value;

const named = (...names: readonly string[]): Readonly<Record<string, Keep>> =>
  Object.fromEntries(names.map(name => [name, whole]));

// Sorted, because a server may return the same items in a different order each time.
const unordered =
  (keep: Keep): Keep =>
  value =>
    isList(value) ? value.map(keep).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)) : value;

const idOf = (value: Json): string => String(isObject(value) ? value.id : value);

// A reference is an id, or an object with an id. Only the id is kept.
const refs = unordered(value => (isObject(value) ? (value.id ?? null) : value));
const target = only(named('id', 'type'));
const lock = only(named('enabled'));

const RULE = only({
  ...named('id', 'name', 'enabled', 'action', 'bidirectional', 'protocol', 'ports', 'port_ranges'),
  sources: refs,
  destinations: refs,
  sourceResource: target,
  destinationResource: target,
});

const SERVICE = only({
  ...named('id', 'domain', 'enabled', 'mode', 'private', 'access_restrictions'),
  access_groups: refs,
  targets: each(
    only({
      ...named('target_id', 'target_type', 'host', 'port', 'protocol', 'enabled'),
      options: only(named('direct_upstream')),
    }),
  ),
  auth: only({
    password_auth: lock,
    pin_auth: lock,
    header_auths: each(lock),
    bearer_auth: only({ enabled: whole, distribution_groups: refs }),
  }),
});

/** The facts about machines that each posture check needs, by the name of the check. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  nb_version_check: ['version'],
  os_version_check: ['os', 'kernel_version'],
  geo_location_check: ['country_code', 'city_name'],
  peer_network_range_check: ['connection_ip'],
};

/** Options for what is stored. */
export interface KeptExtent {
  /** Whether machines and users keep their names. If not, their ids replace the names. */
  readonly hasPeople: boolean;
}

/**
 * The lists of an account, reduced to what access depends on. Expired logins of machines are left
 * out: they change often, and a machine that sent traffic was logged in at that time. Facts about
 * machines are stored only if a posture check needs them.
 */
export function keptAnswers(account: Fields, { hasPeople }: KeptExtent): Fields {
  const facts = new Set(checksIn(account).flatMap(check => FACTS[check] ?? []));
  const names = hasPeople ? ['name', 'dns_label', 'extra_dns_labels'] : [];
  const machine = [...names, ...facts];
  const lists: Readonly<Record<string, Keep>> = {
    peers: only(named('id', 'ip', 'ipv6', 'user_id', 'approval_required', 'ephemeral', ...machine)),
    groups: only({ ...named('id', 'name'), peers: refs }),
    users: only({
      ...named('id', 'is_service_user', 'is_blocked', ...(hasPeople ? ['name', 'email'] : [])),
      auto_groups: refs,
    }),
    setup_keys: only({ ...named('id', 'name', 'revoked', 'valid'), auto_groups: refs }),
    policies: only({
      ...named('id', 'name', 'enabled'),
      rules: each(RULE),
      source_posture_checks: refs,
    }),
    posture_checks: only(named('id', 'name', 'checks')),
    networks: only({
      ...named('id', 'name'),
      resources: unordered(only({ ...named('id', 'name', 'address', 'enabled'), groups: refs })),
      routers: unordered(only({ ...named('id', 'enabled', 'peer'), peer_groups: refs })),
    }),
    routes: only({
      ...named('id', 'network_id', 'enabled', 'network', 'domains', 'peer'),
      peer_groups: refs,
      groups: refs,
      access_control_groups: refs,
    }),
    zones: only({
      ...named('id', 'domain', 'enabled', 'enable_search_domain'),
      distribution_groups: refs,
      records: unordered(only(named('id', 'name', 'type', 'content'))),
    }),
    services: SERVICE,
  };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, keep]) => {
      const given = account[name];
      return given === undefined ? [] : [[name, unordered(keep)(given)] as const];
    }),
  );
}

function checksIn({ posture_checks: all }: Fields): readonly string[] {
  if (!isList(all ?? null)) return [];
  return (all as readonly Json[]).flatMap(check =>
    isObject(check) && isObject(check.checks) ? Object.keys(check.checks) : [],
  );
}

/** The ids of the connected machines, from the list of machines that the API returns. */
export function connectedIn({ peers }: Fields): readonly string[] {
  if (!isList(peers ?? null)) return [];
  return (peers as readonly Json[]).flatMap(peer =>
    isObject(peer) && peer.connected === true ? String(peer.id) : [],
  );
}

/** The times at which disconnected machines were last connected, in milliseconds, by their ids. */
export function lastSeenIn({ peers }: Fields): ReadonlyMap<string, number> {
  if (!isList(peers ?? null)) return new Map();
  return new Map(
    (peers as readonly Json[]).flatMap((peer): [string, number][] => {
      if (!isObject(peer) || peer.connected === true) return [];
      const time = Date.parse(String(peer.last_seen));
      return Number.isNaN(time) ? [] : [[String(peer.id), time]];
    }),
  );
}

/** The settings of the traffic log. */
export interface LogSettings {
  readonly isOn: boolean;
  /** The ids of the groups whose machines report; empty if all machines report. */
  readonly groups: readonly string[];
  readonly countsPackets: boolean;
}

/** The kind that contains the settings of the traffic log. */
export const LOG_KIND = 'account_settings';

/** The settings of the traffic log, from the list that the API returns; null if the account does not show them. */
export function logSettingsIn({ [LOG_KIND]: accounts }: Fields): LogSettings | null {
  const [account] = isList(accounts ?? null) ? (accounts as readonly Json[]) : [];
  const settings = isObject(account) ? account.settings : undefined;
  const extra = isObject(settings) ? settings.extra : undefined;
  if (!isObject(extra) || typeof extra.network_traffic_logs_enabled !== 'boolean') return null;
  const groups = extra.network_traffic_logs_groups ?? null;
  return {
    isOn: extra.network_traffic_logs_enabled,
    groups: isList(groups) ? groups.map(String) : [],
    countsPackets: extra.network_traffic_packet_counter_enabled === true,
  };
}

/** The id of the account, from the list that the API returns; empty if the account does not show it. */
export function accountIdIn({ [LOG_KIND]: accounts }: Fields): string {
  const [account] = isList(accounts ?? null) ? (accounts as readonly Json[]) : [];
  return isObject(account) ? String(account.id) : '';
}

/**
 * The ids of the machines and groups in the lists that the API returns. Two accounts never share
 * such an id.
 */
export function idsOfAccount({ peers, groups }: Fields): ReadonlySet<string> {
  const lists = [peers, groups].map(list =>
    isList(list ?? null) ? (list as readonly Json[]) : [],
  );
  return new Set(lists.flatMap(list => list.map(idOf)));
}

/** The kind of machines. */
export const MACHINE_KIND = 'peer';

/**
 * The id of the only machine with a given name, in the list that the API returns; null if there is
 * none, or if there are several.
 */
export function machineNamed({ peers }: Fields, name: string): string | null {
  const list = isList(peers ?? null) ? (peers as readonly Json[]).filter(isObject) : [];
  const [found, ...others] = list.filter(peer => peer.name === name);
  return found === undefined || others.length > 0 ? null : String(found.id);
}

/**
 * The lists without a machine: without its object, its memberships in groups, and all references to
 * it.
 */
export function forgotten(account: Fields, machine: string): Fields {
  const without = (value: Json): Json => {
    if (isList(value)) return value.filter(one => one !== machine).map(without);
    if (!isObject(value)) return value === machine ? '' : value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one)]));
  };
  const { peers, ...others } = account;
  const kept = isList(peers ?? null)
    ? (peers as readonly Json[]).filter(peer => !isObject(peer) || peer.id !== machine)
    : [];
  return { ...(without(others) as Fields), ...(peers !== undefined && { peers: kept }) };
}
