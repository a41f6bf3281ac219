// Everything that can be reached in a state, for one way to evaluate posture: machines, and
// addresses behind routing machines.
import { type MachineReach, machineReach } from './machines/machineReach.ts';
import { once } from './routed/computedOnce.ts';
import type { Delivery, Offer } from './routed/delivery.ts';
import { routingOf } from './routed/networkRouting.ts';
import { type Passage, passageOf, sentThroughAny } from './routed/passage.ts';
import { resourceOffers } from './routed/resourceOffers.ts';
import { routeOffers } from './routed/routeOffers.ts';
import { sourcesAtRouters } from './routed/sourcesAtRouters.ts';
import { type Bits, noBits, orInto, withoutOne } from './sets/bits.ts';
import { type Row, unionOf } from './sets/row.ts';
import type { RowPool } from './sets/rowPool.ts';
import type { CompiledRule } from './world/compiledPolicies.ts';
import { destinationBehind, resourceDestination } from './world/destinationNames.ts';
import type { Posture } from './world/reading.ts';
import { namesOf } from './world/roster.ts';
import type { World } from './world/world.ts';

export interface AccountReach {
  readonly machines: MachineReach;
  readonly deliveries: readonly Delivery[];
  /**
   * The deliveries of a resource or route. There is one delivery for each of its routing machines.
   */
  readonly deliveriesOf: (destination: string) => readonly Delivery[];
  /**
   * The deliveries of one routing machine to an address. Includes all resources and routes with
   * that address.
   */
  readonly deliveriesThrough: (router: number, address: string) => readonly Delivery[];
  /** The row of a destination: the sources that reach it through any of its routing machines. */
  readonly routedRow: (destination: string) => Row;
  /** The rules that open a network resource to outsiders, through any routing machine. */
  readonly openedRules: (destination: string) => readonly CompiledRule[];
  /** The row of the outsiders that reach a destination, through any routing machine. */
  readonly openedRow: (destination: string) => Row;
  /** The sources that reach a destination through this routing machine. */
  readonly rowThrough: (destination: string, router: number) => Row;
  /** The row of each address at each of its routing machines, for all resources and routes with that address. */
  readonly passageRows: () => readonly PassageRow[];
}

interface PassageRow {
  readonly address: string;
  readonly router: number;
  readonly row: Row;
}

/** The reach of every member of a state. `pool`: the row pool of all states that are compared. */
export function accountReach(world: World, reading: Posture, pool: RowPool): AccountReach {
  const delivered = findDeliveries(world, reading, pool);
  const sent = passagesOf(delivered, { size: world.size, reading, pool });
  const opened = once(() => openedDestinations(world));
  const openedRules = (destination: string) => opened().get(destination) ?? [];
  const openedRow = (destination: string): Row =>
    pool.row(
      openedRules(destination).map(({ traffic, sources }) => pool.entry(false, traffic, sources)),
    );
  const routedRows = new Map<string, Row>();
  return {
    machines: machineReach(world, reading, pool),
    get deliveries() {
      return delivered.all();
    },
    deliveriesThrough: delivered.through,
    deliveriesOf: delivered.to,
    openedRules,
    openedRow,
    routedRow: destination => {
      const row =
        routedRows.get(destination) ??
        unionOf([sent(delivered.to(destination)), openedRow(destination)].filter(isSome));
      routedRows.set(destination, row);
      return row;
    },
    rowThrough: (destination, router) =>
      sent(delivered.to(destination).filter(one => one.router === router)),
    passageRows: () =>
      delivered.together().flatMap(same => {
        const [first] = same;
        if (first === undefined) return [];
        const receivers = noBits();
        for (const delivery of same) orInto(receivers, delivery.receivers);
        const row = sent([{ ...first, receivers }]);
        return [{ address: first.address, router: first.router, row }];
      }),
  };
}

/**
 * What routing machines deliver. Computed on demand, because for most outcomes only machines and a few addresses are looked up.
 */
interface Deliveries {
  readonly all: () => readonly Delivery[];
  readonly to: (destination: string) => readonly Delivery[];
  readonly through: (router: number, address: string) => readonly Delivery[];
  /** All deliveries, grouped by routing machine and address. */
  readonly together: () => readonly (readonly Delivery[])[];
}

function findDeliveries(world: World, reading: Posture, pool: RowPool): Deliveries {
  const offers = once(() => offersIn(world, reading, pool));
  const routersAt = new Map<string, ReadonlyMap<number, readonly Delivery[]>>();
  const byRouterAt = (address: string) => {
    const found =
      routersAt.get(address) ??
      Map.groupBy(deliveriesIn(offers().byAddress.get(address)), ({ router }) => router);
    routersAt.set(address, found);
    return found;
  };
  return {
    all: () => deliveriesIn(offers().all),
    to: destination => deliveriesIn(offers().byDestination.get(destination)),
    through: (router, address) => byRouterAt(address).get(router) ?? [],
    together: () =>
      [...offers().byAddress.keys()].flatMap(address => [...byRouterAt(address).values()]),
  };
}

interface PassageContext {
  readonly size: number;
  readonly reading: Posture;
  readonly pool: RowPool;
}

/** Returns the traffic that members may send through the passages of some deliveries, as a row. */
function passagesOf(
  { through }: Deliveries,
  { size, reading, pool }: PassageContext,
): (deliveries: readonly Delivery[]) => Row {
  const passages = new Map<string, Passage>();
  const passageAt = ({ router, address }: Delivery): Passage => {
    const name = `${router} ${address}`;
    const passage = passages.get(name) ?? passageOf(through(router, address), pool, size);
    passages.set(name, passage);
    return passage;
  };
  return deliveries =>
    sentThroughAny(
      deliveries.map(delivery => ({
        passage: passageAt(delivery),
        receivers: receiversIn(delivery, reading),
      })),
    );
}

const isSome = (row: Row): boolean => row.length > 0;

// The rules for access from outside, grouped by the network resource that they open. The proxy
// reaches a resource like a machine does, but needs no policy. Unless the proxy connects directly,
// it needs a routing machine.
function openedDestinations(world: World) {
  const { state, siteOf, names, internetRules } = world;
  const rules = internetRules.flatMap(({ rules: own }) => own);
  const byResource = Map.groupBy(rules, ({ internetPort }) => internetPort?.resource);
  const all = state.networks.flatMap(network => {
    const own = network.resources.filter(({ isEnabled }) => isEnabled);
    const opened = own.flatMap(({ address, ...resource }) => {
      const found = namesOf(resource).flatMap(name => byResource.get(name) ?? []);
      const whole = resourceDestination(siteOf(network, address), address);
      // A source that reaches a domain also reaches the places to which the domain resolves.
      const led = names.movedOf(address, whole).map(({ id }) => destinationBehind(whole, id));
      return found.flatMap(rule => [whole, ...led].map(destination => ({ destination, rule })));
    });
    if (opened.length === 0 || routingOf(world, network).servers.length > 0) return opened;
    return opened.filter(({ rule }) => rule.internetPort?.isCalledDirectly === true);
  });
  return new Map(
    [...Map.groupBy(all, ({ destination }) => destination)].map(([destination, some]) => [
      destination,
      some.map(({ rule }) => rule),
    ]),
  );
}

interface Offers {
  readonly all: readonly Offer[];
  readonly byAddress: ReadonlyMap<string, readonly Offer[]>;
  readonly byDestination: ReadonlyMap<string, readonly Offer[]>;
}

function offersIn(world: World, reading: Posture, pool: RowPool): Offers {
  const routers = { pool, sourcesAt: sourcesAtRouters(world, reading) };
  const all = [...resourceOffers(world, reading, routers), ...routeOffers(world, reading, routers)];
  return {
    all,
    byAddress: Map.groupBy(all, ({ address }) => address),
    byDestination: Map.groupBy([...all, ...ledOffers(world, all)], one => one.destination),
  };
}

// A source that reaches a domain or an overlay address also reaches the targets to which that name
// or address leads.
const ledOffers = ({ names }: World, all: readonly Offer[]): readonly Offer[] =>
  all.flatMap(offer =>
    names
      .movedOf(offer.address, offer.destination)
      .map(({ id }) => ({ ...offer, destination: destinationBehind(offer.destination, id) })),
  );

const deliveriesIn = (offers: readonly Offer[] = []): readonly Delivery[] =>
  offers.flatMap(({ deliveries }) => deliveries());

// If the routing machine is also the source, source and router have the same posture.
function receiversIn({ receivers, router }: Delivery, posture: Posture): Bits {
  const isTwo = typeof posture === 'object' && posture.ofSource !== posture.ofOthers;
  return isTwo ? withoutOne(receivers, router) : receivers;
}
