// DNS zones: the targets of their names, and the objects that have names instead of addresses.
import { parseIp, parsePrefix } from '../../kinds/values/ip.ts';
import type { Fields } from '../../model/value.ts';
import type { AccessState, InternetPort, NameRecord, Zone } from './accessState.ts';
import { calledHosts, SERVICE } from './services.ts';
import { flagIn, namedBy, type StateObject, textIn, textsIn } from './stateObject.ts';

/** The kind of zones. */
export const ZONE = 'dns_zone';

/** The kind of records of zones. */
export const RECORD = 'dns_record';

/** The kinds of objects that determine where names resolve. */
export const NAME_KINDS: ReadonlySet<string> = new Set([ZONE, RECORD]);

const RECEIVERS = 'distribution_groups';

/** A zone with its records. */
export function zoneOf(object: StateObject, records: readonly StateObject[]): Zone {
  const { fields } = object;
  return {
    ...namedBy(object),
    domain: textIn(fields, 'domain'),
    isEnabled: flagIn(fields, 'enabled', true),
    ...(RECEIVERS in fields && { groups: textsIn(fields, RECEIVERS) }),
    isSearched: flagIn(fields, 'enable_search_domain', false),
    records: records.map(recordOf),
  };
}

function recordOf(object: StateObject): NameRecord {
  const { fields } = object;
  return {
    ...namedBy(object),
    name: textIn(fields, 'name'),
    type: textIn(fields, 'type'),
    content: textIn(fields, 'content'),
  };
}

/** The domains of the network resources and routes of a state. */
export function domainsIn({ networks, routes }: AccessState): readonly string[] {
  const offered = [
    ...networks.flatMap(({ resources }) => resources.map(({ address }) => address)),
    ...routes.flatMap(({ addresses }) => addresses),
  ];
  return [...new Set(offered)].filter(isName);
}

/**
 * Whether a state depends on where names resolve: an object has a name instead of an address, or a
 * service calls a name.
 */
export const asksForNames = (state: AccessState): boolean =>
  domainsIn(state).length > 0 || state.internetPorts.some(callsByName);

/** Whether callers reach a port by a name. */
export const callsByName = ({ host }: Pick<InternetPort, 'host'>): boolean =>
  host !== undefined && isName(host);

/** An object, or an action of a plan; a delete has no fields. */
interface Mentioned {
  readonly kind: string;
  readonly fields?: Fields;
}

/** Whether some objects have domains or call a name. If so, it matters where names resolve. */
export const offerDomains = (objects: readonly Mentioned[]): boolean =>
  callNames(objects) ||
  objects.some(({ kind, fields }) => {
    if (kind === 'route') return Array.isArray(fields?.domains) && fields.domains.length > 0;
    const address = fields?.address;
    return kind === 'network_resource' && typeof address === 'string' && isName(address);
  });

/** Whether some objects are services that call a name. */
export const callNames = (objects: readonly Mentioned[]): boolean =>
  objects.some(({ kind, fields }) => kind === SERVICE && calledHosts(fields ?? {}).some(isName));

/**
 * Whether a plan changes where names resolve. Besides zones and records, it may change the address
 * of a machine to which a record points, the name of a machine, or the domain of all machines.
 */
export const changeNames = (objects: readonly Mentioned[]): boolean =>
  objects.some(({ kind, fields = {} }) => {
    const naming = NAMING[kind];
    return naming === undefined ? NAME_KINDS.has(kind) : naming.some(field => field in fields);
  });

/** Whether a plan changes zones or records. */
export const changeRecords = (objects: readonly { readonly kind: string }[]): boolean =>
  objects.some(({ kind }) => NAME_KINDS.has(kind));

/** The fields that determine the names and addresses of machines, by kind. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  peer: ['ip', 'ipv6', 'name'],
  account_settings: ['dns_domain', 'network_range', 'network_range_v6', 'ipv6_enabled_groups'],
};

/** Whether an address of a network resource or route is a domain. */
export const isName = (address: string): boolean =>
  address !== '' && parseIp(address) === null && parsePrefix(address) === null;
