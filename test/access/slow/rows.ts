// What the slow evaluator finds, put down: rows in the form of the shared cases, and who reaches what for comparisons.
import type { Account, Rule } from './account.ts';
import { reaches } from './between.ts';
import type { Someone } from './everyone.ts';
import { type Offer, offersIn, passes } from './routed.ts';
import { type Protocol, type Reading, type World, worldOf } from './world.ts';

export type Row = readonly [string, string, string | null, Readonly<Record<string, string | true>>];

/** Every row of an account, sorted. */
export function slowRows(account: Account): Row[] {
  const world = worldOf(account, 'seen');
  const machines = world.everyone.filter(one => one.peer);
  const ports = portsWorthAsking([account]);
  const rows = machines.flatMap(source => [
    ...machines.flatMap(target => {
      const allowed = allowedBy(ports, at => reaches(world, source, target, at));
      return allowed ? [[idOf(source), idOf(target), null, allowed] as const] : [];
    }),
    ...passagesIn(world).flatMap(here => {
      const [{ address, via } = NOBODY] = here;
      const allowed = allowedBy(ports, at => passes(here, source, at));
      return allowed && via?.peer ? [[idOf(source), address, idOf(via), allowed] as const] : [];
    }),
  ]);
  return rows.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** By source, destination and protocol: the points at which traffic is allowed. */
export type Reached = ReadonlyMap<string, ReadonlySet<number>>;

/** Some sources and destinations, by name. */
export interface Limits {
  readonly isSource: (name: string) => boolean;
  readonly isTarget: (name: string) => boolean;
}

const EVERYBODY: Limits = { isSource: () => true, isTarget: () => true };

/** Who reaches what in an account, among everyone in all the accounts it is compared with. */
export function slowReach(
  account: Account,
  reading: Reading,
  compared: readonly Account[],
  { isSource, isTarget }: Limits = EVERYBODY,
): Reached {
  const world = worldOf(account, reading, compared);
  const ports = portsWorthAsking(compared);
  const found = new Map<string, Set<number>>();
  const note = (name: string, at: number) =>
    found.set(name, (found.get(name) ?? new Set()).add(at));
  const passages = passagesIn(world).filter(here =>
    here.some(({ destination }) => isTarget(destination)),
  );
  const targets = world.everyone.filter(({ name }) => isTarget(name));
  for (const source of world.everyone.filter(({ name }) => isSource(name))) {
    if (typeof reading === 'object') reading.source = source.name;
    for (const [protocol, port] of points(ports)) {
      for (const target of targets)
        if (reaches(world, source, othersLike(target), [protocol, port]))
          note(`${source.name} > ${target.name} ${protocol}`, port);
      for (const here of passages.filter(one => !isTwoAtOnce(reading, source, one, compared)))
        for (const as of new Set(here.map(({ destination }) => destination).filter(isTarget)))
          if (passes(here, source, [protocol, port], as))
            note(`${source.name} > ${as} ${protocol}`, port);
    }
  }
  return found;
}

// A machine that asks for an address that it routes itself, in any of the accounts, is of one fate.
function isTwoAtOnce(
  reading: Reading,
  source: Someone,
  [offer]: readonly Offer[],
  compared: readonly Account[],
): boolean {
  const isSplit = typeof reading === 'object' && !reading.isConcrete;
  return isSplit && routedIn(compared).has(`${source.name} ${offer?.address}`);
}

const routed = new WeakMap<readonly Account[], ReadonlySet<string>>();

/** Who routes which address in any of some accounts. */
function routedIn(compared: readonly Account[]): ReadonlySet<string> {
  const found =
    routed.get(compared) ??
    new Set(
      compared.flatMap(account =>
        offersIn(worldOf(account, 'seen', compared)).map(
          ({ address, via }) => `${via.name} ${address}`,
        ),
      ),
    );
  routed.set(compared, found);
  return found;
}

// More than one machine may join in the same way: whoever is asked about is another than the one who asks.
const othersLike = (one: Someone): Someone =>
  one.peer ? one : { ...one, name: `another ${one.name}` };

const NOBODY: { address: string; via: Someone | null } = { address: '', via: null };

const key = (row: Row): string => [row[0], row[1], row[2] ?? ''].join('\u0000');
const idOf = ({ peer }: Someone): string => peer?.id ?? '';

export function passagesIn(world: World): Offer[][] {
  return [...Map.groupBy(offersIn(world), ({ address, via }) => `${via.name} ${address}`).values()];
}

/** The first port of every stretch of ports that no rule tells apart. */
export function portsWorthAsking(accounts: readonly Account[]): number[] {
  const rules: Rule[] = accounts.flatMap(({ policies }) => policies.flatMap(one => one.rules));
  const ports = rules.flatMap(rule => [
    ...(rule.ports ?? []).flatMap(port => [Number(port), Number(port) + 1]),
    ...(rule.port_ranges ?? []).flatMap(({ start, end }) => [start, end + 1]),
  ]);
  const exposed = accounts.flatMap(({ services = [] }) =>
    services.flatMap(({ targets }) => targets.flatMap(({ port }) => [port, port + 1])),
  );
  return [...new Set([0, ...ports, ...exposed])]
    .filter(port => port <= 65535)
    .sort((one, two) => one - two);
}

export function* points(ports: readonly number[]): Generator<readonly [Protocol, number]> {
  yield ['icmp', 0];
  for (const port of ports) yield ['tcp', port];
  for (const port of ports) yield ['udp', port];
}

function allowedBy(
  ports: readonly number[],
  isAllowed: (at: readonly [Protocol, number]) => boolean,
): Record<string, string | true> | null {
  const allowed: Record<string, string | true> = {};
  if (isAllowed(['icmp', 0])) allowed.icmp = true;
  for (const protocol of ['tcp', 'udp'] as const) {
    const open = ports.filter(port => isAllowed([protocol, port]));
    const text = rangesText(open, ports);
    if (text !== '') allowed[protocol] = text;
  }
  return Object.keys(allowed).length > 0 ? allowed : null;
}

/** Stretches of ports that begin at `open`, adjacent ones joined. */
export function rangesText(open: readonly number[], ports: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const from of open) {
    const to = (ports[ports.indexOf(from) + 1] ?? 65536) - 1;
    const last = ranges.at(-1);
    if (last && last[1] === from - 1) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}
