// Decodes the network of a route. A route of domains also shows a network, which is a placeholder of the server that nobody set.
import { type Fields, isList, type Json } from '../../model/value.ts';

/** The network of a route; undefined if the route has domains (docs/server-behaviour.md#routes). */
export function decodePlaceholderNetwork(
  value: Json | undefined,
  siblings: Fields,
): Json | undefined {
  const { domains, network_type: type } = siblings;
  const hasDomains = isList(domains) && domains.length > 0;
  return hasDomains || type === 'Domain' ? undefined : value;
}
