// Peers → machines, with the facts that the server knows about them.
import type { Facts, Machine } from './accessState.ts';
import { flagIn, namedBy, optionalText, type StateObject } from './stateObject.ts';

/** The machine of a peer. */
export function machineOf(object: StateObject): Machine {
  const all = { ...object.serverFields, ...object.fields };
  const user = optionalText(all, 'user_id');
  const ip = optionalText(all, 'ip');
  const ipv6 = optionalText(all, 'ipv6');
  return {
    ...namedBy(object),
    facts: factsOf(object),
    awaitsApproval: flagIn(all, 'approval_required', false),
    isLoginExpired: flagIn(all, 'login_expired', false),
    isEphemeral: flagIn(all, 'ephemeral', false),
    ...(user && { user }),
    ...(ip && { ip }),
    ...(ipv6 && { ipv6 }),
  };
}

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
