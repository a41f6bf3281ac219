// Files for a large account, with edits all over them, and a server that answers with that account from memory.
import type { ReadTransport } from '../../../src/api/transport/transport.ts';
import type { Json } from '../../../src/model/value.ts';
import type { Account, Policy, Rule } from '../slow/account.ts';

/** The files of an account that change so many of its objects, as one text: JSON is YAML. */
export function editedFiles(
  { policies, networks, posture_checks, groups }: Account,
  edits: number,
): string {
  const [first] = posture_checks;
  const edited = policies.map((policy, at) => (at % 45 === 7 ? editedPolicy(policy, at) : policy));
  const added = edited.slice(0, edits - 1 - Math.ceil((policies.length - 7) / 45));
  return JSON.stringify({
    groups: groups.filter(({ name }) => name !== 'All').map(({ name }) => ({ name })),
    posture_checks: posture_checks.map(({ name, checks }) => ({
      name,
      checks: name === first?.name ? { nb_version_check: { min_version: '0.61.0' } } : checks,
    })),
    policies: [
      ...edited.map(written),
      ...added.map(policy => ({ ...written(policy), name: `${policy.name} again` })),
    ],
    networks: networks.map(({ name, resources, routers }) => ({
      name,
      resources: resources.map(one => ({
        name: one.name,
        address: one.address,
        groups: one.groups.map(({ id }) => nameOf(id)),
      })),
      routers: routers.map(({ peer_groups = [] }) => ({
        peer_groups: peer_groups.map(nameOf),
        metric: 100,
        masquerade: true,
      })),
    })),
  });

  function written(policy: Policy) {
    const checks = policy.source_posture_checks.map(
      id => posture_checks.find(one => one.id === id)?.name ?? id,
    );
    return {
      name: policy.name,
      enabled: policy.enabled,
      source_posture_checks: checks,
      rules: policy.rules.map(rule => ({
        name: rule.name,
        enabled: rule.enabled,
        action: rule.action,
        protocol: rule.protocol,
        bidirectional: rule.bidirectional,
        ...(rule.ports && { ports: rule.ports }),
        sources: (rule.sources ?? []).map(({ id }) => nameOf(id)),
        destinations: (rule.destinations ?? []).map(({ id }) => nameOf(id)),
      })),
    };
  }
}

/** A server that answers every list of an account. */
export function answering(account: Account): ReadTransport {
  const { networks, ...lists } = account;
  const answers = new Map<string, string>([
    ...Object.entries(lists).map(
      ([name, list]) => [`/${name.replaceAll('_', '-')}`, JSON.stringify(list)] as const,
    ),
    ['/networks', JSON.stringify(networks.map(({ id, name }) => ({ id, name })))],
    ...networks.flatMap(({ id, resources, routers }) => [
      [`/networks/${id}/resources`, JSON.stringify(resources)] as const,
      [`/networks/${id}/routers`, JSON.stringify(routers)] as const,
    ]),
  ]);
  let requests = 0;
  return {
    requests: () => requests,
    get: path => {
      requests++;
      const name = path.replace(/^\/api/, '').replace(/\?.*$/, '');
      return Promise.resolve(JSON.parse(answers.get(name) ?? '[]') as Json);
    },
  };
}

function editedPolicy(policy: Policy, at: number): Policy {
  const rules = policy.rules.map((rule): Rule => {
    if (at % 3 === 0) return { ...rule, protocol: 'tcp', ports: ['22', '443'] };
    return at % 3 === 1
      ? { ...rule, sources: rule.destinations ?? [], destinations: rule.sources ?? [] }
      : { ...rule, bidirectional: !rule.bidirectional };
  });
  return { ...policy, enabled: at % 4 !== 0, rules };
}

const nameOf = (id: string): string => (id === 'gAll' ? 'All' : id.replace('g', 'group-'));
