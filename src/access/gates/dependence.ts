// The lists on which a statement about access depends. The statement cannot be judged while one of
// these lists is unread.
import type { Selector } from '../ask/selector.ts';
import type { AccessState, Part } from '../state/accessState.ts';

const ALWAYS: readonly Part[] = ['peers', 'groups', 'users', 'setup_keys', 'policies'];

/** By type of selector, the parts of a state that contain the destinations of the selector. */
const BEYOND: Readonly<Record<Selector['type'], readonly Part[]>> = {
  peer: [],
  user: [],
  group: ['networks', 'dns_zones'],
  network: ['networks', 'dns_zones'],
  network_resource: ['networks', 'dns_zones'],
  route: ['routes', 'dns_zones'],
  internet: [],
  proxy_service: ['proxy_services'],
  all: ['networks', 'routes'],
  address: ['networks', 'routes', 'dns_zones'],
};

/**
 * The unread lists on which access to these destinations depends. `forbids`: whether the statement
 * forbids access. Services matter only then, because a service can give access but never take it
 * away.
 */
export function unreadFor(
  state: AccessState,
  destinations: readonly Selector[],
  forbids = true,
): readonly string[] {
  if (state.unread.size === 0) return [];
  const parts = new Set<Part>([...ALWAYS, ...destinations.flatMap(({ type }) => BEYOND[type])]);
  if (forbids) parts.add('proxy_services');
  if (state.policies.some(({ checks }) => checks.length > 0)) parts.add('posture_checks');
  return unreadNames(state, part => parts.has(part));
}

/** The names of the unread lists. The access report gives the reason for each of them once. */
export function unreadNames(
  { unread }: AccessState,
  counts: (part: Part) => boolean = () => true,
): readonly string[] {
  return [...unread.keys()].filter(counts).map(part => part.replace('_', ' '));
}

/** The lists that could not be read, as a part of a sentence. */
export function unreadWords(names: readonly string[]): string {
  return `${names.join(', ')} could not be read`;
}
