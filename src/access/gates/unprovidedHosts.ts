// Services that call a guarded address that no object of the account provides, such as a `host`
// outside its subnet. The address is not a destination of the account, so nobody has access to it.
// What a plan newly sends there is a right.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import { nameText } from '../../model/text/visible.ts';
import { addressesOf } from '../ask/destinations.ts';
import { type Selector, selectorOf } from '../ask/selector.ts';
import type { Comparison } from '../plan/comparison.ts';
import type { AccessState, InternetPort } from '../state/accessState.ts';
import { SERVICE } from '../state/services.ts';
import { haveCommonAddresses } from '../world/address.ts';
import { leadsIn } from '../world/nameTargets.ts';
import { isOpenedFor, isSameCall } from './calledPorts.ts';

/**
 * The rights of callers to reach, through a service, a guarded address that no object provides.
 * Only services that did not call the address for the same callers before give a right.
 */
export function unprovidedRights(
  { stateBefore, stateAfter, after }: Comparison,
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  const [were, are] = [stateBefore, stateAfter].map(callingIn);
  const targets = new Map(
    guarded.flatMap(({ to }) => {
      const selector = selectorOf(to);
      if ('fault' in selector || selector.type !== 'address') return [];
      return addressesOf(after.world, selector) === undefined ? [[to, selector] as const] : [];
    }),
  );
  const found = [...targets].flatMap(([to, selector]) => {
    const known = were?.(selector) ?? [];
    const called = are?.(selector) ?? [];
    const newly = called.filter(port => !known.some(one => isSameCall(one, port)));
    return newly.map(
      ({ service = '' }): RightEntry => ({
        object: addressOf(kindName(SERVICE), service as Key),
        right: 'exposure',
        message: `calls ${nameText(to)}, which is guarded, and which no object of the account provides`,
      }),
    );
  });
  return [...new Map(found.map(one => [`${one.object} ${one.message}`, one])).values()];
}

// Returns the ports of a state that a selector of an address covers.
function callingIn(state: AccessState): (selector: Selector) => readonly InternetPort[] {
  const leads = leadsIn(state);
  const calling = state.internetPorts.flatMap(port => {
    const { host } = port;
    return host === undefined ? [] : [{ port, places: [host, ...leads(host).places] }];
  });
  return ({ name, traffic }) =>
    calling.flatMap(({ port, places }) =>
      places.some(place => haveCommonAddresses(place, name)) && isOpenedFor(port, traffic)
        ? port
        : [],
    );
}
