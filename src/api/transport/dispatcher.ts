// The connection: the proxy from the environment, and the certificates of a private server.
import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

export interface ConnectionOptions {
  /** Additional trusted certificates, as PEM text. */
  readonly ca?: string;
}

/** A dispatcher that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Close it after the run. */
export function dispatcher({ ca }: ConnectionOptions): Dispatcher {
  if (ca === undefined) return new EnvHttpProxyAgent();
  // A list of certificates replaces the default list, so it must contain the default ones.
  const trust = { ca: [...getCACertificates('default'), ca] };
  return new EnvHttpProxyAgent({ connect: trust, requestTls: trust, proxyTls: trust });
}
