// Services as the API shows them (docs/server-behaviour.md#reverse-proxy).

import type {
  ProxyAuthRecord,
  ProxyRestrictionsRecord,
  ProxyServiceRecord,
  ProxyTargetRecord,
} from '../records/proxy.ts';
import type { Account } from '../store/account.ts';
import { formatDuration } from './durations.ts';

/** The address of a target whose machine or resource was deleted. */
const LOST = 'unknown';

/** The target types whose host is stored instead of being looked up. */
const WRITTEN_HOSTS = ['subnet', 'cluster'];

/** A reverse-proxy service in a response, without its secrets. */
export function serviceView(account: Account, service: ProxyServiceRecord) {
  const { targets, auth, restrictions, access_groups, created_at, source: _, ...shown } = service;
  const limits = restrictionsView(restrictions);
  return {
    ...shown,
    ...(access_groups.length > 0 && { access_groups }),
    targets: targets.map(target => targetView(account, target)),
    auth: authView(auth),
    ...(Object.keys(limits).length > 0 && { access_restrictions: limits }),
    terminated: false,
    meta: { created_at, status: 'pending' },
  };
}

function targetView(account: Account, target: ProxyTargetRecord) {
  const { path, options, ...shown } = target;
  return {
    ...shown,
    host: hostOf(account, target),
    ...(path !== null && { path }),
    options: optionsView(options),
  };
}

function hostOf(account: Account, { target_type, target_id, host }: ProxyTargetRecord): string {
  if (target_type === 'peer') return account.peers.get(target_id)?.ip ?? LOST;
  if (target_type === 'cluster') return host;
  const resource = account.resources.get(target_id);
  if (resource === undefined) return LOST;
  // An address is shown without the length of its prefix.
  return WRITTEN_HOSTS.includes(target_type) ? host : resource.address.replace(/\/\d+$/, '');
}

function optionsView(options: ProxyTargetRecord['options']) {
  const { skip_tls_verify, path_rewrite, custom_headers, direct_upstream, proxy_protocol } =
    options;
  const timeouts = [
    ['request_timeout', options.request_timeout],
    ['session_idle_timeout', options.session_idle_timeout],
  ] as const;
  return {
    ...(skip_tls_verify && { skip_tls_verify }),
    ...Object.fromEntries(timeouts.flatMap(([name, given]) => durationView(name, given))),
    ...(path_rewrite !== '' && { path_rewrite }),
    ...(Object.keys(custom_headers).length > 0 && { custom_headers }),
    ...(direct_upstream && { direct_upstream }),
    ...(proxy_protocol && { proxy_protocol }),
  };
}

function durationView(name: string, nanoseconds: string): readonly (readonly [string, string])[] {
  return nanoseconds === '0' ? [] : [[name, formatDuration(BigInt(nanoseconds))]];
}

/** Secrets are shown as empty in responses, whether or not they are set. */
function authView({ password, pin, bearer, headers }: ProxyAuthRecord) {
  return {
    ...(password !== null && { password_auth: { enabled: password.enabled, password: '' } }),
    ...(pin !== null && { pin_auth: { enabled: pin.enabled, pin: '' } }),
    ...(bearer !== null && { bearer_auth: bearer }),
    ...(headers.length > 0 && { header_auths: headers.map(one => ({ ...one, value: '' })) }),
  };
}

function restrictionsView({ crowdsec_mode, ...lists }: ProxyRestrictionsRecord) {
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(crowdsec_mode !== '' && { crowdsec_mode }),
  };
}

/** A service in the log. */
export function serviceMeta(service: ProxyServiceRecord, isLocked: boolean) {
  const { name, domain, proxy_cluster, mode, listen_port, source, targets } = service;
  const { options } = targets[0] ?? {};
  const timeouts = [
    ['request_timeout', options?.request_timeout ?? '0'],
    ['session_idle_timeout', options?.session_idle_timeout ?? '0'],
  ] as const;
  return {
    name,
    domain,
    proxy_cluster,
    mode,
    source,
    auth: String(isLocked),
    ...(listen_port !== 0 && { listen_port: String(listen_port) }),
    ...Object.fromEntries(timeouts.flatMap(([field, given]) => durationView(field, given))),
    ...(options?.proxy_protocol && { proxy_protocol: 'true' }),
  };
}
