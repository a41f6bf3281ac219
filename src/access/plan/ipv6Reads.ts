// Whether a plan must know which machines have an IPv6 address in the overlay network. The account settings decide this.
import type { GuardedAccess } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Fields } from '../../model/value.ts';
import { selectorOf } from '../ask/selector.ts';
import { offerDomains } from '../state/zones.ts';
import { rangeOf } from '../world/address.ts';

/** The kinds that decide which machines have an IPv6 address. */
export const IPV6_KINDS: ReadonlySet<string> = new Set(['account_settings']);

/** An object, or an action of a plan; a delete has no fields. */
interface Mentioned {
  readonly kind: string;
  readonly fields?: Fields;
}

/** An action of a plan. */
interface Moving extends Mentioned {
  readonly key: string;
  readonly members?: Readonly<Record<string, unknown>>;
}

/** The access conditions of a plan: its tests and its guards. */
export interface Asked {
  readonly tests: readonly Pick<AccessTest, 'from' | 'to' | 'allow' | 'deny' | 'onlyFrom'>[];
  readonly guarded: readonly Pick<GuardedAccess, 'from' | 'to'>[];
}

/**
 * Whether actions may add or remove the IPv6 addresses of machines, and something depends on such an address. This may be a
 * network resource or a route of the account or the plan, a domain, a test or a guard.
 */
export const mayMoveIpv6 = (
  actions: readonly Moving[],
  objects: readonly Mentioned[],
  asked: Asked,
): boolean => {
  const concerned = [...objects, ...actions];
  return (
    actions.some(movesMachines) &&
    (concerned.some(offersIpv6) || offerDomains(concerned) || asksForIpv6(asked))
  );
};

/** Whether actions add or remove IPv6 addresses through the groups that the settings among `objects` name. */
export const movesIpv6 = (actions: readonly Moving[], objects: readonly Mentioned[]): boolean => {
  const named = objects.flatMap(({ kind, fields }) =>
    IPV6_KINDS.has(kind) ? textsOf(fields?.ipv6_enabled_groups) : [],
  );
  return actions.some(
    action => movesMachines(action) && (action.kind !== 'group' || named.includes(action.key)),
  );
};

// By kind, the field that moves machines into groups. The auto-groups of a user decide about the user's machines.
const MOVING: Readonly<Record<string, string>> = { group: 'peers', user: 'auto_groups' };

function movesMachines({ kind, fields = {}, members = {} }: Moving): boolean {
  if (IPV6_KINDS.has(kind)) return 'ipv6_enabled_groups' in fields;
  const field = MOVING[kind];
  return field !== undefined && (field in fields || field in members);
}

function offersIpv6({ kind, fields = {} }: Mentioned): boolean {
  const place = PLACES[kind];
  const written = place === undefined ? undefined : fields[place];
  return typeof written === 'string' && isIpv6(written);
}

const PLACES: Readonly<Record<string, string>> = { network_resource: 'address', route: 'network' };

const asksForIpv6 = ({ tests, guarded }: Asked): boolean =>
  [
    ...tests.flatMap(selectorsOf),
    ...guarded.flatMap(({ from, to }) => [...(from === undefined ? [] : [from]), to]),
  ].some(written => {
    const selector = selectorOf(written);
    return !('fault' in selector) && isIpv6(selector.name);
  });

function selectorsOf({ from, to, allow, deny, onlyFrom }: Asked['tests'][number]) {
  const ends = [from, to].flatMap(one => one ?? []);
  return [...ends, ...allow, ...deny, ...onlyFrom].map(({ text }) => text);
}

// An exit node leads to no machine.
const isIpv6 = (text: string): boolean => {
  const range = rangeOf(text);
  return range !== null && range.version === 6 && range.length > 0;
};

const textsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
