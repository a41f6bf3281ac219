// The places to which the name of a network resource resolves for its routing machines, before and after a plan. The plan may
// change the target of the name, the groups of the machines, or the routing machines.
import { nameText, quoted } from '../../model/text/visible.ts';
import { memberName } from '../ask/memberSetNames.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { everyServer } from '../routed/servers.ts';
import { and, type Bits, has, indexesIn, noBits, or } from '../sets/bits.ts';
import type { Named, Network } from '../state/accessState.ts';
import { EVERYBODY, groupIds } from '../world/replies.ts';
import { namesOf } from '../world/roster.ts';
import type { World } from '../world/world.ts';
import { type Asking, askingIn } from './nameservers.ts';
import { areSame, type Resolved, resolvedIn, wordsOf } from './resolvedNames.ts';

/** Returns the network of a resource in a state; undefined if the state does not have the resource. */
type NetworkIn = (world: World) => Network | undefined;

/** The places to which a name resolves for each routing machine in one state. */
interface Lookups {
  readonly machines: Bits;
  readonly at: (index: number) => Resolved;
}

/** The account after a plan or a part of it. */
export interface LaterAccount {
  readonly world: World;
  readonly asking: Asking;
}

/**
 * Describes the places to which a name resolves after a plan, but not before, for the routing
 * machines of a network.
 */
export function otherLookups(
  { before, after, stateBefore, stateAfter }: Comparison,
  account: Pick<PlannedAccount, 'kinds' | 'live' | 'plan'>,
): (name: string, networkIn: NetworkIn, part?: LaterAccount) => readonly string[] {
  const [was, is] = askingIn(account, stateBefore.groups, stateAfter.groups);
  const former = lookupsIn({ world: before.world, asking: was });
  const latter = lookupsIn({ world: after.world, asking: is });
  return (name, networkIn, part) => {
    const later = part === undefined ? latter : lookupsIn(part);
    return changesBetween(former(name, networkIn), later(name, networkIn), {
      name,
      world: part?.world ?? after.world,
    });
  };
}

// A routing machine that stays is compared with itself before the plan. A new routing machine is
// compared with all former ones. If there were none, the plan opens the resource, which is a gain
// of access instead.
function changesBetween(
  former: Lookups,
  latter: Lookups,
  { name, world }: { readonly name: string; readonly world: World },
): readonly string[] {
  const known = [...indexesIn(former.machines)].map(former.at);
  const found = new Map<string, { isOld: boolean; readonly names: string[] }>();
  for (const index of indexesIn(latter.machines)) {
    const is = latter.at(index);
    const isOld = has(former.machines, index);
    const was = isOld ? [former.at(index)] : known;
    if (was.length === 0 || was.some(one => areSame(one, is))) continue;
    const others = [...new Set(was.map(wordsOf))].toSorted().join(' or ');
    const text = `${wordsOf(is)} instead of ${others}`;
    const same = found.get(text) ?? { isOld: false, names: [] };
    same.isOld ||= isOld;
    same.names.push(nameText(memberName(world, index)));
    found.set(text, same);
  }
  return [...found].map(([text, { isOld, names }]) => {
    const because = `${text}, because ${quoted(name)} leads there`;
    return isOld ? because : `${because} for ${namesText(names)}`;
  });
}

/** The maximum number of new routing machines that are named. */
const NAMED = 3;

function namesText(names: readonly string[]): string {
  const sorted = names.toSorted();
  const left = sorted.length - NAMED;
  const more = left > 0 ? ` and ${left} more` : '';
  const are = names.length === 1 ? 'a new routing machine' : 'new routing machines';
  return `${sorted.slice(0, NAMED).join(', ')}${more}, ${are}`;
}

function lookupsIn({
  world,
  asking,
}: LaterAccount): (name: string, networkIn: NetworkIn) => Lookups {
  const resolve = resolvedIn(world.state, asking);
  const groupsOf = groupsByIndex(world);
  return (name, networkIn) => {
    const network = networkIn(world);
    const found = new Map<string, Resolved>();
    const at = (index: number) => {
      const groups = groupsOf(index);
      const key = groups.join('\n');
      const known = found.get(key) ?? resolve(name, groups);
      found.set(key, known);
      return known;
    };
    return { machines: network === undefined ? noBits() : routingIn(world, network), at };
  };
}

/** The routing machines of a network, including future machines. */
const routingIn = (world: World, { routers }: Network): Bits =>
  and(
    routers
      .filter(({ isEnabled }) => isEnabled)
      .map(({ servers }) => everyServer(world, servers))
      .reduce(or, noBits()),
    world.present,
  );

function groupsByIndex(world: World): (index: number) => readonly string[] {
  const ids = groupIds(world.state.groups);
  const groups = world.state.groups.map(group => ({
    id: ids.get(group.key) ?? group.key,
    members: world.inGroups([group.key]),
  }));
  return index =>
    [
      ...new Set([
        EVERYBODY,
        ...groups.filter(({ members }) => has(members, index)).map(({ id }) => id),
      ]),
    ].toSorted();
}

/** Returns the network that has a resource, in each state. A resource that is created again has another id. */
export const networkOf =
  ({ id, key }: Named): NetworkIn =>
  ({ state: { networks } }) =>
    (id === undefined
      ? undefined
      : networks.find(({ resources }) => resources.some(one => one.id === id))) ??
    networks.find(({ resources }) => resources.some(one => namesOf(one).includes(key)));
