// Accounts that follow each other, judged one by one: each source, target, protocol and port on its own, in concrete worlds: in
// each of them it is decided what everybody is like of whom it is not known.
import type { Account } from './account.ts';
import { drawnWorlds, fatesIn, pairsOf, worldsOf } from './fates.ts';
import { serversOf } from './moved.ts';
import { type Limits, portsWorthAsking, slowReach } from './rows.ts';
import type { Fates } from './world.ts';

/** The ports that tell the accounts of a way apart. */
export const portsOf = (way: readonly Account[]): number[] => portsWorthAsking(way);

/**
 * A line for whatever is out of bounds: `gap 2 machine p1 > machine p2 tcp 22`, with the number of the account. So many worlds are
 * looked at in which all but the source are alike, and so many in which everybody has a fate of their own.
 */
export function slowViolations(way: readonly Account[], most = 12): Set<string> {
  const fates = fatesIn(way);
  const found = new Set<string>();
  const worlds = fates.length > 1 ? drawnWorlds(fates, most) : [];
  for (const one of [...pairsOf(fates, most), ...worlds])
    for (const line of violationsUnder(way, one)) found.add(line);
  return found;
}

/** Those of some lines that are out of bounds in no world. */
export function unfounded(way: readonly Account[], lines: ReadonlySet<string>): Set<string> {
  const left = new Set(lines);
  const fates = fatesIn(way);
  for (const one of pairsOf(fates, MOST_WORLDS)) {
    if (left.size === 0) break;
    for (const line of violationsUnder(way, one)) left.delete(line);
  }
  // Machines that route an address may differ from each other.
  for (const [pair, own] of Map.groupBy(left, pairIn)) {
    const { source, target } = pairOf(pair);
    const names = [...new Set([source, ...serversOf(way, target)])];
    const limits = {
      isSource: (name: string) => name === source,
      isTarget: (name: string) => name === target,
    };
    for (const one of worldsOf(fates, names, MOST_WORLDS)) {
      if (!own.some(line => left.has(line))) break;
      for (const line of violationsUnder(way, one, limits)) left.delete(line);
    }
  }
  return left;
}

const MOST_WORLDS = 4_096;

// `machine p1 > machine p2`
const pairIn = (line: string): string => line.replace(/^\w+ \d+ /, '').replace(/ \w+ \d+$/, '');

function pairOf(pair: string): { source: string; target: string } {
  const [source = '', target = ''] = pair.split(' > ');
  return { source, target };
}

function violationsUnder(way: readonly Account[], fates: Fates, limits?: Limits): string[] {
  const found = way.map(account => pointsOf(account, fates, way, limits));
  const was = found[0] ?? new Set();
  const is = found.at(-1) ?? new Set();
  return found.flatMap((now, at) => [
    ...[...was]
      .filter(point => is.has(point) && !now.has(point))
      .map(point => `gap ${at} ${point}`),
    ...[...now]
      .filter(point => !was.has(point) && !is.has(point))
      .map(point => `opening ${at} ${point}`),
  ]);
}

function pointsOf(
  account: Account,
  fates: Fates,
  compared: readonly Account[],
  limits?: Limits,
): Set<string> {
  const reach = slowReach(account, fates, compared, limits);
  return new Set([...reach].flatMap(([name, ports]) => [...ports].map(port => `${name} ${port}`)));
}
