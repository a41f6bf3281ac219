// Everything that can be reached in a state under one reading of posture: machines, and addresses through routing machines.
import { type Bits, noBits, orInto } from './sets/bits.ts';
import type { Row } from './sets/row.ts';
import { type RowPool, rowPool } from './sets/rowPool.ts';
import { type MachineReach, machineReach } from './between/machines.ts';
import type { Delivery } from './routed/delivery.ts';
import { resourceDeliveries } from './routed/resources.ts';
import { routeDeliveries } from './routed/routes.ts';
import { type Passage, passageOf, sentThrough } from './routed/through.ts';
import type { Reading } from './world/reading.ts';
import type { World } from './world/world.ts';

export interface AccountReach {
  readonly machines: MachineReach;
  readonly deliveries: readonly Delivery[];
  /** What a routing machine lets through to an address. */
  readonly passage: (address: string, router: number) => Passage;
}

/** The reach of everyone in a world. `pool`: of the worlds that it is compared with. */
export function accountReach(
  world: World,
  reading: Reading,
  pool: RowPool = rowPool(world.size),
): AccountReach {
  const deliveries = [
    ...resourceDeliveries(world, reading, pool),
    ...routeDeliveries(world, reading, pool),
  ];
  const byPassage = Map.groupBy(deliveries, ({ address, router }) => nameOf(address, router));
  const passages = new Map<string, Passage>();
  return {
    machines: machineReach(world, reading, pool),
    deliveries,
    passage: (address, router) => {
      const name = nameOf(address, router);
      const passage =
        passages.get(name) ?? passageOf(byPassage.get(name) ?? [], pool, world.size);
      passages.set(name, passage);
      return passage;
    },
  };
}

/** Who reaches an address through one routing machine, whatever it is delivered as. */
export interface PassageRow {
  readonly address: string;
  readonly router: number;
  readonly row: Row;
}

/** Every address with each of its routing machines. */
export function passageRows({ deliveries, passage }: AccountReach, size: number): PassageRow[] {
  const byPassage = Map.groupBy(deliveries, ({ address, router }) => nameOf(address, router));
  return [...byPassage.values()].flatMap(same => {
    const [first] = same;
    if (first === undefined) return [];
    const { address, router } = first;
    const receivers: Bits = noBits(size);
    for (const delivery of same) orInto(receivers, delivery.receivers);
    return [{ address, router, row: sentThrough(passage(address, router), receivers, size) }];
  });
}

const nameOf = (address: string, router: number): string => `${router} ${address}`;
