// Accounts that follow each other, judged one by one: each source, target, protocol and port on its own, for everything that those
// may be like of whom it is not known.
import type { Account } from './account.ts';
import { fatesIn, pairsOf } from './fates.ts';
import { portsWorthAsking, slowReach } from './rows.ts';
import type { Fates } from './world.ts';

/** The ports that tell the accounts of a way apart. */
export const portsOf = (way: readonly Account[]): number[] => portsWorthAsking(way);

/**
 * A line for whatever is out of bounds: `gap 2 machine p1 > machine p2 tcp 22`, with the number of the account. Of all fates,
 * at most so many are looked at.
 */
export function slowViolations(way: readonly Account[], most = 12): Set<string> {
  const found = new Set<string>();
  for (const fates of pairsOf(fatesIn(way), most))
    for (const line of violationsUnder(way, fates)) found.add(line);
  return found;
}

/** Those of some lines that are out of bounds under no fates at all. */
export function unfounded(way: readonly Account[], lines: ReadonlySet<string>): Set<string> {
  const left = new Set(lines);
  for (const fates of pairsOf(fatesIn(way), Infinity)) {
    if (left.size === 0) break;
    for (const line of violationsUnder(way, fates)) left.delete(line);
  }
  return left;
}

function violationsUnder(way: readonly Account[], fates: Fates): string[] {
  const found = way.map(account => pointsOf(account, fates, way));
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

function pointsOf(account: Account, fates: Fates, compared: readonly Account[]): Set<string> {
  const reach = slowReach(account, fates, compared);
  return new Set([...reach].flatMap(([name, ports]) => [...ports].map(port => `${name} ${port}`)));
}
