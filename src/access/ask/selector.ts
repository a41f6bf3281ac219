// Selectors: how people name the sources and destinations of a question, such as `group/on-call` or `10.20.0.5:tcp/5432`.
import { InvariantError } from '../../model/errors.ts';
import { kindName } from '../../model/names.ts';
import { objectNamed } from '../../model/objectName.ts';
import { quoted } from '../../model/text/visible.ts';
import { ALL_TRAFFIC, type Traffic } from '../sets/traffic.ts';
import { trafficOf } from '../sets/trafficText.ts';
import { isAddressOrRange, isDomain } from '../world/address.ts';

/** The types of objects that a selector can name as a destination. */
export const SELECTOR_TYPES = [
  'group',
  'peer',
  'user',
  'network_resource',
  'network',
  'route',
] as const;

/** The type for services of the reverse proxy. As a source, it stands for their callers. */
const SERVICE_TYPE = 'proxy_service';

/**
 * The types of objects that a selector can name as a source. An object that is only an address
 * opens no connections, so it cannot be a source.
 */
export const SOURCE_TYPES = [...SELECTOR_TYPES.slice(0, 3), SERVICE_TYPE] as const;

const NAMED_TYPES = [...SELECTOR_TYPES, SERVICE_TYPE] as const;

/** Whether selectors can name objects of a type. */
export const isSelectorType = (type: string): boolean => NAMED_TYPES.some(one => one === type);

/** Whether a selector names an object that can be a source. */
export const isSourceName = (name: string): boolean =>
  SOURCE_TYPES.some(type => name.startsWith(`${type}/`));

type SelectorType = (typeof NAMED_TYPES)[number] | 'all' | 'internet' | 'address';

export interface Selector {
  readonly type: SelectorType;
  /** The key of the object, the address or the domain; empty for `all` and `internet`. */
  readonly name: string;
  /** The selector without its ports. */
  readonly text: string;
  readonly traffic: Traffic;
  /** Whether the selector has ports. Without ports, any access counts. */
  readonly hasPorts: boolean;
}

const PORTS = /:((?:tcp|udp)\/[^:/]+|icmp|\*)$/;

/** A port without its protocol. `id:22` is an id, not a port. */
const BARE_PORT = /(?<![/.]id):(\d{1,5}(?:-\d{1,5})?)$/;

/** Parses a selector, or returns what is wrong with it. */
export function selectorOf(written: string): Selector | { readonly fault: string } {
  const [suffix, word] = PORTS.exec(written) ?? [];
  const text = suffix === undefined ? written : written.slice(0, -suffix.length);
  const traffic = word === undefined ? ALL_TRAFFIC : trafficOf(word);
  if (traffic === null)
    return { fault: `${quoted(word ?? '')} is not a port, a range of ports or a protocol` };
  const base = { text, traffic, hasPorts: word !== undefined };
  if (text === 'all' || text === 'internet') return { ...base, type: text, name: '' };
  const named = objectIn(text);
  if (named !== null && named.name !== '') {
    const [end, port] = (suffix === undefined && BARE_PORT.exec(text)) || [];
    return end === undefined ? { ...base, ...named } : { fault: bareText(text, end, port) };
  }
  if (isAddressOrRange(text) || isDomain(text)) return { ...base, type: 'address', name: text };
  const [bare, port] = (suffix === undefined && /:(\d{1,5}(?:-\d{1,5})?)$/.exec(text)) || [];
  const before = bare === undefined ? '' : text.slice(0, -bare.length);
  if (bare !== undefined && (isAddressOrRange(before) || isDomain(before)))
    return { fault: withoutProtocol(text, before, port) };
  const forms = `${NAMED_TYPES.map(one => `${one}/NAME`).join(', ')}, all, internet, an address or a domain`;
  const ports = '`:tcp/443`, `:udp/*`, `:icmp` or `:*` may follow';
  const start = `${quoted(written)} is not a selector`;
  if (!/^[\w-]+$/.test(text)) return { fault: `${start}: ${forms}; ${ports}` };
  const meant = `write ${quoted(`peer/${text}`)} for a machine, or ${quoted(`group/${text}`)} for a group`;
  return { fault: `${start}: ${meant}; selectors are ${forms}; ${ports}` };
}

function bareText(text: string, end: string, port?: string): string {
  const fault = withoutProtocol(text, text.slice(0, -end.length), port);
  return `${fault}; if the name itself ends in ${quoted(end)}, append \`:*\``;
}

const withoutProtocol = (text: string, name: string, port = ''): string =>
  `${quoted(text)} has a port without a protocol: write ${quoted(`${name}:tcp/${port}`)} or ${quoted(`${name}:udp/${port}`)}`;

/**
 * The object that a text names: `type/name`, or an address. If the name in `type.name` contains a dot, the text is a domain
 * instead.
 */
function objectIn(
  text: string,
): (Pick<Selector, 'name'> & { type: (typeof NAMED_TYPES)[number] }) | null {
  const named = objectNamed(text, word => {
    const name = NAMED_TYPES.find(one => one === word);
    return name && { name: kindName(name), depth: name === 'network_resource' ? 2 : 1 };
  });
  const type = NAMED_TYPES.find(one => one === named?.kind);
  if (named === null || type === undefined) return null;
  const isDomainName = text.startsWith(`${type}.`) && named.key.includes('.') && isDomain(text);
  return isDomainName ? null : { type, name: named.key };
}

/** The selector of a text that was validated before. */
export function checkedSelector(written: string): Selector {
  const selector = selectorOf(written);
  if ('fault' in selector) throw new InvariantError(selector.fault);
  return selector;
}

/** Parses the selector of a source, which has no ports. If the name ends like ports, it must be followed by `:*`. */
export function sourceSelectorOf(written: string): Selector | { readonly fault: string } {
  const selector = selectorOf(written);
  if ('fault' in selector || !selector.hasPorts || written.endsWith(':*')) return selector;
  const ports = written.slice(selector.text.length);
  return {
    fault: `${quoted(written)} is a source, and ${quoted(ports)} belongs after the destination; if the name itself ends in ports, append \`:*\``,
  };
}
