// The ports that are open to the internet, and the objects that open them. Services of the reverse proxy are in `services.ts`. To
// support another kind whose objects open ports, add an entry to `WAYS`.
import { segmentsOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import type { InternetPort, PortRange } from './accessState.ts';
import { ANYBODY, openedByService, SERVICE } from './services.ts';
import { flagIn, namedBy, type StateObject, textIn } from './stateObject.ts';

/** A kind of opening to the internet. */
interface Way {
  /** The kind of the objects that open ports. They are nested in machines. */
  readonly ports: string;
  /** The kind of the objects that serve the ports. Without such an object, no port is open. */
  readonly through: string;
  readonly openingsOf: (fields: Fields) => InternetPort['openings'];
}

const WAYS: readonly Way[] = [
  { ports: 'ingress_port_allocation', through: 'ingress_peer', openingsOf: openingsOfIngress },
];

/** The kinds of objects that open ports to the internet. */
export const INTERNET_KINDS: ReadonlySet<string> = new Set(
  WAYS.flatMap(({ ports, through }) => [ports, through]),
);

/**
 * The open ports of an account. `isWhole`: whether the objects are the whole account, not only the
 * objects in files. If only files are known and they declare no object that serves ports, one is
 * assumed to exist.
 */
export function internetPortsOf(
  of: (kind: string) => readonly StateObject[],
  isWhole: boolean,
): readonly InternetPort[] {
  return [...portsOfWays(of, isWhole), ...of(SERVICE).flatMap(openedByService)];
}

function portsOfWays(
  of: (kind: string) => readonly StateObject[],
  isWhole: boolean,
): readonly InternetPort[] {
  return WAYS.flatMap(({ ports, through, openingsOf }) => {
    const all = of(through);
    const serving = all.filter(({ fields }) => flagIn(fields, 'enabled', true));
    if ((isWhole || all.length > 0) && serving.length === 0) return [];
    const by = serving.map(({ kind, key }) => ({ kind, key }));
    return of(ports).flatMap((object): readonly InternetPort[] => {
      const { kind, key, parent, fields } = object;
      if (parent === undefined || !flagIn(fields, 'enabled', true)) return [];
      return [
        {
          ...namedBy(object),
          machine: parent,
          to: ANYBODY,
          by: [{ kind, key }, ...by],
          openings: openingsOf(fields),
        },
      ];
    });
  });
}

/** The lists that must be read from an account, besides those for access between machines. */
export interface InternetReads {
  readonly kinds: ReadonlySet<string>;
  /** The parents whose lists are read, by nested kind. */
  readonly parents: ReadonlyMap<string, ReadonlySet<string> | 'all'>;
}

interface Mentioned {
  readonly kind: KindName;
  readonly key: string;
}

/**
 * The lists that show what a plan opens or closes. Each machine has a separate list of ports. So
 * the ports of all machines are read only if the plan changes an object that serves ports.
 */
export function internetReads(
  changes: readonly Mentioned[],
  live: readonly Mentioned[] = [],
): InternetReads {
  const concerned = WAYS.filter(({ ports, through }) =>
    [...changes, ...live].some(({ kind }) => kind === ports || kind === through),
  );
  const parents = new Map<string, ReadonlySet<string> | 'all'>();
  for (const { ports, through } of concerned) {
    const own = changes.filter(({ kind }) => kind === ports);
    if (changes.some(({ kind }) => kind === through)) parents.set(ports, 'all');
    else if (own.length > 0)
      parents.set(ports, new Set(own.flatMap(({ key }) => segmentsOf(key, 2)?.[0] ?? [])));
  }
  return {
    kinds: new Set([...concerned.map(({ through }) => through), ...parents.keys()]),
    parents,
  };
}

/**
 * The objects among these that open ports of machines, one for each machine, because each machine
 * has one list of ports.
 */
export function portsAmong<T extends Mentioned>(objects: readonly T[]): readonly T[] {
  const own = objects.filter(({ kind }) => WAYS.some(({ ports }) => ports === kind));
  const byMachine = new Map(own.map(one => [segmentsOf(one.key, 2)?.[0] ?? one.key, one]));
  return [...byMachine.values()];
}

/** Whether there are objects that may open ports. */
export const mayBeOpen = (objects: readonly { readonly kind: string }[]): boolean =>
  objects.some(({ kind }) => INTERNET_KINDS.has(kind) || kind === SERVICE);

/** The kinds of the objects that serve ports. The server has one list for each kind. */
export const SERVING_KINDS: ReadonlySet<string> = new Set(WAYS.map(({ through }) => through));

/**
 * The kinds whose objects may open ports in an account, given all objects of the account that serve
 * ports.
 */
export function openKinds(
  live: readonly { readonly kind: KindName; readonly fields: Fields }[],
): ReadonlySet<string> {
  const serving = live.filter(({ fields }) => flagIn(fields, 'enabled', true));
  const isServing = (through: string) => serving.some(({ kind }) => kind === through);
  return new Set(WAYS.flatMap(({ ports, through }) => (isServing(through) ? [ports] : [])));
}

function openingsOfIngress({
  port_ranges: ranges,
  direct_port: direct,
}: Fields): InternetPort['openings'] {
  const written = (isList(ranges) ? ranges : []).filter(isObject).flatMap(range => {
    const ports = portsOf(range);
    return ports ? protocolsOf(range).map(protocol => ({ protocol, range: ports })) : [];
  });
  // A live allocation contains its ranges twice: as ranges and as direct ports. The ranges are
  // used, because they contain the port numbers.
  if (written.length > 0 || !isObject(direct)) return written;
  return protocolsOf(direct).map(protocol => ({ protocol }));
}

function protocolsOf(fields: Fields): readonly ('tcp' | 'udp')[] {
  const protocol = textIn(fields, 'protocol');
  return protocol === 'tcp' || protocol === 'udp' ? [protocol] : ['tcp', 'udp'];
}

function portsOf({ start, end }: Readonly<Record<string, Json>>): PortRange | undefined {
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined;
}
