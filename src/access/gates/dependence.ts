// The lists on which a statement about access depends. As long as one of them is unread, the statement cannot be judged.
import type { Selector } from '../ask/selector.ts';
import type { AccessState, Part } from '../state/accessState.ts';

const ALWAYS: readonly Part[] = ['peers', 'groups', 'users', 'setup_keys', 'policies'];

/** By type of selector, the parts of a state that contain its destinations. */
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
 * The unread lists on which access to these destinations depends. `forbids`: whether the statement forbids access. Services can
 * open destinations to others, but never take access away.
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

/** The names of the unread lists. The access report says only once why each of them could not be read. */
export function unreadNames(
  { unread }: AccessState,
  counts: (part: Part) => boolean = () => true,
): readonly string[] {
  return [...unread.keys()].filter(counts).map(part => part.replace('_', ' '));
}

/** The lists that could not be read, in a sentence. */
export function unreadWords(names: readonly string[]): string {
  return `${names.join(', ')} could not be read`;
}
