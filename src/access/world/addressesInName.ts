// Names that contain an address, such as `10.20.0.5.nip.io` or `ip-10-20-0-5.compute.internal`. A
// public DNS server, or the DNS server of a cloud, answers such a name with the address that it
// contains.
import { parseIp } from '../../kinds/values/ip.ts';

interface Service {
  readonly domain: string;
  /** All addresses to which names in the domain may lead. */
  readonly everything: readonly string[];
}

const IPV4 = '0.0.0.0/0';
const IPV6 = '::/0';

/** Public domains in which every name resolves to the address that it contains. */
const SERVICES: readonly Service[] = [
  { domain: 'nip.io', everything: [IPV4] },
  { domain: 'sslip.io', everything: [IPV4, IPV6] },
  { domain: 'traefik.me', everything: [IPV4] },
];

/** The addresses in a name. For a wildcard in one of the public domains, every address. */
export function addressesInName(name: string): readonly string[] {
  const plain = name.replace(/^\*\./, '');
  const found = [...plainIn(plain), ...encodedIn(plain)];
  if (found.length > 0 || plain === name) return [...new Set(found)];
  const offered = SERVICES.filter(
    ({ domain }) => isWithin(plain, domain) || isWithin(domain, plain),
  );
  return [...new Set(offered.flatMap(({ everything }) => everything))];
}

const isWithin = (name: string, domain: string): boolean => `.${name}`.endsWith(`.${domain}`);

// If a name contains more than four numbers, servers differ in which four of them form the address.
// So every choice counts.
const FOUR_NUMBERS = /(?<![^.-])(?=(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?![^.-]))/g;

const plainIn = (name: string): readonly string[] =>
  [...name.matchAll(FOUR_NUMBERS)]
    .map(([, first, , ...others]) => [first, ...others].join('.'))
    .filter(isAddress);

// Names are decoded only in the listed domains. In other domains, such a label may occur by chance.
function encodedIn(name: string): readonly string[] {
  const service = SERVICES.find(({ domain }) => isWithin(name, domain));
  if (service === undefined) return [];
  const labels = name.split('.').slice(0, -service.domain.split('.').length);
  return labels.flatMap(label => {
    const hex = label.match(/(?<![^-])[0-9a-f]{8}$/)?.[0].match(/../g) ?? [];
    const ipv4 = hex.map(digits => Number.parseInt(digits, 16)).join('.');
    const ipv6 = label.replaceAll('-', ':');
    return [ipv4, ...(ipv6.includes(':') ? [ipv6] : [])].filter(isAddress);
  });
}

const isAddress = (text: string): boolean => parseIp(text) !== null;
