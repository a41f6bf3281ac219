// Declared objects as an account with one machine for everyone who may come: files alone, for the slow evaluator.
import type { Desired } from '../../../src/model/object.ts';
import type { Account, Check, Peer, Policy, Resource, Route, Rule, Served } from './account.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the machines of an account are like, and whether their policies have checks. */
export interface Assumed {
  readonly facts?: Partial<Peer>;
  /** `pass`: as if no policy had checks. `against`: as if whatever a check opens were not there. */
  readonly posture: 'pass' | 'against' | 'judged';
}

/** The account of these files. Each group has two machines, which are also in All, by the name of the group. */
export function accountOfFiles(desired: readonly Desired[], { facts, posture }: Assumed): Account {
  const of = (kind: string) => desired.filter(one => one.kind === kind);
  const checks = of('posture_check').map(
    ({ key, fields }): Check => ({ id: key, name: key, checks: fields.checks as Check['checks'] }),
  );
  const policies = of('policy').map(one => policyOf(one, checks, posture));
  const names = new Set([...of('group').map(({ key }) => key), ...groupsNamed(desired), 'All']);
  const peers = [...names]
    .flatMap(machinesOf)
    .map(
      (id): Peer => ({ id, name: id, approval_required: false, login_expired: false, ...facts }),
    );
  return {
    peers,
    groups: [...names].map(id => ({
      id,
      name: id,
      peers: id === 'All' ? peers.map(peer => ({ id: peer.id })) : refs(machinesOf(id)),
    })),
    policies,
    posture_checks: posture === 'judged' ? checks : [],
    routes: of('route').map(routeOf),
    networks: of('network').map(({ key }) => ({
      id: key,
      name: key,
      resources: of('network_resource').filter(inNetwork(key)).map(resourceOf),
      routers: of('network_router')
        .filter(inNetwork(key))
        .map(one => ({ id: one.key, enabled: isOn(one.fields), ...servedBy(one.fields) })),
    })),
  };
}

const machinesOf = (group: string): string[] => [group, `${group} again`];

const inNetwork =
  (network: string) =>
  ({ parent }: Desired): boolean =>
    parent === network;

const isOn = ({ enabled = true }: Fields): boolean => enabled === true;
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const refs = (value: unknown) => texts(value).map(id => ({ id }));

function policyOf({ key, fields }: Desired, checks: readonly Check[], posture: string): Policy {
  const own = texts(fields.source_posture_checks);
  const isChecked = own.length > 0 && (checks.length > 0 || posture === 'against');
  const rules = (fields.rules as Fields[]).map((rule, at) => ruleOf(rule, `${key} ${at}`));
  const kept = rules.map(rule => ({
    ...rule,
    enabled: rule.enabled && !(isChecked && posture === 'against' && rule.action === 'accept'),
  }));
  return {
    id: key,
    name: key,
    enabled: isOn(fields),
    rules: kept,
    source_posture_checks: posture === 'judged' ? own : [],
  };
}

function ruleOf(fields: Fields, id: string): Rule {
  const { action = 'accept', protocol = 'all', bidirectional = false } = fields;
  const single = fields.destinationResource as Fields | undefined;
  return {
    id,
    name: id,
    enabled: isOn(fields),
    bidirectional: bidirectional === true,
    action: String(action),
    protocol: String(protocol),
    ...(fields.ports !== undefined && { ports: texts(fields.ports) }),
    ...(fields.port_ranges !== undefined && {
      port_ranges: fields.port_ranges as NonNullable<Rule['port_ranges']>,
    }),
    sources: refs(fields.sources),
    destinations: refs(fields.destinations),
    ...(single && { destinationResource: { id: String(single.network_resource), type: 'host' } }),
  };
}

function resourceOf({ key, fields }: Desired): Resource {
  const { address } = fields;
  return {
    id: key,
    name: key,
    address: String(address),
    enabled: isOn(fields),
    groups: refs(fields.groups),
  };
}

function routeOf({ key, fields }: Desired): Route {
  return {
    id: key,
    network_id: String(fields.network_id),
    enabled: isOn(fields),
    ...(fields.network !== undefined && { network: String(fields.network) }),
    ...(fields.domains !== undefined && { domains: texts(fields.domains) }),
    ...servedBy(fields),
    groups: texts(fields.groups),
    access_control_groups: texts(fields.access_control_groups),
  };
}

const servedBy = ({ peer_groups }: Fields): Served => ({ peer_groups: texts(peer_groups) });

function groupsNamed(desired: readonly Desired[]): string[] {
  return desired.flatMap(({ fields }) => [
    ...[fields.groups, fields.peer_groups, fields.access_control_groups].flatMap(texts),
    ...((fields.rules as Fields[] | undefined) ?? []).flatMap(rule => [
      ...texts(rule.sources),
      ...texts(rule.destinations),
    ]),
  ]);
}
