// Names with an address in them, such as `10.20.0.5.nip.io` or `ip-10-20-0-5.compute.internal`: whoever asks a public DNS server, or
// that of a cloud, for such a name is answered with the address.
import { parseIp } from '../../kinds/values/ip.ts';

interface Service {
  readonly domain: string;
  /** What its names lead to, all together. */
  readonly everything: readonly string[];
}

const IPV4 = '0.0.0.0/0';
const IPV6 = '::/0';

/** Public domains of which every name leads to the address in it. */
const SERVICES: readonly Service[] = [
  { domain: 'nip.io', everything: [IPV4] },
  { domain: 'sslip.io', everything: [IPV4, IPV6] },
  { domain: 'traefik.me', everything: [IPV4] },
];

/** The addresses in a name; for a wildcard over a public domain of such names, every address. */
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

// Which four of more than four numbers count differs between servers.
const FOUR_NUMBERS = /(?<![^.-])(?=(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?![^.-]))/g;

const plainIn = (name: string): readonly string[] =>
  [...name.matchAll(FOUR_NUMBERS)]
    .map(([, first, , ...others]) => [first, ...others].join('.'))
    .filter(isAddress);

// Other domains may have such a label by chance.
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
