// The ends of flows as texts: the keys of a store.
import type { Endpoint } from '../observed.ts';

/** The text of an end. */
export function endpointText(end: Endpoint): string {
  if (end.type === 'address') return `a:${end.address}`;
  if (end.type === 'machine') return `m:${end.id}`;
  // No address contains a space.
  return end.address === undefined ? `r:${end.id}` : `h:${end.address} ${end.id}`;
}

/** Parses the text of an endpoint; null if it is not one. */
export function endpointOf(text: string): Endpoint | null {
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case 'a:':
      return { type: 'address', address: rest };
    case 'm:':
      return { type: 'machine', id: rest };
    case 'r:':
      return { type: 'resource', id: rest };
    case 'h:': {
      const at = rest.indexOf(' ');
      return at < 1
        ? null
        : { type: 'resource', id: rest.slice(at + 1), address: rest.slice(0, at) };
    }
    default:
      return null;
  }
}
