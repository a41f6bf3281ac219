// Names of HTTP headers, and the headers that a proxy does not pass on (docs/server-behaviour.md#reverse-proxy).

/** The headers that belong to the connection, the headers that the proxy sets itself, and `host`. */
const KEPT = new Set(
  [
    'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer',
    'transfer-encoding upgrade content-length content-type cookie forwarded x-forwarded-for',
    'x-forwarded-host x-forwarded-port x-forwarded-proto x-real-ip host',
  ]
    .join(' ')
    .split(' '),
);

/** Whether a text can be the name of a header. */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);

/** Whether a service can send this header to its target, or ask callers for it. */
export const isOwnHeader = (text: string): boolean =>
  isHeaderName(text) && !KEPT.has(text.toLowerCase());
