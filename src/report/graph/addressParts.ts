// The addresses in the texts of boxes, which stand after the selector of a network resource or route.
import type { GraphNode } from './graph.ts';

type Named = Pick<GraphNode, 'selectors' | 'names'>;

const ADDRESS = /^ (?:[\d.]+|[\da-f.]*:[\da-f:.]*)(\/\d+)?$/i;
const OCTETS = /^ (\d+(?:\.\d+){3}(?:\/\d+)?)$/;

/** The address after the selector in a text, with the blank before it; empty if there is none. */
function addressIn({ selectors }: Pick<Named, 'selectors'>, text: string): string {
  const selector = selectors.find(one => text.startsWith(`${one} `)) ?? text;
  const rest = text.slice(selector.length);
  return ADDRESS.test(rest) ? rest : '';
}

/** A text without its address. */
export const withoutAddress = (node: Pick<Named, 'selectors'>, text: string): string =>
  text.slice(0, text.length - addressIn(node, text).length);

/** The width of the range in a text, such as `/24`; empty if the text has a single address or none. */
export const widthIn = (node: Pick<Named, 'selectors'>, text: string): string =>
  ADDRESS.exec(addressIn(node, text))?.[1] ?? '';

/** The octets with which all addresses in these nodes begin: `10.1.0.*`. Empty if they share none, or if some are not IPv4. */
export function commonStart(nodes: readonly Named[]): string {
  const found = nodes.flatMap(node =>
    node.names.flatMap(text => {
      const address = addressIn(node, text);
      return address === '' ? [] : [OCTETS.exec(address)?.[1]?.split('.').slice(0, 3) ?? []];
    }),
  );
  const [first = [], ...others] = found;
  const differs = first.findIndex((part, at) => others.some(one => one[at] !== part));
  const start = differs < 0 ? first : first.slice(0, differs);
  return start.length === 0 ? '' : `${start.join('.')}.*`;
}

/** The address in a text, after the octets of `start`: ` *.10` for ` 10.1.0.10`. Empty if there is none. */
export function shortAddress(node: Named, text: string, start: string): string {
  const address = addressIn(node, text).trim();
  const shared = start.slice(0, -1);
  return shared !== '' && address.startsWith(shared) ? ` *.${address.slice(shared.length)}` : '';
}
