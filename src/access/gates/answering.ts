// The servers that answer for the guarded names: they decide where machines that ask for them connect. No source gains access by
// that, so it is a right.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import { nameText } from '../../model/text/visible.ts';
import { addressSpace, placesIn } from '../ask/addressSpace.ts';
import { addressesOf, overlayOf, ownTargetsOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import { isName } from '../state/zones.ts';
import { haveCommonAddresses } from '../world/address.ts';
import type { World } from '../world/world.ts';
import { namesOfOne } from './sameObject.ts';

/** The kind of groups of nameservers. */
export const NAMESERVERS = 'nameserver_group';

/** Whether actions change which servers answer for names: then it matters which names lead to guarded targets. */
export const changeAnswers = (actions: readonly { readonly kind: string }[]): boolean =>
  actions.some(({ kind }) => kind === NAMESERVERS);

/** The rights to answer for guarded names that a plan gives to nameservers. */
export function answeringRights(
  states: Comparison,
  changes: readonly ShownChange[],
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const concerned = changes.filter(({ kind }) => kind === NAMESERVERS);
  if (concerned.length === 0) return [];
  const targets = new Map(
    guarded.flatMap(({ to }) => {
      const selector = selectorOf(to);
      return 'fault' in selector ? [] : [[selector.text, selector] as const];
    }),
  );
  return [...targets].flatMap(([text, selector]) => {
    const { own, leading, machines } = guardedNames(states, selector);
    const names = [...own.union(leading)];
    return concerned.flatMap(({ address, before, after }): RightEntry[] => {
      const isAsked =
        names.some(name => asksOthers(before, after, name)) ||
        [...machines].some(name => asksOthers(before, after, name, isAskedForMachine));
      const message = `its nameservers answer for the names of ${nameText(text)}`;
      return isAsked ? [{ object: address, right: 'forwarding', message }] : [];
    });
  });
}

/** The names by which something guarded is asked for before or after a plan. */
interface GuardedNames {
  /** The domains that it has in place of an address. */
  readonly own: ReadonlySet<string>;
  /** The names of records that lead there. */
  readonly leading: ReadonlySet<string>;
  /** The names of its machines. */
  readonly machines: ReadonlySet<string>;
}

/** The names by which what a selector names is asked for before or after a plan. */
export function guardedNames(states: Comparison, selector: Selector): GuardedNames {
  const own = selector.type === 'address' ? [selector.name] : [];
  const worlds = [states.before.world, states.after.world];
  // A record of one state may be a name that a wildcard answers in the other.
  const known = [...new Set(worlds.flatMap(recordNames))];
  const found = worlds.map(world => {
    const selectors = namesOfOne(states, selector);
    const addresses = selectors.flatMap(name => addressesOf(world, name) ?? own);
    const machines = selectors.flatMap(name => ownTargetsOf(world, name) ?? []);
    const leading = namesOver(known, world, [...addresses, ...overlayOf(world, machines)]);
    const names = machines.flatMap(target =>
      target.type === 'machine' ? (world.machineAt(target.index)?.dnsNames ?? []) : [],
    );
    return { addresses, leading, names };
  });
  const addresses = found.flatMap(one => one.addresses);
  return {
    own: new Set([...own, ...addresses].filter(isName)),
    leading: new Set(found.flatMap(one => one.leading).filter(isName)),
    machines: new Set(found.flatMap(({ names }) => names)),
  };
}

const recordNames = ({ state }: World): readonly string[] =>
  state.zones.flatMap(({ isEnabled, records }) =>
    isEnabled ? records.map(({ name }) => name) : [],
  );

// The names that lead to one of these places: whoever answers these names differently leads traffic elsewhere.
function namesOver(
  known: readonly string[],
  { names }: World,
  places: readonly string[],
): readonly string[] {
  if (known.length === 0 || places.length === 0) return [];
  const touches = addressSpace(places.flatMap(placesIn));
  return known.filter(name => [...names.leadsTo(name)].flatMap(placesIn).some(touches));
}

type Side = ShownChange['after'];

/** Whether some machines ask a nameserver for the name after the change that they did not ask before. */
export function asksOthers(
  before: Side,
  after: Side,
  name: string,
  isAsked: (side: Side, name: string) => boolean = isAskedFor,
): boolean {
  if (!isAsked(after, name)) return false;
  if (!isAsked(before, name)) return true;
  const isMore = (textsOf: (side: Side) => readonly string[]) => {
    const known = new Set(textsOf(before));
    return textsOf(after).some(text => !known.has(text));
  };
  return isMore(serversOf) || isMore(groupsOf);
}

function isAskedFor(side: Side, name: string): boolean {
  if (side === undefined || side.enabled === false) return false;
  if (side.primary === true) return true;
  return textsIn(side.domains).some(
    domain => haveCommonAddresses(name, domain) || haveCommonAddresses(name, `*.${domain}`),
  );
}

// The server answers for the domain of the names of machines. Of the nameservers, only those for this domain or for a longer one may be
// asked instead.
function isAskedForMachine(side: Side, name: string): boolean {
  if (side === undefined || side.enabled === false) return false;
  const asked = [name, name.slice(name.indexOf('.') + 1)].map(domainText);
  return textsIn(side.domains).some(domain => asked.includes(domainText(domain)));
}

const groupsOf = (side: Side): readonly string[] => textsIn(side?.groups);

const serversOf = (side: Side): readonly string[] =>
  listIn(side?.nameservers).map(one => JSON.stringify(one));

const textsIn = (value: unknown): readonly string[] =>
  listIn(value).filter(one => typeof one === 'string');

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
