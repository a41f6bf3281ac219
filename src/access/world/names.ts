// What the names of an account lead to: the addresses of its DNS records and of its machines, and other names. Domains of network
// resources and routes are these addresses too.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState, Named } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { isName } from '../state/zones.ts';
import { isAddressOrRange, rangeOf } from './address.ts';
import { type Holder, heldIn, holdersAmong, machineId, movedMachines } from './movedMachines.ts';

/** The targets of names in a state. */
export interface Names {
  /** The addresses and other names that a domain leads to; none for an address, and for a name of which nothing is known. */
  readonly leadsTo: (address: string) => ReadonlySet<string>;
  /**
   * The targets of an address or domain that it does not have in both compared states. The target of an overlay address is the
   * machine that has it.
   */
  readonly movedOf: (address: string) => readonly MovedPlace[];
  /** The objects by which an address or domain leads somewhere. */
  readonly partakersOf: (address: string) => readonly Partaker[];
}

/** A place that an address or domain leads to in one of two states only. */
interface MovedPlace {
  /** Its identity among the places of one address. */
  readonly id: string;
  /** The address of it, or another name. */
  readonly address: string;
}

interface Partaker {
  readonly kind: 'peer' | 'dns_zone' | 'dns_record';
  readonly object: Named;
}

/** The names of states that are compared: of the first, of the last, and of those between them. */
export function namesOfStates(
  ends: readonly [AccessState, AccessState],
): (state: AccessState) => Names {
  const machines = movedMachines(...ends);
  const placesIn = (state: AccessState) => {
    const way = waysIn(state);
    const holders = machines.length === 0 ? [] : holdersAmong(machines, state);
    return way === undefined && holders.length === 0
      ? undefined
      : { way, holders, placesOf: (address: string) => placesOf(address, way, holders) };
  };
  const [first, last] = ends.map(placesIn);
  return state => {
    const own = placesIn(state);
    return {
      leadsTo: address => own?.way?.(address).places ?? NOWHERE,
      partakersOf: address => [
        ...(own?.way?.(address).partakers ?? []),
        ...machines.map(({ machine }) => ({ kind: 'peer' as const, object: machine })),
      ],
      movedOf: address => {
        const places = own?.placesOf(address);
        if (places === undefined || places.size === 0) return [];
        const others = [first, last].map(end => end?.placesOf(address));
        const isAlways = (id: string) => others.every(one => one?.has(id));
        return [...places].flatMap(([id, place]) => (isAlways(id) ? [] : { id, address: place }));
      },
    };
  };
}

function placesOf(
  address: string,
  way: WayOf | undefined,
  holders: readonly Holder[],
): ReadonlyMap<string, string> {
  const { places, ids } = way?.(address) ?? NO_WAY;
  if (holders.length === 0) return ids;
  const held = heldIn([address, ...places], holders);
  return new Map([...ids, ...held.map(one => [one.id, one.address] as const)]);
}

interface Way {
  readonly places: ReadonlySet<string>;
  /** The places by their identity: a machine by its name is the same place whatever its address. */
  readonly ids: ReadonlyMap<string, string>;
  readonly partakers: readonly Partaker[];
}

const NOWHERE: ReadonlySet<string> = new Set();
const NO_WAY: Way = { places: NOWHERE, ids: new Map(), partakers: [] };

type WayOf = (address: string) => Way;

const known = new WeakMap<AccessState['zones'], WeakMap<AccessState['machines'], WayOf | null>>();

// Most steps of a plan change no name. Undefined if no name is known.
function waysIn({ zones, machines }: AccessState): WayOf | undefined {
  const found = known.get(zones) ?? new WeakMap<AccessState['machines'], WayOf | null>();
  known.set(zones, found);
  const ways = found.get(machines);
  if (ways !== undefined) return ways ?? undefined;
  const made = waysAmong(zones, machines);
  found.set(machines, made ?? null);
  return made;
}

/** The answer to a name, with the objects that provide it. */
interface Answer {
  readonly type: string;
  readonly content: string;
  /** The place, if it is not an address. */
  readonly id?: string;
  readonly partakers: readonly Partaker[];
}

type Answers = ReadonlyMap<string, readonly Answer[]>;

function waysAmong(
  zones: AccessState['zones'],
  machines: AccessState['machines'],
): WayOf | undefined {
  const answering = zones.filter(({ isEnabled, records }) => isEnabled && records.length > 0);
  if (answering.length === 0 && machines.every(({ dnsNames }) => dnsNames === undefined))
    return undefined;
  // Accounts without domains ask for none.
  let found: Answers | undefined;
  const ways = new Map<string, Way>();
  return address => {
    if (!isName(address)) return NO_WAY;
    found ??= answersAmong(answering, machines);
    const way = ways.get(address) ?? wayFrom(domainText(address), found);
    ways.set(address, way);
    return way;
  };
}

function answersAmong(zones: AccessState['zones'], machines: AccessState['machines']): Answers {
  const ofRecords = zones.flatMap(zone =>
    zone.records.map(record => {
      const { name, type, content } = record;
      const partakers: readonly Partaker[] = [
        { kind: 'dns_zone', object: zone },
        { kind: 'dns_record', object: record },
      ];
      return [domainText(name), { type, content, partakers }] as const;
    }),
  );
  const ofMachines = machines.flatMap(machine => {
    const partakers: readonly Partaker[] = [{ kind: 'peer', object: machine }];
    const id = machineId(machine);
    const answers = overlayAddresses(machine).map(content => {
      const type = rangeOf(content)?.version === 6 ? 'AAAA' : 'A';
      return { type, content, id, partakers };
    });
    const names = machine.dnsNames ?? [];
    return names.flatMap(name => answers.map(answer => [domainText(name), answer] as const));
  });
  const all: readonly (readonly [string, Answer])[] = [...ofRecords, ...ofMachines];
  const byName = Map.groupBy(all, ([name]) => name);
  return new Map([...byName].map(([name, list]) => [name, list.map(([, answer]) => answer)]));
}

function wayFrom(start: string, byName: Answers): Way {
  const names = new Set([start]);
  const ids = new Map<string, string>();
  const places = new Set<string>();
  const found = new Set<Answer>();
  const add = (place: string, id = place) => {
    places.add(place);
    ids.set(id, place);
  };
  // A set that grows while it is read: each name is followed once.
  for (const name of names)
    for (const answer of answersFor(name, byName)) {
      const { content, id } = answer;
      found.add(answer);
      if (isAddressOrRange(content)) add(content, id);
      else {
        const other = domainText(content);
        if (other !== start) add(other);
        names.add(other);
      }
    }
  return { places, ids, partakers: [...found].flatMap(({ partakers }) => partakers) };
}

const TYPES = ['A', 'AAAA'];

/** The type of a record that leads to another name. */
export const ALIAS = 'CNAME';

// A record of the name itself counts before those of wildcards, as for every DNS server, and the nearest wildcard before the others.
function answersFor(name: string, byName: Answers): readonly Answer[] {
  if (name.startsWith('*.'))
    return [...byName].flatMap(([other, found]) => (haveCommonNames(name, other) ? found : []));
  const steps = [name, ...wildcardsOver(name)].map(one => byName.get(one) ?? []);
  return TYPES.flatMap(type => {
    for (const step of steps)
      for (const wanted of [type, ALIAS]) {
        const found = step.filter(answer => answer.type === wanted);
        if (found.length > 0) return found;
      }
    return [];
  });
}

const haveCommonNames = (pattern: string, name: string): boolean =>
  name === pattern ||
  wildcardsOver(name).includes(pattern) ||
  wildcardsOver(pattern).includes(name);

/** The wildcards that cover a domain: `*.b.c` and `*.c` for `a.b.c`, and `*.c` for `*.b.c`. */
export function wildcardsOver(domain: string): readonly string[] {
  const labels = domain.split('.').slice(1);
  const from = domain.startsWith('*.') ? 1 : 0;
  return labels.slice(from).map((_, at) => `*.${labels.slice(from + at).join('.')}`);
}
