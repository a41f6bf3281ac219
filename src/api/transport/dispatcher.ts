// The connection: the proxy from the environment, and the certificates of a private server.
import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

export interface ConnectionOptions {
  /** Additional trusted certificates, as PEM text. */
  readonly ca?: string;
}

// Closes an idle connection after 4 seconds, even if the server announces a longer time. undici
// counts this time in ticks of the event loop, so a busy process keeps a connection much longer.
// Idle connections matter because the outcome of a write is unknown if the server has already
// closed the connection.
const IDLE = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 4_000 };

/** A dispatcher that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Close it after the run. */
export function dispatcher({ ca }: ConnectionOptions): Dispatcher {
  if (ca === undefined) return new EnvHttpProxyAgent(IDLE);
  // A list of certificates replaces the default list, so it must contain the default ones.
  const trust = { ca: [...getCACertificates('default'), ca] };
  return new EnvHttpProxyAgent({ ...IDLE, connect: trust, requestTls: trust, proxyTls: trust });
}
