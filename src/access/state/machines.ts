// Converts peers to machines, with the facts that the server knows about them.
import type { Fields } from '../../model/value.ts';
import type { Facts, Machine } from './accessState.ts';
import { flagIn, namedBy, optionalText, type StateObject, textIn, textsIn } from './stateObject.ts';

/** The machine of a peer. */
export function machineOf(object: StateObject): Machine {
  const all = { ...object.serverFields, ...object.fields };
  const user = optionalText(all, 'user_id');
  const ip = optionalText(all, 'ip');
  const ipv6 = optionalText(all, 'ipv6');
  const dnsNames = dnsNamesIn(all);
  return {
    ...namedBy(object),
    facts: factsOf(object),
    awaitsApproval: flagIn(all, 'approval_required', false),
    isLoginExpired: flagIn(all, 'login_expired', false),
    isEphemeral: flagIn(all, 'ephemeral', false),
    ...(flagIn(all, 'ssh_enabled', false) && { answersSsh: true }),
    ...(user && { user }),
    ...(ip && { ip }),
    ...(ipv6 && { ipv6 }),
    ...(dnsNames.length > 0 && { dnsNames }),
  };
}

/**
 * The addresses of a machine in the overlay network. If an address is not known yet, the range of
 * this address.
 */
export const overlayAddresses = ({ ip, ipv6 }: Pick<Machine, 'ip' | 'ipv6'>): readonly string[] =>
  [ip, ipv6].filter(address => address !== undefined);

// A label without a domain is left out, because it cannot be resolved.
const dnsNamesIn = (fields: Fields): readonly string[] =>
  [textIn(fields, 'dns_label'), ...textsIn(fields, 'extra_dns_labels')].filter(name =>
    name.includes('.'),
  );

const FACTS = [
  ['version', 'version'],
  ['os', 'os'],
  ['kernel', 'kernel_version'],
  ['country', 'country_code'],
  ['city', 'city_name'],
  ['address', 'connection_ip'],
] as const;

function factsOf({ serverFields = {} }: StateObject): Facts {
  const known = FACTS.flatMap(([fact, field]) => {
    const value = optionalText(serverFields, field);
    return value === undefined ? [] : [[fact, value] as const];
  });
  return Object.fromEntries(known);
}
