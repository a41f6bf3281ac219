// The proxies in the environment: whether they are valid, and which proxy is used for a server.
import { nameText } from '../../model/text/visible.ts';

/** The environment of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy: its address without credentials, for messages. */
export interface Proxy {
  readonly variable: string;
  readonly address: string;
}

/** A variable with an invalid proxy. */
export interface ProxyFault extends Pick<Proxy, 'variable'> {
  /** The address without credentials; absent if any part of the address may be a credential. */
  readonly address?: string;
  readonly hint: string;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/** The variable of an invalid proxy; null if all are valid. */
export function proxyFault(env: Environment): ProxyFault | null {
  for (const { variable, value } of [variableFor('http', env), variableFor('https', env)]) {
    const url = URL.parse(value);
    const isGood = url !== null && SCHEMES.has(url.protocol) && url.hostname !== '';
    if (value === '' || isGood) continue;
    const address = withoutCredentials(value);
    const host = HOST.exec(address)?.[1];
    const written = host || 'proxy.example.com:3128';
    const hint = `write it with its scheme: ${nameText(`http://${written}`)}`;
    return { variable, hint, ...(host !== undefined && { address }) };
  }
  return null;
}

// A host with its port, after a scheme that may be wrong. In any other text, such as
// `user:password`, any part may be a credential.
const HOST = /^(?:[a-z\d]*:?\/\/)?((?:[\w.-]*|\[[\da-f:.]+\])(?::\d{1,5})?)\/?$/i;

/** The proxy for a server; null if no proxy is used. */
export function proxyTo(server: string, env: Environment): Proxy | null {
  const url = new URL(server);
  const { variable, value } = [
    ...(url.protocol === 'https:' ? [variableFor('https', env)] : []),
    variableFor('http', env),
  ].find(({ value: address }) => address !== '') ?? { variable: '', value: '' };
  if (value === '' || isExempt(url, env.no_proxy ?? env.NO_PROXY ?? '')) return null;
  return { variable, address: withoutCredentials(value).replace(/\/$/, '') };
}

// The variable that sets the proxy. As in the HTTP client, the lower-case name takes precedence, even if it is empty.
function variableFor(scheme: 'http' | 'https', env: Environment) {
  const small = `${scheme}_proxy`;
  const large = `${scheme}_proxy`.toUpperCase();
  const variable = env[small] === undefined ? large : small;
  return { variable, value: env[variable] ?? '' };
}

const withoutCredentials = (address: string): string =>
  address.replace(/^([a-z\d]+:\/\/)?.*@/is, '$1');

// Whether a list exempts a server. `example.com` and `.example.com` include their subdomains, `*.example.com` means only the
// subdomains, and `*` means all hosts.
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
