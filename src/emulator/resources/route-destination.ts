// The destination of a route, a prefix or domains, in its stored form (docs/server-behaviour.md#routes).
import { isDomain, unicodeDomain } from '../normalise/domain.ts';
import { formatPrefix, masked, parsePrefix } from '../normalise/prefix.ts';
import type { RouteRecord } from '../records/topology.ts';
import { invalid } from '../request/refusal.ts';

export type Destination = Pick<RouteRecord, 'network_type' | 'network' | 'domains'>;

/** The placeholder network of a route that has domains. */
const PLACEHOLDER = '192.0.2.0/32';
const MAX_DOMAINS = 32;

/** The destination in a body, which must contain either a network or domains; otherwise throws a 422. */
export function destination(body: {
  readonly network: string | undefined;
  readonly domains: readonly string[] | undefined;
}): Destination {
  return body.network === undefined ? byDomains(body.domains ?? []) : byNetwork(body.network);
}

function byNetwork(text: string): Destination {
  const prefix = parsePrefix(text);
  if (prefix === undefined) throw invalid(`invalid network: ${text}`);
  return {
    network_type: `IPv${prefix.ip.version}`,
    network: formatPrefix(masked(prefix)),
    domains: [],
  };
}

function byDomains(domains: readonly string[]): Destination {
  if (domains.length < 1 || domains.length > MAX_DOMAINS)
    throw invalid(`domains must hold 1 to ${MAX_DOMAINS} entries`);
  const wrong = domains.find(domain => !isDomain(domain));
  if (wrong !== undefined) throw invalid(`invalid domain: ${wrong}`);
  return { network_type: 'Domain', network: PLACEHOLDER, domains: domains.map(unicodeDomain) };
}
