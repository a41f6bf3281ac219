// The servers that answer for the guarded names: they decide where machines that ask for them connect. No source gains access by
// that, so it is a right.
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

const NAMESERVERS = 'nameserver_group';

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
    const { own, leading } = guardedNames(states, selector);
    const names = [...own.union(leading)];
    return concerned.flatMap(({ address, before, after }): RightEntry[] => {
      const isAsked = names.some(name => asksOthers(before, after, name));
      const message = `its nameservers answer for the names of ${nameText(text)}`;
      return isAsked ? [{ object: address, right: 'forwarding', message }] : [];
    });
  });
}

/** The names by which what a selector names is asked for before or after a plan, and the names of records that lead there. */
export function guardedNames(
  states: Comparison,
  selector: Selector,
): { readonly own: ReadonlySet<string>; readonly leading: ReadonlySet<string> } {
  const own = selector.type === 'address' ? [selector.name] : [];
  const worlds = [states.before.world, states.after.world];
  // A record of one state may be a name that a wildcard answers in the other.
  const known = [...new Set(worlds.flatMap(recordNames))];
  const found = worlds.map(world => {
    const selectors = namesOfOne(states, selector);
    const addresses = selectors.flatMap(name => addressesOf(world, name) ?? own);
    const machines = selectors.flatMap(name => ownTargetsOf(world, name) ?? []);
    const leading = namesOver(known, world, [...addresses, ...overlayOf(world, machines)]);
    return { addresses, leading };
  });
  const addresses = found.flatMap(one => one.addresses);
  return {
    own: new Set([...own, ...addresses].filter(isName)),
    leading: new Set(found.flatMap(one => one.leading).filter(isName)),
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

// Whether some machines ask a nameserver for the name after the change that they did not ask before.
function asksOthers(before: Side, after: Side, name: string): boolean {
  if (!isAskedFor(after, name)) return false;
  if (!isAskedFor(before, name)) return true;
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

const groupsOf = (side: Side): readonly string[] => textsIn(side?.groups);

const serversOf = (side: Side): readonly string[] =>
  listIn(side?.nameservers).map(one => JSON.stringify(one));

const textsIn = (value: unknown): readonly string[] =>
  listIn(value).filter(one => typeof one === 'string');

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
