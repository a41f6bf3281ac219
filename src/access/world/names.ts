// What the names of an account lead to: the addresses of its DNS records, and other names. Domains of network resources and routes are
// these addresses too.
import { domainText } from '../../kinds/values/domain.ts';
import { parseIp } from '../../kinds/values/ip.ts';
import type { AccessState, NameRecord, Zone } from '../state/accessState.ts';
import { isName } from '../state/zones.ts';

/** What names lead to in a state. */
export interface Names {
  /** The addresses and other names that a domain leads to; none for an address, and for a name of which nothing is known. */
  readonly leadsTo: (address: string) => ReadonlySet<string>;
  /** Of these, what the domain does not lead to in both of the states that are compared. */
  readonly movedOf: (address: string) => readonly string[];
  /** The records by which a domain leads somewhere, with their zones. */
  readonly recordsOf: (address: string) => readonly Found[];
}

interface Found {
  readonly zone: Zone;
  readonly record: NameRecord;
}

/** The names of states that are compared: of the first, of the last, and of those between them. */
export function namesOfStates(
  ends: readonly [AccessState, AccessState],
): (state: AccessState) => Names {
  const [first, last] = ends.map(waysIn);
  return state => {
    const way = waysIn(state);
    const leadsTo = (address: string) => way?.(address).places ?? NOWHERE;
    return {
      leadsTo,
      recordsOf: address => way?.(address).records ?? [],
      movedOf: address => {
        const places = leadsTo(address);
        if (places.size === 0) return [];
        const isAlways = (place: string) =>
          [first, last].every(end => end?.(address).places.has(place));
        return [...places].filter(place => !isAlways(place));
      },
    };
  };
}

interface Way {
  readonly places: ReadonlySet<string>;
  readonly records: readonly Found[];
}

const NOWHERE: ReadonlySet<string> = new Set();
const NO_WAY: Way = { places: NOWHERE, records: [] };

const known = new WeakMap<AccessState['zones'], ((address: string) => Way) | null>();

// Most steps of a plan change no name. Undefined if no record is known.
function waysIn({ zones }: AccessState): ((address: string) => Way) | undefined {
  const found = known.get(zones);
  if (found !== undefined) return found ?? undefined;
  const ways = waysAmong(zones);
  known.set(zones, ways ?? null);
  return ways;
}

function waysAmong(zones: AccessState['zones']): ((address: string) => Way) | undefined {
  const records = zones
    .filter(({ isEnabled }) => isEnabled)
    .flatMap(zone => zone.records.map(record => ({ zone, record })));
  if (records.length === 0) return undefined;
  const byName = Map.groupBy(records, ({ record }) => domainText(record.name));
  const ways = new Map<string, Way>();
  return address => {
    if (!isName(address)) return NO_WAY;
    const found = ways.get(address) ?? wayFrom(domainText(address), byName);
    ways.set(address, found);
    return found;
  };
}

type Records = ReadonlyMap<string, readonly Found[]>;

function wayFrom(start: string, byName: Records): Way {
  const names = new Set([start]);
  const places = new Set<string>();
  const records = new Set<Found>();
  // A set that grows while it is read: each name is followed once.
  for (const name of names)
    for (const found of answersFor(name, byName)) {
      const { content } = found.record;
      records.add(found);
      if (parseIp(content) !== null) places.add(content);
      else {
        const other = domainText(content);
        if (other !== start) places.add(other);
        names.add(other);
      }
    }
  return { places, records: [...records] };
}

const TYPES = ['A', 'AAAA'];

/** The type of a record that leads to another name. */
export const ALIAS = 'CNAME';

// A record of the name itself counts before those of wildcards, as for every DNS server, and the nearest wildcard before the others.
function answersFor(name: string, byName: Records): readonly Found[] {
  if (name.startsWith('*.'))
    return [...byName].flatMap(([other, found]) => (haveCommonNames(name, other) ? found : []));
  const steps = [name, ...wildcardsOver(name)].map(one => byName.get(one) ?? []);
  return TYPES.flatMap(type => {
    for (const step of steps)
      for (const wanted of [type, ALIAS]) {
        const found = step.filter(({ record }) => record.type === wanted);
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
