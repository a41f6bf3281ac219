// Everything that can be reached in a state under one reading of posture: machines, and addresses behind routing machines.
import { type MachineReach, machineReach } from './between/machines.ts';
import { sourcesAtRouters } from './routed/counted.ts';
import type { Delivery } from './routed/delivery.ts';
import { resourceDeliveries } from './routed/resources.ts';
import { routeDeliveries } from './routed/routes.ts';
import { type Passage, passageOf, sentThroughAny } from './routed/through.ts';
import { type Bits, noBits, orInto, withoutOne } from './sets/bits.ts';
import type { Row } from './sets/row.ts';
import type { RowPool } from './sets/rowPool.ts';
import type { Posture } from './world/reading.ts';
import type { World } from './world/world.ts';

export interface AccountReach {
  readonly machines: MachineReach;
  readonly deliveries: readonly Delivery[];
  /** Who reaches a delivered resource or route at a routing machine. */
  readonly deliveriesOf: (destination: string) => readonly Delivery[];
  /** What a routing machine admits to an address, for all resources and routes with that address. */
  readonly deliveriesThrough: (router: number, address: string) => readonly Delivery[];
  /** Who reaches a destination, through any of its routing machines. */
  readonly routedRow: (destination: string) => Row;
  /** Who reaches each address through each of its routing machines, for all resources and routes with that address. */
  readonly passageRows: () => readonly PassageRow[];
}

interface PassageRow {
  readonly address: string;
  readonly router: number;
  readonly row: Row;
}

/** The reach of everyone in a world. `pool`: shared with the worlds that it is compared with. */
export function accountReach(world: World, reading: Posture, pool: RowPool): AccountReach {
  const { size } = world;
  let found: Routed | undefined;
  // Under most outcomes only machines are asked for.
  const routed = () => {
    found ??= routedIn(world, reading, pool);
    return found;
  };
  const passages = new Map<string, Passage>();
  const passageAt = (name: string): Passage => {
    const passage = passages.get(name) ?? passageOf(routed().together.get(name) ?? [], pool, size);
    passages.set(name, passage);
    return passage;
  };
  const sent = (some: readonly Delivery[]): Row =>
    sentThroughAny(
      some.map(delivery => ({
        passage: passageAt(passageName(delivery)),
        receivers: receiversIn(delivery, reading),
      })),
    );
  const rows = new Map<string, Row>();
  return {
    machines: machineReach(world, reading, pool),
    get deliveries() {
      return routed().deliveries;
    },
    deliveriesThrough: (router, address) =>
      routed().together.get(passageName({ router, address })) ?? [],
    deliveriesOf: destination => routed().byDestination.get(destination) ?? [],
    routedRow: destination => {
      const row = rows.get(destination) ?? sent(routed().byDestination.get(destination) ?? []);
      rows.set(destination, row);
      return row;
    },
    passageRows: () =>
      [...routed().together.values()].flatMap(same => {
        const [first] = same;
        if (first === undefined) return [];
        const receivers = noBits();
        for (const delivery of same) orInto(receivers, delivery.receivers);
        return [
          { address: first.address, router: first.router, row: sent([{ ...first, receivers }]) },
        ];
      }),
  };
}

interface Routed {
  readonly deliveries: readonly Delivery[];
  readonly together: ReadonlyMap<string, readonly Delivery[]>;
  readonly byDestination: ReadonlyMap<string, readonly Delivery[]>;
}

function routedIn(world: World, reading: Posture, pool: RowPool): Routed {
  const routers = { pool, sourcesAt: sourcesAtRouters(world, reading) };
  const deliveries = [
    ...resourceDeliveries(world, reading, routers),
    ...routeDeliveries(world, reading, routers),
  ];
  return {
    deliveries,
    together: Map.groupBy(deliveries, passageName),
    byDestination: Map.groupBy(deliveries, ({ destination }) => destination),
  };
}

// A routing machine that is the source itself has one posture, and not two.
function receiversIn({ receivers, router }: Delivery, posture: Posture): Bits {
  const isTwo = typeof posture === 'object' && posture.ofSource !== posture.ofOthers;
  return isTwo ? withoutOne(receivers, router) : receivers;
}

const passageName = ({ address, router }: Pick<Delivery, 'address' | 'router'>): string =>
  `${router} ${address}`;
