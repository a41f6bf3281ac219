// Follows a name through replies, from alias to alias.
import { domainText } from '../../kinds/values/domain.ts';
import { isAddressOrRange } from './address.ts';
import { addressesInName } from './addressesInName.ts';
import type { Reply } from './replies.ts';

/**
 * The addresses and names of the places to which a name leads, by the ids of the places. Full names for which the name or the target
 * of an alias may be short are among them: nobody knows whether a client looks up the target of an alias in its domains, so guards
 * and tests count what it may find.
 */
export function walk(
  start: string,
  wholeOf: (name: string) => readonly string[],
  repliesOf: (name: string) => readonly Reply[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Set([start]);
  const ids = new Map<string, readonly string[]>();
  // The set grows during the iteration: each name is followed once.
  for (const name of names) {
    for (const full of wholeOf(name)) {
      if (full !== start) ids.set(full, [full]);
      names.add(full);
    }
    for (const address of addressesInName(name)) ids.set(address, [address]);
    for (const { answer } of repliesOf(name)) {
      const { content, id = content } = answer;
      if (isAddressOrRange(content)) ids.set(id, [...new Set([...(ids.get(id) ?? []), content])]);
      else {
        const other = domainText(content);
        if (other !== start) ids.set(other, [other]);
        names.add(other);
      }
    }
  }
  return ids;
}
