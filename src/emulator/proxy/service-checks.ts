// Checks of the body of a service that come before the check of the caller's right to write services
// (docs/server-behaviour.md#reverse-proxy).
import { formatPrefix, masked, parsePrefix } from '../normalise/prefix.ts';
import { invalid } from '../request/refusal.ts';
import { parseDuration } from './durations.ts';
import { isByPort, modeOf, port16, type ServiceBody, type TargetBody } from './service-body.ts';

const LONGEST_NAME = 255;
const MODES = ['http', 'tcp', 'udp', 'tls'];
const TARGETS = ['peer', 'host', 'subnet', 'domain', 'cluster'];
const CROWDSEC = ['off', 'enforce', 'observe'];
const MOST_CIDRS = 200;
const MOST_COUNTRIES = 50;
const COUNTRY_BYTES = 2;
const MOST_HEADERS = 16;
const LONGEST_HEADER = 128;
const LONGEST_VALUE = 4096;

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers of a connection, and headers that the proxy sets itself. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const MANAGED = [
  'content-length',
  'content-type',
  'cookie',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Refuses a body that is invalid for every service. */
export function refuseService(body: ServiceBody): void {
  for (const [index, { options }] of body.targets.entries()) refuseDurations(index, options);
  const { name, targets } = body;
  const mode = modeOf(body);
  if (name === '') throw invalid('service name is required');
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw invalid(`service name exceeds maximum length of ${LONGEST_NAME} characters`);
  if (targets.length === 0) throw invalid('at least one target is required');
  for (const [index, header] of body.auth.header_auths.entries()) refuseHeaderAuth(index, header);
  refuseRestrictions(body);
  if (body.private) refusePrivate(body, mode);
  if (!MODES.includes(mode)) throw invalid(`unsupported mode "${mode}"`);
  if (isByPort(mode)) refuseByPort(body, mode);
  else refuseWeb(body);
}

function refuseDurations(index: number, options: TargetBody['options']): void {
  for (const field of ['request_timeout', 'session_idle_timeout'] as const) {
    const given = options[field];
    if (given !== undefined && parseDuration(given) === undefined)
      throw invalid(
        `target ${index}: parse ${field} "${given}": time: invalid duration "${given}"`,
      );
  }
}

function refuseHeaderAuth(
  index: number,
  { enabled, header, value }: ServiceBody['auth']['header_auths'][number],
): void {
  if (!enabled) return;
  const at = `header_auths[${index}]`;
  const name = header.toLowerCase();
  if (name === '') throw invalid(`${at}: header name is required`);
  if (!HEADER_NAME.test(name))
    throw invalid(`${at}: header name "${header}" is not a valid HTTP header name`);
  if (HOP_BY_HOP.includes(name)) throw invalid(`${at}: header "${header}" is a hop-by-hop header`);
  if (MANAGED.includes(name))
    throw invalid(`${at}: header "${header}" is managed by the proxy and cannot be used for auth`);
  if (name === 'host') throw invalid(`${at}: Host header cannot be used for auth`);
  if (Buffer.byteLength(value) > LONGEST_VALUE)
    throw invalid(`${at}: value exceeds maximum length of ${LONGEST_VALUE}`);
}

function refuseRestrictions({ access_restrictions }: ServiceBody): void {
  if (access_restrictions === undefined) return;
  const { crowdsec_mode } = access_restrictions;
  for (const field of ['allowed_cidrs', 'blocked_cidrs'] as const) {
    const ranges = access_restrictions[field];
    if (ranges.length > MOST_CIDRS)
      throw invalid(`${field}: exceeds maximum of ${MOST_CIDRS} entries`);
    for (const [index, range] of ranges.entries()) refuseRange(`${field}[${index}]`, range);
  }
  for (const field of ['allowed_countries', 'blocked_countries'] as const) {
    const codes = access_restrictions[field];
    if (codes.length > MOST_COUNTRIES)
      throw invalid(`${field}: exceeds maximum of ${MOST_COUNTRIES} entries`);
    for (const [index, code] of codes.entries())
      if (Buffer.byteLength(code) !== COUNTRY_BYTES)
        throw invalid(`${field}[${index}]: "${code}" must be a 2-letter ISO 3166-1 alpha-2 code`);
  }
  if (crowdsec_mode !== undefined && !CROWDSEC.includes(crowdsec_mode))
    throw invalid(`invalid crowdsec_mode "${crowdsec_mode}"`);
}

function refuseRange(at: string, text: string): void {
  const range = parsePrefix(text);
  if (range === undefined) throw invalid(`${at}: "${text}" is no range`);
  const plain = formatPrefix(masked(range));
  if (formatPrefix(range) !== plain)
    throw invalid(`${at}: "${text}" has host bits set, use ${plain} instead`);
}

function refusePrivate({ access_groups, auth }: ServiceBody, mode: string): void {
  if (mode !== 'http') throw invalid(`private services only support HTTP mode, got "${mode}"`);
  if (access_groups.length === 0)
    throw invalid('private services require at least one access group');
  if (auth.bearer_auth?.enabled) throw invalid('private services cannot enable bearer auth (SSO)');
}

function refuseWeb({ domain, listen_port, targets }: ServiceBody): void {
  if (domain === '') throw invalid('service domain is required');
  if (port16(listen_port) !== 0) throw invalid('listen_port is not supported for HTTP services');
  for (const [index, target] of targets.entries()) refuseWebTarget(index, target);
}

function refuseWebTarget(index: number, target: TargetBody): void {
  const { target_type, target_id, host, options } = target;
  const at = `target ${index}`;
  if (!TARGETS.includes(target_type))
    throw invalid(`${at} has invalid target_type "${target_type}"`);
  if (target_type === 'subnet' && host === '')
    throw invalid(`${at} has empty host but target_type is "${target_type}"`);
  if (target_type === 'cluster' && host === '') throw invalid(`${at}: has empty host`);
  if (target_type === 'cluster' && !options.direct_upstream)
    throw invalid(`${at}: ${host} has direct upstream disabled`);
  if (target_id === '') throw invalid(`${at} has empty target_id`);
  if (options.direct_upstream) refuseUpstream(at, host);
  if (options.proxy_protocol)
    throw invalid(`${at}: proxy_protocol is not supported for HTTP services`);
  if (!['', 'preserve'].includes(options.path_rewrite))
    throw invalid(`${at}: unknown path_rewrite mode "${options.path_rewrite}"`);
  refuseNegative(options, `${at}: `);
  refuseHeaders(at, options.custom_headers);
}

/** Refuses the host of a direct target unless it is an address or a name without a port. */
function refuseUpstream(at: string, host: string): void {
  if (/[/\s]/.test(host)) throw invalid(`${at}: host "${host}" contains invalid characters`);
  if (/^[^:]*:\d*$|^\[.*\]/.test(host))
    throw invalid(`${at}: host "${host}" must not include a port`);
}

function refuseNegative(options: TargetBody['options'], before = ''): void {
  for (const field of ['request_timeout', 'session_idle_timeout'] as const)
    if ((parseDuration(options[field] ?? '0') ?? 0n) < 0n)
      throw invalid(`${before}${field} must be positive`);
}

function refuseHeaders(at: string, headers: Readonly<Record<string, string>>): void {
  const all = Object.entries(headers);
  if (all.length > MOST_HEADERS)
    throw invalid(`${at}: custom_headers count ${all.length} exceeds maximum of ${MOST_HEADERS}`);
  const seen = new Set<string>();
  for (const [name, value] of all) {
    const plain = name.toLowerCase();
    if (!HEADER_NAME.test(name))
      throw invalid(`${at}: custom header key "${name}" is not a valid HTTP header name`);
    if (name.length > LONGEST_HEADER)
      throw invalid(
        `${at}: custom header key "${name}" exceeds maximum length of ${LONGEST_HEADER}`,
      );
    if (Buffer.byteLength(value) > LONGEST_VALUE)
      throw invalid(
        `${at}: custom header "${name}" value exceeds maximum length of ${LONGEST_VALUE}`,
      );
    if (/[\r\n]/.test(value))
      throw invalid(`${at}: custom header "${name}" contains invalid characters`);
    if (seen.has(plain)) throw invalid(`${at}: custom header keys collide: "${name}"`);
    seen.add(plain);
    if (HOP_BY_HOP.includes(plain))
      throw invalid(`${at}: custom header "${name}" is a hop-by-hop header and cannot be set`);
    if (MANAGED.includes(plain))
      throw invalid(
        `${at}: custom header "${name}" is managed by the proxy and cannot be overridden`,
      );
    if (plain === 'host')
      throw invalid(`${at}: use pass_host_header instead of setting Host as a custom header`);
  }
}

function refuseByPort({ domain, listen_port, targets, auth }: ServiceBody, mode: string): void {
  const family = mode === 'tls' ? 'TLS' : 'TCP/UDP';
  const { password_auth, pin_auth, bearer_auth, header_auths } = auth;
  const locks = [password_auth, pin_auth, bearer_auth, ...header_auths];
  if (domain === '') throw invalid(`domain is required for ${family} services`);
  if (locks.some(lock => lock?.enabled))
    throw invalid(`auth is not supported for ${family} services`);
  if (mode === 'tls' && port16(listen_port) === 0)
    throw invalid('listen_port is required for TLS services');
  const [target] = targets;
  if (target === undefined || targets.length > 1)
    throw invalid(`${family} services must have exactly one target`);
  if (mode === 'udp' && target.options.proxy_protocol)
    throw invalid('proxy_protocol is not supported for UDP services');
  refusePortTarget(target);
}

function refusePortTarget({ port, target_id, target_type, host, path, options }: TargetBody): void {
  if (port16(port) === 0) throw invalid('target port is required for L4 services');
  if (target_id === '') throw invalid('target_id is required for L4 services');
  if (!TARGETS.includes(target_type))
    throw invalid(`invalid target_type "${target_type}" for L4 service`);
  if (target_type === 'subnet' && host === '')
    throw invalid('target host is required for subnet targets');
  if (target_type === 'cluster' && !options.direct_upstream)
    throw invalid(`cluster target ${host} has direct upstream disabled`);
  if (path !== undefined && !['', '/'].includes(path))
    throw invalid('path is not supported for L4 services');
  refuseNegative(options);
  if (options.skip_tls_verify) throw invalid('skip_tls_verify is not supported for L4 services');
  if (options.path_rewrite !== '') throw invalid('path_rewrite is not supported for L4 services');
  if (Object.keys(options.custom_headers).length > 0)
    throw invalid('custom_headers is not supported for L4 services');
}
