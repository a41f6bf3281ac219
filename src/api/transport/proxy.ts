// The proxies that the environment names: whether they can be ones, and which of them leads to a server.
import { nameText } from '../../model/text/visible.ts';

/** The environment of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, as messages show it: without its credentials. */
export interface Proxy {
  readonly variable: string;
  readonly address: string;
}

/** A variable that names a proxy and cannot be its address. */
export interface ProxyFault extends Proxy {
  readonly hint: string;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** The variable of a proxy that no connection can be made with; null where all are fine. */
export function proxyFault(env: Environment): ProxyFault | null {
  for (const { variable, value } of [variableFor('http', env), variableFor('https', env)]) {
    const url = URL.parse(value);
    const isGood = url !== null && SCHEMES.has(url.protocol) && url.hostname !== '';
    if (value === '' || isGood) continue;
    const address = withoutCredentials(value);
    const host = address.replace(/^[a-z\d]*:?\/\//i, '') || 'proxy.example.com:3128';
    return { variable, address, hint: `write it with its scheme: ${nameText(`http://${host}`)}` };
  }
  return null;
}

/** The proxy on the way to a server; null where there is none. */
export function proxyTo(server: string, env: Environment): Proxy | null {
  const url = new URL(server);
  const { variable, value } = [
    ...(url.protocol === 'https:' ? [variableFor('https', env)] : []),
    variableFor('http', env),
  ].find(({ value: address }) => address !== '') ?? { variable: '', value: '' };
  if (value === '' || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '')) return null;
  return { variable, address: withoutCredentials(value).replace(/\/$/, '') };
}

// As the HTTP client looks for them: the name in small letters counts, even where it is empty.
function variableFor(scheme: 'http' | 'https', env: Environment) {
  const [small, large] = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase()];
  const variable = env[small] === undefined ? large : small;
  return { variable, value: env[variable] ?? '' };
}

const withoutCredentials = (address: string): string =>
  address.replace(/^([a-z\d]+:\/\/)?.*@/is, '$1');

// `example.com` and `.example.com` stand for their subdomains too, `*.example.com` for these alone, `*` for all hosts.
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname.toLowerCase());
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list.split(/[\s,]+/).some(entry => {
    const [, name = '', wantedPort] =
      entry.toLowerCase().match(/^(\[.+\]|[^:]+|.*:.*:.*?)(?::(\d+))?$/) ?? [];
    if (name === '' || (wantedPort !== undefined && wantedPort !== ownPort)) return false;
    if (name === '*') return true;
    const domain = bare(name.replace(/^\*?\./, ''));
    return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
  });
}

const bare = (host: string): string => host.replace(/^\[(.+)\]$/, '$1').replace(/(.)\.$/, '$1');
