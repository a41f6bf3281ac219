// Where the names of an account lead: to the addresses in its DNS records, to its machines, and to other names. The domains of
// network resources and routes stand for these addresses too.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState } from '../state/accessState.ts';
import { isName } from '../state/zones.ts';
import { isAddressOrRange } from './address.ts';
import { addressesInName } from './addressesInName.ts';
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

/** The targets of names in a state. */
export interface Names {
  /** The addresses and other names to which a domain leads; empty for an address, and for a name about which nothing is known. */
  readonly leadsTo: (address: string) => ReadonlySet<string>;
  /**
   * The places to which an address or domain leads in only one of the compared states, or for more machines than in the first
   * state. An overlay address leads to the machine that has it.
   */
  readonly movedOf: (address: string) => readonly MovedPlace[];
  /**
   * The same places, and also the places to which the last state leads fewer machines. It is not certain that access to these is
   * lost.
   */
  readonly turnedOf: (address: string) => readonly MovedPlace[];
  /** The objects because of which an address or domain leads somewhere. */
  readonly providersOf: (address: string) => readonly Provider[];
}

/** A place to which an address or domain leads in only one of two states. */
interface MovedPlace {
  /** The id of the place among the places of one address. */
  readonly id: string;
  /** The address of the place, or another name. */
  readonly address: string;
  /** The other addresses of the place: a machine has one for each version of IP. */
  readonly also: readonly string[];
}

/** The names in the first state, in the last state, and in the states between them. */
export function namesOfStates(
  ends: readonly [AccessState, AccessState],
): (state: AccessState) => Names {
  const machines = movedMachines(...ends);
  const placesIn = (state: AccessState) => {
    const lookUp = lookUpIn(state);
    const moved = machines.length === 0 ? [] : movedAddressesAmong(machines, state);
    return { lookUp, placesOf: (address: string) => placesOf(address, lookUp, moved) };
  };
  const [first, last] = ends.map(placesIn);
  return state => {
    const own = placesIn(state);
    const movedOf = (address: string, parts: PartsOf): readonly MovedPlace[] => {
      const places = own.placesOf(address);
      if (places.size === 0) return [];
      const others = [first, last].map(end => end?.placesOf(address));
      const isAlways = (id: string) => others.every(one => one?.has(id));
      return [...places].flatMap(([id, place]) => {
        const there = others.flatMap(one => one?.get(id) ?? []);
        const ids = [...(isAlways(id) ? [] : [id]), ...parts(place, there)];
        const {
          addresses: [address = id, ...also],
        } = place;
        return ids.map(one => ({ id: one === id ? id : `${id} ${one}`, address, also }));
      });
    };
    return {
      leadsTo: address => own.lookUp(address).places,
      providersOf: address => [
        ...own.lookUp(address).providers,
        ...machines.map(({ machine }) => ({ kind: 'peer' as const, object: machine })),
      ],
      movedOf: address => movedOf(address, openedParts),
      turnedOf: address => movedOf(address, partsOf),
    };
  };
}

/** Returns where an address or name leads in one state, and the objects because of which it leads there. */
export function leadsIn(
  state: AccessState,
): (address: string) => Pick<NameTargets, 'places' | 'providers'> {
  return lookUpIn(state);
}

/**
 * The addresses in records to which a name leads in a state. If the name leads to a machine, the addresses of that machine are
 * not included.
 */
export const recordedAddresses = (state: AccessState, name: string): readonly string[] =>
  [...lookUpIn(state)(name).ids.keys()].filter(isAddressOrRange);

/** A place to which a name leads. */
interface Place {
  /** The addresses of the place, or its name. */
  readonly addresses: readonly string[];
  /** Those of the place's groups whose machines may get another answer instead. */
  readonly hiddenFrom: ReadonlySet<string>;
}

const isHidden = ({ hiddenFrom }: Place, group: string): boolean =>
  hiddenFrom.has(EVERYBODY) || hiddenFrom.has(group);

type PartsOf = (own: Place, ends: readonly Place[]) => Iterable<string>;

const HIDDEN = 'hidden';

// The parts of a place by machines. An answer that hides the place from some machines may disappear. Then it is unknown which
// machines are led there, so these machines are a separate part.
function partsOf(own: Place, ends: readonly Place[]): ReadonlySet<string> {
  const groups = new Set(ends.flatMap(({ hiddenFrom }) => [...hiddenFrom]));
  const open = [...groups].filter(group => !isHidden(own, group));
  const hidden = (end: Place | undefined, group: string) =>
    end !== undefined && isHidden(end, group) ? HIDDEN : 'open';
  return new Set(open.map(group => `${hidden(ends[0], group)} ${hidden(ends.at(-1), group)}`));
}

// The parts that were hidden before. A new answer that hides a place does not certainly take access away: some or all machines
// may still be led there.
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
  /** The places by their ids. A machine that has the name is the same place, whatever its address. */
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

// Whether a name is not a separate place. This is so if every machine that is led there certainly gets an address for the name
// from records too; then only these addresses count. Otherwise, other DNS servers decide where the name leads some machines.
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

/**
 * The addresses and names of the places to which a name leads, by the ids of the places. If the name, or the target of an alias,
 * may be short for a full name, the full name is included. It is unknown whether a client looks up the target of an alias in its
 * domains, so guards and tests count everything that it may find.
 */
export function walk(
  start: string,
  wholeOf: (name: string) => readonly string[],
  repliesOf: (name: string) => readonly Reply[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Set([start]);
  const ids = new Map<string, readonly string[]>();
  // The set grows during the iteration: each name is followed once.
  for (const name of names) {
    for (const full of wholeOf(name)) {
      if (full !== start) ids.set(full, [full]);
      names.add(full);
    }
    for (const address of addressesInName(name)) ids.set(address, [address]);
    for (const { answer } of repliesOf(name)) {
      const { content, id = content } = answer;
      if (isAddressOrRange(content)) ids.set(id, [...new Set([...(ids.get(id) ?? []), content])]);
      else {
        const other = domainText(content);
        if (other !== start) ids.set(other, [other]);
        names.add(other);
      }
    }
  }
  return ids;
}
