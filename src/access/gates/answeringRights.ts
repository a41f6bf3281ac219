// The DNS servers that answer for guarded names. These servers decide to which address a machine
// connects that looks up such a name. No source gains access, so the change is a right.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { addressSpace, placesIn } from '../ask/addressSpace.ts';
import { addressesOf, overlayOf, ownTargetsOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { isName } from '../state/zones.ts';
import type { World } from '../world/world.ts';
import {
  type Asking,
  askingGroups,
  askingIn,
  changeAnswers,
  coversMachine,
  coversName,
  NAMESERVERS,
  nameserversFor,
} from './nameservers.ts';
import { namesOfOne } from './sameObject.ts';

/** The rights to answer for guarded names that a plan gives to nameservers. */
export function answeringRights(
  states: Comparison,
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const { changes } = account.plan;
  if (!changeAnswers(changes) || guarded.length === 0) return [];
  const concerned = changes.filter(({ kind }) => kind === NAMESERVERS);
  const { stateBefore, stateAfter } = states;
  const asking = askingIn(account, stateBefore.groups, stateAfter.groups);
  const targets = new Map(
    guarded.flatMap(({ to }) => {
      const selector = selectorOf(to);
      return 'fault' in selector ? [] : [[selector.text, selector] as const];
    }),
  );
  return [...targets].flatMap(([text, selector]) => {
    const { own, leading, machines: ofMachines } = guardedNames(states, selector);
    const names = [...own.union(leading)];
    const machines = [...ofMachines];
    const isAsked = ({ before, after }: ShownChange) =>
      names.some(name => asksOthers(before, after, name)) ||
      machines.some(name => asksOthers(before, after, name, isAskedForMachine));
    const changed = concerned.filter(isAsked).map(({ address }) => address);
    const others = [
      ...names.flatMap(name => comeToAnswer(asking, name, false)),
      ...machines.flatMap(name => comeToAnswer(asking, name, true)),
    ];
    const message = `its nameservers answer for the names of ${nameText(text)}`;
    return [...new Set([...changed, ...others])].map(
      (object): RightEntry => ({ object, right: 'forwarding', message }),
    );
  });
}

// The nameservers that some machines newly ask for a name, because other nameservers no longer answer for it, or because these
// machines had no DNS configuration before.
function comeToAnswer(
  [was, is]: readonly [Asking, Asking],
  name: string,
  isOfMachine: boolean,
): readonly Address[] {
  return [...askingGroups([was, is])].flatMap(group => {
    const former = nameserversFor(was, name, [group], isOfMachine).flatMap(
      ({ servers }) => servers,
    );
    return nameserversFor(is, name, [group], isOfMachine)
      .filter(({ servers }) => servers.some(server => !former.includes(server)))
      .map(({ address }) => address);
  });
}

/** The names that machines look up to reach guarded objects, before or after a plan. */
interface GuardedNames {
  /** The domains of guarded objects that have a domain instead of an address. */
  readonly own: ReadonlySet<string>;
  /** The names of records that resolve to guarded objects. */
  readonly leading: ReadonlySet<string>;
  /** The names of guarded machines. */
  readonly machines: ReadonlySet<string>;
}

/** The names that machines look up to reach the objects of a selector, before or after a plan. */
export function guardedNames(states: Comparison, selector: Selector): GuardedNames {
  const own = selector.type === 'address' ? [selector.name] : [];
  const worlds = [states.before.world, states.after.world];
  // In one of the states, a wildcard may cover the name of a record in the other.
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

// The names that resolve to one of these places. If another server answers such a name differently,
// its traffic goes elsewhere.
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

/** Whether some machines ask a nameserver for the name only after the change. */
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
  return textsIn(side.domains).some(domain => coversName(domain, name));
}

// Whether a nameserver may be asked for the name of a machine. The management server answers for
// the domain of these names. Only nameservers for this domain, or for a longer domain, are asked
// instead.
function isAskedForMachine(side: Side, name: string): boolean {
  if (side === undefined || side.enabled === false) return false;
  return textsIn(side.domains).some(domain => coversMachine(domain, name));
}

const groupsOf = (side: Side): readonly string[] => textsIn(side?.groups);

const serversOf = (side: Side): readonly string[] =>
  listIn(side?.nameservers).map(one => JSON.stringify(one));

const textsIn = (value: unknown): readonly string[] =>
  listIn(value).filter(one => typeof one === 'string');

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
