// A route of domains reads as if it also had a network. The server's placeholder is not a field anybody set.
import { type Fields, isList, type Json } from '../../model/value.ts';

/** The network as declared fields have it: absent if the route has domains (docs/server-behaviour.md#routes). */
export function decodePlaceholderNetwork(
  value: Json | undefined,
  siblings: Fields,
): Json | undefined {
  const { domains, network_type: type } = siblings;
  const hasDomains = isList(domains) && domains.length > 0;
  return hasDomains || type === 'Domain' ? undefined : value;
}
