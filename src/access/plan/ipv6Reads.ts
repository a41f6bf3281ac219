// Whether a plan must know which machines have an IPv6 address in the overlay network. The account
// settings determine these machines.
import type { KindTable } from '../../kinds/kind.ts';
import type { GuardedAccess } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Fields } from '../../model/value.ts';
import { selectorOf } from '../ask/selector.ts';
import { offerDomains } from '../state/zones.ts';
import { rangeOf } from '../world/address.ts';
import { type MovingAction, movesMachines } from './movesMachines.ts';

/** The kinds that determine which machines have an IPv6 address. */
export const IPV6_KINDS: ReadonlySet<string> = new Set(['account_settings']);

/** An object, or an action of a plan; a delete has no fields. */
interface Mentioned {
  readonly kind: string;
  readonly fields?: Fields;
}

/** The actions of a plan, and the objects that were read from the account. */
interface PlannedActions {
  readonly kinds: KindTable;
  readonly actions: readonly (MovingAction & Mentioned & { readonly key: string })[];
  readonly objects: readonly Mentioned[];
}

/** The tests and guards of a plan. */
export interface Asked {
  readonly tests: readonly Pick<AccessTest, 'from' | 'to' | 'allow' | 'deny' | 'onlyFrom'>[];
  readonly guarded: readonly Pick<GuardedAccess, 'from' | 'to'>[];
}

/**
 * Whether actions may add or remove IPv6 addresses of machines, and something depends on such an
 * address. That is a network resource or a route of the account or the plan, a domain, a test or a
 * guard.
 */
export const mayMoveIpv6 = ({ kinds, actions, objects }: PlannedActions, asked: Asked): boolean => {
  const concerned = [...objects, ...actions];
  return (
    actions.some(movesAddresses(kinds)) &&
    (concerned.some(offersIpv6) || offerDomains(concerned) || asksForIpv6(asked))
  );
};

/**
 * Whether actions add or remove IPv6 addresses. This depends on the groups that the settings among
 * `objects` name.
 */
export const movesIpv6 = ({ kinds, actions, objects }: PlannedActions): boolean => {
  const named = objects.flatMap(({ kind, fields }) =>
    IPV6_KINDS.has(kind) ? textsOf(fields?.ipv6_enabled_groups) : [],
  );
  const moves = movesAddresses(kinds);
  return actions.some(
    action => moves(action) && (action.kind !== 'group' || named.includes(action.key)),
  );
};

// Returns whether an action adds or removes IPv6 addresses. It may change the list of groups in the
// settings, or the groups of machines.
const movesAddresses = (kinds: KindTable) => {
  const moves = movesMachines(kinds);
  return (action: MovingAction): boolean =>
    moves(action) ||
    (IPV6_KINDS.has(action.kind) && action.fields?.ipv6_enabled_groups !== undefined);
};

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

// Exit nodes do not count, because they lead to no machine.
const isIpv6 = (text: string): boolean => {
  const range = rangeOf(text);
  return range !== null && range.version === 6 && range.length > 0;
};

const textsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
