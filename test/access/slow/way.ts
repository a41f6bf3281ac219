// Accounts that follow each other, judged one by one: each source, target, protocol and port on its own.
import type { Account } from './account.ts';
import { portsWorthAsking, slowReach } from './rows.ts';
import type { Reading } from './world.ts';

const READINGS: readonly Reading[] = ['unconditional', 'certain', 'possible', 'granted'];

/** A line for whatever is out of bounds: `gap 2-4 machine p1 > machine p2 tcp 22`, with the first account and the first after. */
export function slowEpisodes(way: readonly Account[]): Set<string> {
  const ends = [way[0] as Account, way.at(-1) as Account];
  const found = way.map(account => violations(account, ends));
  const episodes = new Set<string>();
  const open = new Map<string, number>();
  for (const [at, now] of found.entries()) {
    for (const [point, from] of open)
      if (!now.has(point)) {
        const [kind = '', ...where] = point.split(' ');
        episodes.add(`${kind} ${from}-${at} ${where.join(' ')}`);
        open.delete(point);
      }
    for (const point of now) if (!open.has(point)) open.set(point, at);
  }
  if (open.size > 0) throw new Error('the last account is an end');
  return episodes;
}

/** The ports that tell the accounts of a way apart. */
export const portsOf = (way: readonly Account[]): number[] => portsWorthAsking(way);

function violations(account: Account, ends: readonly Account[]): Set<string> {
  const found = new Set<string>();
  for (const reading of READINGS) {
    const [now, was, is] = [account, ...ends].map(one =>
      pointsOf(one, reading, [account, ...ends]),
    );
    for (const point of was ?? [])
      if (is?.has(point) && !now?.has(point)) found.add(`gap ${point}`);
    for (const point of now ?? [])
      if (!was?.has(point) && !is?.has(point)) found.add(`opening ${point}`);
  }
  return found;
}

function pointsOf(account: Account, reading: Reading, compared: readonly Account[]): Set<string> {
  const reach = slowReach(account, reading, compared);
  return new Set([...reach].flatMap(([name, ports]) => [...ports].map(port => `${name} ${port}`)));
}
