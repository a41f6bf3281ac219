// The connection: the proxy that the environment names, and the certificates of a private server.
import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

export interface ConnectionOptions {
  /** Certificates to trust besides the usual ones, as PEM text. */
  readonly ca?: string;
}

/** A dispatcher that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Close it when the run is over. */
export function dispatcher({ ca }: ConnectionOptions): Dispatcher {
  if (ca === undefined) return new EnvHttpProxyAgent();
  // A list of certificates replaces the usual ones, so they have to be in it.
  const trust = { ca: [...getCACertificates('default'), ca] };
  return new EnvHttpProxyAgent({ connect: trust, requestTls: trust, proxyTls: trust });
}
