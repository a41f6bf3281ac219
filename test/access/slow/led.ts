// What a domain leads to by records of the account, where that is not the same in both of the accounts that are compared: each place
// is a destination of its own then.
import type { Account } from './account.ts';

/** The places that a domain leads to in an account, and in not both ends of a way: those of what both ends have. */
export function movedPlaces(
  account: Account,
  ends: readonly (Account | undefined)[],
  { domain, isIn }: { readonly domain: string; readonly isIn: (one: Account) => boolean },
): readonly string[] {
  if (!ends.every(one => one !== undefined && isIn(one))) return [];
  const always = ends.map(one => placesOf(one, domain));
  return placesOf(account, domain).filter(place => !always.every(one => one.includes(place)));
}

function placesOf(account: Account | undefined, domain: string): readonly string[] {
  const records = (account?.zones ?? []).flatMap(zone => (zone.enabled ? zone.records : []));
  const found: string[] = [];
  const follow = (name: string) => {
    for (const { type, content } of records.filter(one => one.name === name)) {
      if (found.includes(content)) continue;
      found.push(content);
      if (type === 'CNAME') follow(content);
    }
  };
  follow(domain);
  return found;
}
