// Follows a name through replies, from alias to alias.
import { domainText } from '../../kinds/values/domain.ts';
import { isAddressOrRange } from './address.ts';
import { addressesInName } from './addressesInName.ts';
import type { Reply } from './replies.ts';

/**
 * The addresses and names of the places to which a name resolves, by the ids of the places. Full
 * names that the name or the target of an alias may stand for are included: it is unknown whether a
 * client searches its domains for the target of an alias, so guards and tests count what the client
 * may find.
 */
export function walk(
  start: string,
  wholeOf: (name: string) => readonly string[],
  repliesOf: (name: string) => readonly Reply[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Set([start]);
  const ids = new Map<string, readonly string[]>();
  // The set grows during the iteration, so that each name is followed once.
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
