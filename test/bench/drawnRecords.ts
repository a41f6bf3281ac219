// Records of a traffic log for the bench: machines that use the same things every day, each flow reported by both of its ends.
import { seededRandom } from '../../src/emulator/index.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { DAY_MS, type Time } from '../../src/usage/observed.ts';

/** How much is drawn. */
export interface Drawn {
  readonly ways: readonly Way[];
  readonly days: number;
  readonly records: number;
  readonly from: Time;
}

/** A way in use: from the machine with a number to another one. */
export interface Way {
  readonly source: number;
  readonly destination: number;
  readonly port: number;
  /** The policy that admits it. */
  readonly policy: string;
}

const PORTS = [22, 53, 80, 443, 5432, 8080, 8443, 9090, 3306, 3389];
const WINDOW = 10 * 60_000;

/** Ways between any of these machines and a tenth of them. */
export function drawnWays(machines: number, ways: number): readonly Way[] {
  const random = seededRandom(1);
  const whole = (below: number): number => Math.floor(random() * below);
  return Array.from({ length: ways }, () => {
    const source = whole(machines);
    const destination = whole(machines / 10);
    const port = PORTS[whole(PORTS.length)] ?? 0;
    return { source, destination, port, policy: `policy-${port}` };
  });
}

/** The records in order of time, in parts. */
export function* drawnRecords({ ways, days, records, from }: Drawn): Generator<JsonObject[]> {
  const random = seededRandom(2);
  const whole = (below: number): number => Math.floor(random() * below);
  const perPart = 10_000;
  const parts = Math.ceil(records / perPart);
  for (let part = 0; part < parts; part++) {
    yield Array.from({ length: perPart }, (_, at): JsonObject => {
      const number = part * perPart + at;
      // Few ways are used often, most of them seldom.
      const way = ways[Math.floor(random() ** 2 * ways.length)];
      if (way === undefined) throw new Error('there are no ways');
      const start = from + Math.floor((number / records) * days * DAY_MS);
      const isReceiver = number % 2 === 1;
      return {
        id: `r${number}`,
        flow_id: `f${number >> 1}`,
        reporter_id: `machine-${isReceiver ? way.destination : way.source}`,
        source: {
          id: `machine-${way.source}`,
          type: 'PEER',
          address: `100.64.0.${way.source % 250}:0`,
        },
        destination: {
          id: `machine-${way.destination}`,
          type: 'PEER',
          address: `100.64.1.${way.destination % 250}:${way.port}`,
        },
        protocol: 6,
        direction: isReceiver ? 'INGRESS' : 'EGRESS',
        ...(isReceiver && { policy: { id: way.policy } }),
        window_start: new Date(start).toISOString(),
        window_end: new Date(start + WINDOW).toISOString(),
        num_of_starts: 1 + whole(3),
        num_of_ends: 1,
        num_of_drops: 0,
      };
    });
  }
}
