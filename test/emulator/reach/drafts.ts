// Accounts in short form for tests of reach, written out as the API's GET answers have them.

interface Draft {
  /** Groups by name, each with its peers, separated by spaces. Peers are those that are named here; All has all of them. */
  readonly groups: Readonly<Record<string, string>>;
  /** What a machine reports that differs from a new agent. */
  readonly machines?: Readonly<Record<string, object>>;
  /** Peers that await approval. */
  readonly waiting?: string;
  readonly checks?: Readonly<Record<string, object>>;
  /** The rules of each policy. */
  readonly policies: readonly PolicyDraft[];
  /** Resources of one network, each with its groups. */
  readonly resources?: Readonly<Record<string, string>>;
  /** Resources that are disabled. */
  readonly disabled?: string;
  /** Routers of that network. */
  readonly routers?: readonly RouterDraft[];
  readonly routes?: readonly object[];
}

interface RouterDraft {
  readonly peer?: string;
  readonly peer_groups?: readonly string[];
  readonly enabled?: boolean;
}

interface PolicyDraft {
  readonly rules: readonly object[];
  readonly enabled?: boolean;
  readonly source_posture_checks?: readonly string[];
}

/** A side of a rule that is a single peer or a resource. */
const single = (id: string, type: string) => ({ id, type });

/**
 * A rule from one side to the other. A side is names of groups, or `peer:` or another type of resource before an id.
 */
export function rule(from: string, to: string, more: object = {}): object {
  const side = (text: string, groups: string, resource: string) => {
    const [type = '', id = ''] = text.split(':');
    return id === '' ? { [groups]: words(text) } : { [resource]: single(id, type) };
  };
  return {
    name: 'rule',
    description: '',
    enabled: true,
    action: 'accept',
    protocol: 'tcp',
    bidirectional: false,
    ports: ['22'],
    ...side(from, 'sources', 'sourceResource'),
    ...side(to, 'destinations', 'destinationResource'),
    ...more,
  };
}

/** A policy of such rules. */
export function policy(rules: readonly object[], more: Partial<PolicyDraft> = {}): PolicyDraft {
  return { rules, ...more };
}

/** The account of a draft. */
export function account(draft: Draft) {
  const { groups, machines = {}, waiting = '', checks = {}, policies, routes = [] } = draft;
  const members = [...new Set(Object.values(groups).flatMap(words))];
  const peers = members.map(id => ({
    id,
    name: id,
    hostname: id,
    version: '0.60.0',
    os: 'Debian GNU/Linux 12',
    kernel_version: '6.1.0',
    country_code: 'DE',
    city_name: 'Berlin',
    connection_ip: '192.0.2.7',
    approval_required: words(waiting).includes(id),
    ...machines[id],
  }));
  return {
    peers,
    groups: Object.entries({ ...groups, All: members.join(' ') }).map(([id, text]) => ({
      id,
      name: id,
      peers: words(text),
    })),
    posture_checks: Object.entries(checks).map(([id, check]) => ({
      id,
      name: id,
      description: '',
      checks: check,
    })),
    policies: policies.map(({ rules, enabled = true, source_posture_checks = [] }, place) => ({
      id: `policy-${place}`,
      name: `policy ${place}`,
      description: '',
      enabled,
      source_posture_checks,
      rules,
    })),
    networks: [networkOf(draft)],
    routes,
  };
}

function networkOf({ resources = {}, disabled = '', routers = [] }: Draft) {
  return {
    id: 'network',
    name: 'network',
    resources: Object.entries(resources).map(([id, text], place) => ({
      id,
      name: id,
      description: '',
      address: `10.0.${place}.0/24`,
      groups: words(text),
      enabled: !words(disabled).includes(id),
    })),
    routers: routers.map((router, place) => ({
      id: `router-${place}`,
      metric: 100,
      masquerade: true,
      enabled: true,
      ...router,
    })),
  };
}

function words(text: string): readonly string[] {
  return text.split(' ').filter(word => word !== '');
}
