// Overlay addresses that a plan gives to another machine. An object that contains such an address
// then refers to the other machine, although the object does not change.
import type { KindTable } from '../../kinds/kind.ts';
import { hasHidden, hiddenPaths } from '../../kinds/values/hidden.ts';
import { hostText } from '../../kinds/values/hostText.ts';
import { accessName } from '../../model/access/accessName.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName, type RemoteId } from '../../model/names.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import { targetsAround } from '../ask/destinations.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import type { AccessState, Machine } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { haveCommonAddresses } from '../world/address.ts';
import type { World } from '../world/world.ts';
import type { MovingNote } from './movingNotes.ts';

/**
 * Whether actions give addresses to machines. If so, the records with these addresses must be
 * known.
 */
export const changeAddresses = (actions: readonly ShownAction[]): boolean =>
  actions.some(
    one =>
      one.kind === 'peer' && one.verb !== 'delete' && ('ip' in one.fields || 'ipv6' in one.fields),
  );

/**
 * The kinds that must be read because their objects may contain web addresses with overlay addresses that actions give to
 * machines.
 */
export const kindsWithAddresses = (
  kinds: KindTable,
  actions: readonly ShownAction[],
): ReadonlySet<string> =>
  new Set(
    changeAddresses(actions) ? [...kinds.values()].filter(hasHidden).map(({ name }) => name) : [],
  );

/** An overlay address that another machine has after a plan. */
export interface TakenAddress {
  readonly address: string;
  readonly is: Machine;
  /** The machine that had the address before; undefined if there was none. */
  readonly was: Machine | undefined;
}

/** The overlay addresses that machines have only because of a plan. */
export function addressesTaken(before: AccessState, after: AccessState): readonly TakenAddress[] {
  if (before.machines === after.machines) return [];
  const holders = new Map(
    before.machines.flatMap(one => overlayAddresses(one).map(address => [address, one] as const)),
  );
  const isKnown = knownAmong(before.machines);
  return after.machines.flatMap(machine =>
    overlayAddresses(machine).flatMap((address): TakenAddress[] => {
      // If the plan declares a range, the server chooses the address.
      if (address.includes('/')) return [];
      const was = holders.get(address);
      if (was ? isSame(was, machine) : !isKnown(machine)) return [];
      return [{ address, is: machine, was }];
    }),
  );
}

// Returns whether a machine is one of these machines, possibly in another state.
function knownAmong(machines: readonly Machine[]): (machine: Machine) => boolean {
  const ids = new Set(machines.map(({ id }) => id));
  const keys = new Set(machines.map(({ key }) => key));
  const withoutId = new Set(machines.filter(({ id }) => id === undefined).map(({ key }) => key));
  return ({ id, key }) => (id === undefined ? keys.has(key) : ids.has(id) || withoutId.has(key));
}

const takenText = ({ address, is, was }: TakenAddress): string => {
  const former = was ? ` instead of ${accessName('peer', was.key)}` : ', and no machine has it now';
  return `${address} is the address of ${accessName('peer', is.key)}${former}`;
};

/** A note for each overlay address that a machine gets and that an object of the account contains. */
export function takenAddresses(
  { before, after }: Comparison,
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
): readonly MovingNote[] {
  const all = addressesTaken(before.world.state, after.world.state);
  if (all.length === 0) return [];
  const written = writtenIn(account);
  return all.flatMap((taken): MovingNote[] => {
    const named = namesFor(after.world, taken.address, written);
    if (named.length === 0) return [];
    const message = `${takenText(taken)}, and ${named.join(', ')} ${named.length === 1 ? 'leads' : 'lead'} there`;
    const says = named.map(name => `${takenText(taken)}, and ${name} leads there`);
    return [{ message, moves: [{ says, of: [''] }] }];
  });
}

/** An object with a web address, such as a notification channel, and the host in this address. */
interface WrittenHost {
  readonly name: string;
  readonly host: string;
}

// The web addresses in the account after a plan. Secret hosts are left out, because a note would
// reveal them.
function writtenIn({
  kinds,
  live,
  plan,
}: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> }): readonly WrittenHost[] {
  if (!live.some(({ kind }) => isWithAddress(kinds, kind))) return [];
  const secret = new Set(live.flatMap(({ id, hasSecretHost }) => (hasSecretHost ? id : [])));
  return accountAfter(kinds, live, plan).objects.flatMap(({ kind, key, id, fields }) => {
    if (!isWithAddress(kinds, kind) || (id !== undefined && secret.has(id as RemoteId))) return [];
    return hiddenPaths(kinds.get(kindName(kind))?.shape, fields).map(({ text }) => ({
      name: addressOf(kindName(kind), key as Key),
      host: hostText(text),
    }));
  });
}

function isWithAddress(kinds: KindTable, name: string): boolean {
  const kind = kinds.get(kindName(name));
  return kind !== undefined && hasHidden(kind);
}

const isSame = (one: Machine, other: Machine): boolean =>
  one.id === undefined || other.id === undefined ? one.key === other.key : one.id === other.id;

// The names of the objects that contain the address: records, network resources, routes, services and web addresses.
function namesFor(
  world: World,
  address: string,
  written: readonly WrittenHost[],
): readonly string[] {
  const { zones, internetPorts } = world.state;
  const records = zones.flatMap(({ isEnabled, records: all }) =>
    isEnabled ? all.filter(({ content }) => haveCommonAddresses(content, address)) : [],
  );
  const around = targetsAround(world, [address]);
  const hosts = internetPorts.filter(({ host }) => host && haveCommonAddresses(host, address));
  return [
    ...new Set([
      ...records.map(({ name }) => quoted(name)),
      ...around.flatMap(({ resources }) =>
        resources.map(({ resource }) => accessName('network_resource', resource.key)),
      ),
      ...around.flatMap(({ routes }) => routes.map(({ key }) => accessName('route', key))),
      ...hosts.flatMap(({ service }) => (service === undefined ? [] : quoted(service))),
      ...written.flatMap(({ name, host }) => (haveCommonAddresses(host, address) ? name : [])),
    ]),
  ].sort();
}
