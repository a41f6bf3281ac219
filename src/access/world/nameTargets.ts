// The places to which the names of an account resolve: addresses in its DNS records, its machines,
// and other names. The domains of network resources and routes stand for these addresses too.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState, Route, Router } from '../state/accessState.ts';
import { isName } from '../state/zones.ts';
import { isAddressOrRange } from './address.ts';
import { heldIn, type MovedAddress, movedAddressesAmong, movedMachines } from './movedMachines.ts';
import {
  EVERYBODY,
  isGivenWith,
  mayReach,
  type Provider,
  type Reply,
  receiversText,
  repliesTo,
  type Source,
  searchedNames,
  sourceOfZone,
  sourcesOfMachines,
} from './replies.ts';
import { resolutionIn } from './resolution.ts';
import { walk } from './walk.ts';

/** The targets of names in a state. */
export interface Names {
  /**
   * Returns the addresses and other names to which a domain resolves; empty for an address, and for
   * a name about which nothing is known.
   */
  readonly leadsTo: (address: string) => ReadonlySet<string>;
  /**
   * Returns the places to which an address or domain leads in only one of the compared states, or
   * for more machines than in the first state. An overlay address leads to the machine that has it.
   * `destination`: the resources or routes with the address. A place counts as a place of one state
   * only if in the other state none of their routing machines resolves the address to it.
   */
  readonly movedOf: (address: string, destination: string) => readonly MovedPlace[];
  /**
   * Returns the same places, and also the places to which the last state leads fewer machines. It
   * is not certain that these machines lose access.
   */
  readonly turnedOf: (address: string) => readonly MovedPlace[];
  /** Returns the objects that make an address or domain lead somewhere. */
  readonly providersOf: (address: string) => readonly Provider[];
}

/** A place to which an address or domain leads in only one of two states. */
interface MovedPlace {
  /** The id of the place among the places of one address. */
  readonly id: string;
  /** The address of the place, or another name. */
  readonly address: string;
  /**
   * The other addresses of the place. For example, a machine has one address for each version of
   * IP.
   */
  readonly also: readonly string[];
}

/** A state, and the objects that serve the destinations in it. */
export interface ServedState {
  readonly state: AccessState;
  /** Returns the routers and routes of a destination. */
  readonly servingOf: (destination: string) => readonly (Router | Route)[];
}

/** The names in the first state, in the last state, and in the states between them. */
export function namesOfStates(
  served: readonly [ServedState, ServedState],
): (state: ServedState) => Names {
  const ends = served.map(({ state }) => state) as [AccessState, AccessState];
  const machines = movedMachines(...ends);
  const placesIn = (state: AccessState) => {
    const lookUp = lookUpIn(state);
    const moved = machines.length === 0 ? [] : movedAddressesAmong(machines, state);
    return { lookUp, placesOf: (address: string) => placesOf(address, lookUp, moved) };
  };
  const [first, last] = ends.map(placesIn);
  return here => {
    const own = placesIn(here.state);
    const movedOf = (domain: string, parts: PartsOf, destination?: string) => {
      const places = own.placesOf(domain);
      if (places.size === 0) return [];
      const others = [first, last].map(end => end?.placesOf(domain));
      return movedPlaces(places, others, {
        parts,
        isTurned: place =>
          destination !== undefined && isTurnedIn(here, served, { domain, place, destination }),
      });
    };
    return {
      leadsTo: address => own.lookUp(address).places,
      providersOf: address => [
        ...own.lookUp(address).providers,
        ...machines.map(({ machine }) => ({ kind: 'peer' as const, object: machine })),
      ],
      movedOf: (address, destination) => movedOf(address, openedParts, destination),
      turnedOf: address => movedOf(address, partsOf),
    };
  };
}

/** What makes parts of a place belong to only one of the compared states, although both have the place. */
interface MovedParts {
  readonly parts: PartsOf;
  /** Whether the routing machines resolve the domain to the place in one state only. */
  readonly isTurned: (place: string) => boolean;
}

// The places of a domain in one state, or the parts of them, that are not in both compared states.
function movedPlaces(
  places: ReadonlyMap<string, Place>,
  others: readonly (ReadonlyMap<string, Place> | undefined)[],
  { parts, isTurned }: MovedParts,
): readonly MovedPlace[] {
  return [...places].flatMap(([id, place]) => {
    const [address = id, ...also] = place.addresses;
    const there = others.flatMap(one => one?.get(id) ?? []);
    const isAlways = there.length === others.length;
    const names = [...parts(place, there), ...(isAlways && isTurned(address) ? [RESOLVED] : [])];
    const ids = names.map(name => `${id} ${name}`);
    return [...(isAlways ? [] : [id]), ...ids].map(one => ({ id: one, address, also }));
  });
}

const RESOLVED = 'resolved';

// Whether the machines that route to a domain resolve it to a place in only one of the compared
// states. In the other state, there must also be machines that route to it. Without them, other
// rules determine what such machines would deliver.
function isTurnedIn(
  here: ServedState,
  ends: readonly ServedState[],
  {
    destination,
    domain,
    place,
  }: { readonly destination: string; readonly domain: string; readonly place: string },
): boolean {
  if (here.state.zones.length === 0 || !isName(domain)) return false;
  const resolution = ({ state, servingOf }: ServedState) =>
    resolutionIn(state, { domain, place, serving: servingOf(destination) });
  const [one, other] = ends.map(resolution);
  const isTurned = [one, other].includes('resolved') && [one, other].includes('unresolved');
  return isTurned && resolution(here) === 'resolved';
}

/** Returns where an address or name leads in one state, and the objects that lead it there. */
export function leadsIn(
  state: AccessState,
): (address: string) => Pick<NameTargets, 'places' | 'providers'> {
  return lookUpIn(state);
}

/**
 * The addresses in records to which a name resolves in a state. The addresses of machines to which
 * it resolves are not included.
 */
export const recordedAddresses = (state: AccessState, name: string): readonly string[] =>
  [...lookUpIn(state)(name).ids.keys()].filter(isAddressOrRange);

/** A place to which a name leads. */
interface Place {
  /** The addresses of the place, or its name. */
  readonly addresses: readonly string[];
  /** The groups of the place whose machines may get a different answer instead. */
  readonly hiddenFrom: ReadonlySet<string>;
}

const isHidden = ({ hiddenFrom }: Place, group: string): boolean =>
  hiddenFrom.has(EVERYBODY) || hiddenFrom.has(group);

type PartsOf = (own: Place, ends: readonly Place[]) => Iterable<string>;

const HIDDEN = 'hidden';

// Divides a place into parts by machines. An answer that hides the place from some machines may
// disappear. It is unknown which machines the name leads to the place then, so these machines form
// a separate part.
function partsOf(own: Place, ends: readonly Place[]): ReadonlySet<string> {
  const groups = new Set(ends.flatMap(({ hiddenFrom }) => [...hiddenFrom]));
  const open = [...groups].filter(group => !isHidden(own, group));
  const hidden = (end: Place | undefined, group: string) =>
    end !== undefined && isHidden(end, group) ? HIDDEN : 'open';
  return new Set(open.map(group => `${hidden(ends[0], group)} ${hidden(ends.at(-1), group)}`));
}

// The parts that were hidden before. A new answer that hides a place does not certainly remove
// access, because the name may still lead some or all machines there.
const openedParts = (own: Place, ends: readonly Place[]): readonly string[] =>
  [...partsOf(own, ends)].filter(part => part.startsWith(HIDDEN));

function placesOf(
  address: string,
  lookUp: LookUp,
  moved: readonly MovedAddress[],
): ReadonlyMap<string, Place> {
  const { places, ids } = lookUp(address);
  if (moved.length === 0) return ids;
  const held = heldIn([address, ...places], moved);
  const byId = Map.groupBy(held, ({ id }) => id);
  const shown = [...byId].map(
    ([id, same]) =>
      [id, { addresses: same.map(({ address }) => address), hiddenFrom: NOBODY }] as const,
  );
  return new Map([...ids, ...shown]);
}

interface NameTargets {
  readonly places: ReadonlySet<string>;
  /** The places by their ids. A machine with the name is the same place, whatever its address. */
  readonly ids: ReadonlyMap<string, Place>;
  readonly providers: readonly Provider[];
}

const NOWHERE: ReadonlySet<string> = new Set();
const NOBODY: ReadonlySet<string> = new Set();
const NO_TARGETS: NameTargets = { places: NOWHERE, ids: new Map(), providers: [] };

type LookUp = (address: string) => NameTargets;

const known = new WeakMap<
  AccessState['zones'],
  WeakMap<AccessState['machines'], Map<string, LookUp>>
>();

// Cached, because most steps of a plan change no name.
function lookUpIn({ zones, machines, groups }: AccessState): LookUp {
  const found = known.get(zones) ?? new WeakMap<AccessState['machines'], Map<string, LookUp>>();
  known.set(zones, found);
  const lookUps = found.get(machines) ?? new Map<string, LookUp>();
  found.set(machines, lookUps);
  const receivers = zones.length === 0 ? '' : receiversText(zones, groups);
  const made = lookUps.get(receivers) ?? lookUpAmong({ zones, machines, groups });
  lookUps.set(receivers, made);
  return made;
}

function lookUpAmong({
  zones,
  machines,
  groups,
}: Pick<AccessState, 'zones' | 'machines' | 'groups'>): LookUp {
  const answering = zones.filter(({ isEnabled, records }) => isEnabled && records.length > 0);
  // Computed on demand, because accounts without domains never need it.
  let sources: readonly Source[] | undefined;
  const targetsByName = new Map<string, NameTargets>();
  return address => {
    if (!isName(address)) return NO_TARGETS;
    sources ??= [
      ...answering.map(zone => sourceOfZone(zone, groups)),
      ...sourcesOfMachines(machines),
    ];
    const targets = targetsByName.get(address) ?? targetsOf(domainText(address), sources);
    targetsByName.set(address, targets);
    return targets;
  };
}

function targetsOf(start: string, sources: readonly Source[]): NameTargets {
  const replies = new Map<string, readonly Reply[]>();
  const repliesOf = (name: string) => {
    const found = replies.get(name) ?? repliesTo(name, sources);
    replies.set(name, found);
    return found;
  };
  const wholeOf = (name: string) => searchedNames(name, sources);
  const all = walk(start, wholeOf, repliesOf);
  const used = [...replies.values()].flat();
  const hiding = new Set(used.flatMap(reply => reply.hidingSources));
  const providers = [...used.map(({ answer }) => answer), ...hiding].flatMap(one => one.providers);
  const groups = [...hiding].flatMap(({ receivers }) => [...receivers.groups]);
  const whole = new Set([...replies.keys()].flatMap(wholeOf));
  const walks = [...new Set(groups)].map(group => {
    const isAnswered = ({ hidingSources: own }: Reply) => !own.some(one => mayReach(one, group));
    return { group, ids: walk(start, wholeOf, name => repliesOf(name).filter(isAnswered)) };
  });
  const own = [...all].filter(([id]) => whole.has(id) || !isPassedThrough(id, used, repliesOf));
  const hiddenFrom = (id: string) =>
    new Set(walks.flatMap(({ group, ids }) => (ids.has(id) ? [] : group)));
  return {
    places: new Set([...all.values()].flat()),
    ids: new Map(own.map(([id, addresses]) => [id, { addresses, hiddenFrom: hiddenFrom(id) }])),
    providers: [...new Set(providers)],
  };
}

// Whether a name is not a separate place. This is the case if every machine that follows an alias
// to the name certainly gets an address for the name from records too. In that case, only these
// addresses count. Otherwise, other DNS servers determine where the name leads some machines.
function isPassedThrough(
  name: string,
  used: readonly Reply[],
  repliesOf: (name: string) => readonly Reply[],
): boolean {
  const leading = used.filter(
    ({ answer: { content, id } }) =>
      id === undefined && !isAddressOrRange(content) && domainText(content) === name,
  );
  return leading.length > 0 && leading.every(({ source }) => isAnswered(name, source, repliesOf));
}

function isAnswered(
  name: string,
  asking: Source,
  repliesOf: (name: string) => readonly Reply[],
  asked: ReadonlySet<string> = new Set(),
): boolean {
  if (asked.has(name)) return false;
  return repliesOf(name).some(({ answer: { content }, source, hidingSources }) => {
    if (hidingSources.length > 0 || !isGivenWith(source, asking)) return false;
    if (isAddressOrRange(content)) return true;
    return isAnswered(domainText(content), asking, repliesOf, asked.union(new Set([name])));
  });
}
