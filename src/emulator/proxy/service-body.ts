// The accepted body of a service, and its stored form: ports wrap, countries are in capitals, durations are numbers
// (docs/server-behaviour.md#reverse-proxy).
import type {
  ProxyAuthRecord,
  ProxyRestrictionsRecord,
  ProxyServiceRecord,
  ProxyTargetRecord,
} from '../records/proxy.ts';
import { flag, list, map, object, optional, type Read, text, whole } from '../request/body.ts';
import { parseDuration } from './durations.ts';

const TARGET = object({
  target_id: text,
  target_type: text,
  host: text,
  port: whole,
  protocol: text,
  path: optional(text),
  enabled: flag,
  options: object({
    skip_tls_verify: flag,
    request_timeout: optional(text),
    session_idle_timeout: optional(text),
    path_rewrite: text,
    custom_headers: map(text),
    direct_upstream: flag,
    proxy_protocol: flag,
  }),
});

export const BODY = object({
  name: text,
  domain: text,
  enabled: flag,
  mode: text,
  listen_port: whole,
  private: flag,
  access_groups: list(text),
  pass_host_header: flag,
  rewrite_redirects: flag,
  targets: list(TARGET),
  auth: object({
    password_auth: optional(object({ enabled: flag, password: text })),
    pin_auth: optional(object({ enabled: flag, pin: text })),
    bearer_auth: optional(object({ enabled: flag, distribution_groups: optional(list(text)) })),
    header_auths: list(object({ enabled: flag, header: text, value: text })),
    link_auth: optional(object({ enabled: flag })),
  }),
  access_restrictions: optional(
    object({
      allowed_cidrs: list(text),
      blocked_cidrs: list(text),
      allowed_countries: list(text),
      blocked_countries: list(text),
      crowdsec_mode: optional(text),
    }),
  ),
});

export type ServiceBody = Read<typeof BODY>;
export type TargetBody = ServiceBody['targets'][number];

const PORTS = 65_536;

/** A port in 16 bits. */
export function port16(port: number): number {
  return ((port % PORTS) + PORTS) % PORTS;
}

/** The mode of a service; the default is `http`. */
export function modeOf({ mode }: ServiceBody): string {
  return mode === '' ? 'http' : mode;
}

/** Whether the mode forwards all traffic of a port to one target. */
export function isByPort(mode: string): boolean {
  return mode !== 'http';
}

/** The fields of a service that are stored as they were sent. An empty secret keeps the secret of `before`. */
export function written(
  body: ServiceBody,
  before: ProxyServiceRecord | undefined,
): Pick<
  ProxyServiceRecord,
  | 'name'
  | 'domain'
  | 'enabled'
  | 'mode'
  | 'private'
  | 'access_groups'
  | 'pass_host_header'
  | 'rewrite_redirects'
  | 'targets'
  | 'auth'
  | 'restrictions'
> {
  const { name, domain, enabled, access_groups, pass_host_header, rewrite_redirects } = body;
  const mode = modeOf(body);
  return {
    name,
    domain,
    enabled,
    mode,
    private: body.private,
    access_groups,
    pass_host_header,
    rewrite_redirects,
    targets: body.targets.map(target => writtenTarget(target, mode)),
    auth: writtenAuth(body.auth, before?.auth),
    restrictions: writtenRestrictions(body.access_restrictions),
  };
}

function writtenTarget({ path, port, options, ...target }: TargetBody, mode: string) {
  const { request_timeout, session_idle_timeout, ...others } = options;
  const record: ProxyTargetRecord = {
    ...target,
    path: path ?? null,
    port: port16(port),
    enabled: target.enabled || isByPort(mode),
    options: {
      ...others,
      request_timeout: String(parseDuration(request_timeout ?? '0') ?? 0n),
      session_idle_timeout: String(parseDuration(session_idle_timeout ?? '0') ?? 0n),
    },
  };
  return record;
}

function writtenAuth(auth: ServiceBody['auth'], before: ProxyAuthRecord | undefined) {
  const { password_auth, pin_auth, bearer_auth, header_auths } = auth;
  const lock = (
    given: { readonly enabled: boolean; readonly secret: string } | undefined,
    kept: ProxyAuthRecord['password'] | undefined,
  ) => {
    if (given === undefined) return null;
    const keeps = given.enabled && (kept?.enabled ?? false) && (kept?.hasSecret ?? false);
    return { enabled: given.enabled, hasSecret: given.secret !== '' || keeps };
  };
  const record: ProxyAuthRecord = {
    password: lock(
      password_auth && { enabled: password_auth.enabled, secret: password_auth.password },
      before?.password,
    ),
    pin: lock(pin_auth && { enabled: pin_auth.enabled, secret: pin_auth.pin }, before?.pin),
    bearer:
      bearer_auth === undefined
        ? null
        : {
            enabled: bearer_auth.enabled,
            distribution_groups: bearer_auth.distribution_groups ?? null,
          },
    headers: header_auths.map(({ enabled, header }) => ({ enabled, header })),
  };
  return record;
}

function writtenRestrictions(given: ServiceBody['access_restrictions']): ProxyRestrictionsRecord {
  const upper = (codes: readonly string[] = []) => codes.map(code => code.toUpperCase());
  return {
    allowed_cidrs: given?.allowed_cidrs ?? [],
    blocked_cidrs: given?.blocked_cidrs ?? [],
    allowed_countries: upper(given?.allowed_countries),
    blocked_countries: upper(given?.blocked_countries),
    crowdsec_mode: given?.crowdsec_mode ?? '',
  };
}

/** Whether any kind of authentication is enabled. */
export function isLocked({ password, pin, bearer, headers }: ProxyAuthRecord): boolean {
  return [password, pin, bearer, ...headers].some(one => one?.enabled === true);
}
