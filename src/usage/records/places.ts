// Finds the object in the account that an end of a record belongs to. An undeclared address is never stored: the declared range
// that contains it is stored instead.
import type { AccessState } from '../../access/state/accessState.ts';
import { distanceWithin, rangeOf } from '../../access/world/address.ts';
import { addressText, bits } from '../../kinds/values/ip.ts';
import type { Endpoint } from '../observed.ts';
import type { RecordEnd } from './recordEnd.ts';

/** Returns the endpoint for an end of a record. */
export type EndpointOf = (end: RecordEnd) => Endpoint;

/** Resolves ends of records by the addresses of a state; without a state, no address counts as declared. */
export function endpointsIn(state: AccessState | null): EndpointOf {
  const declared = declaredIn(state);
  const found = new Map<string, Endpoint>();
  return end => {
    const { type, id } = end;
    if (type === 'machine' || (type === 'unknown' && declared.machines.has(id)))
      return { type: 'machine', id };
    const key = `${id} ${end.host} ${end.label}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const resource = id === '' ? undefined : declared.byId.get(id);
    const isResource = type === 'resource' || resource !== undefined;
    const endpoint = isResource
      ? resourceAt(resource ?? { id, address: '' }, plain(end.host), declared)
      : byAddress(end, declared);
    if (found.size < MOST_FOUND) found.set(key, endpoint);
    return endpoint;
  };
}

/** The addresses of a state. */
interface DeclaredAddresses {
  readonly machines: ReadonlySet<string>;
  /** The ids of machines by their addresses in the overlay. */
  readonly overlay: ReadonlyMap<string, string>;
  readonly resources: readonly DeclaredResource[];
  readonly byId: ReadonlyMap<string, DeclaredResource>;
  readonly routes: readonly string[];
  /** The addresses that are declared one by one. */
  readonly single: ReadonlySet<string>;
}

function declaredIn(state: AccessState | null): DeclaredAddresses {
  const resources = resourcesOf(state);
  return {
    machines: new Set(state?.machines.flatMap(({ id }) => id ?? [])),
    overlay: new Map(
      state?.machines.flatMap(({ id, ip, ipv6 }) =>
        id === undefined
          ? []
          : [ip, ipv6].flatMap(text => (text ? [[plain(text), id] as const] : [])),
      ),
    ),
    resources,
    byId: new Map(resources.map(resource => [resource.id, resource])),
    routes: state?.routes.flatMap(({ addresses }) => addresses) ?? [],
    single: singlesOf(resources, state),
  };
}

function byAddress(
  end: RecordEnd,
  { overlay, resources, routes, single }: DeclaredAddresses,
): Endpoint {
  const names = [plain(end.host), end.label].filter(name => name !== '');
  const [host = ''] = names;
  const machine = overlay.get(host);
  if (machine !== undefined) return { type: 'machine', id: machine };
  const own = nearest(names, resources, ({ address }) => address);
  if (own !== undefined) return resourceAt(own, host, { single });
  if (single.has(host)) return { type: 'address', address: host };
  const range = nearest(names, routes, address => address);
  return { type: 'address', address: range ?? everything(host) };
}

const resourceAt = (
  { id, address }: DeclaredResource,
  host: string,
  { single }: Pick<DeclaredAddresses, 'single'>,
): Endpoint =>
  !isSingle(address) && single.has(host)
    ? { type: 'resource', id, address: host }
    : { type: 'resource', id };

/**
 * The maximum number of addresses whose objects are cached: behind a route to the internet, there
 * are many addresses.
 */
const MOST_FOUND = 100_000;

interface DeclaredResource {
  readonly id: string;
  readonly address: string;
}

const resourcesOf = (state: AccessState | null): readonly DeclaredResource[] =>
  (state?.networks ?? []).flatMap(({ resources }) =>
    resources.flatMap(({ id, address }) => (id === undefined ? [] : { id, address })),
  );

// The addresses that are declared one by one: those of resources and routes, and those that names resolve to.
function singlesOf(
  resources: readonly DeclaredResource[],
  state: AccessState | null,
): ReadonlySet<string> {
  const declared = [
    ...resources.map(({ address }) => address),
    ...(state?.routes ?? []).flatMap(({ addresses }) => addresses),
    ...(state?.zones ?? []).flatMap(({ records }) => records.map(({ content }) => content)),
  ];
  return new Set(declared.filter(isSingle).map(plain));
}

/** Whether an address is a single one: neither a range nor a wildcard name. */
function isSingle(address: string): boolean {
  const range = rangeOf(address);
  return range === null ? !address.startsWith('*.') : range.length === bits(range.version);
}

// The narrowest entry that contains any of these names.
function nearest<T>(
  names: readonly string[],
  among: readonly T[],
  addressOf: (one: T) => string,
): T | undefined {
  let best: { readonly one: T; readonly distance: number } | undefined;
  for (const name of names)
    for (const one of among) {
      const distance = distanceWithin(name, addressOf(one));
      if (distance !== undefined && (best === undefined || distance < best.distance))
        best = { one, distance };
    }
  return best?.one;
}

const everything = (host: string): string => (host.includes(':') ? '::/0' : '0.0.0.0/0');

// A range that contains only one address is written as that address, so that the two can be
// compared as texts.
function plain(text: string): string {
  const range = rangeOf(text);
  if (range === null) return text;
  return range.length === bits(range.version) ? addressText(range) : text;
}
