// The events of an update of the account: one for each setting that changed (docs/server-behaviour.md#events-of-an-operation).
// Settings that are not listed here cause no event.

import type { Settings } from '../records/account.ts';
import type { ActivityCode } from '../records/activities.ts';
import type { Meta } from '../records/audit-meta.ts';
import type { Account } from '../store/account.ts';

type Flag = {
  [K in keyof Settings]: Settings[K] extends boolean ? K : never;
}[keyof Settings];

/** The beginnings of the codes of flags; the codes end with `enable` and `disable`. */
const FLAGS = {
  peer_login_expiration_enabled: 'account.setting.peer.login.expiration',
  group_propagation: 'account.setting.group.propagation',
  routing_peer_dns_resolution_enabled: 'account.setting.routing.peer.dns.resolution',
  lazy_connection_enabled: 'account.setting.lazy.connection',
  auto_update_always: 'account.setting.auto.update.always',
  metrics_push_enabled: 'account.setting.metrics.push',
  local_mfa_enabled: 'account.setting.local.mfa',
  peer_expose_enabled: 'account.setting.peer.expose',
} as const satisfies Partial<Readonly<Record<Flag, string>>>;

/** The text that the server writes for a missing range. */
const NO_RANGE = 'invalid Prefix';

/** Logs what an update changed. */
export function logSettings(account: Account, before: Settings, after: Settings): void {
  const tell = (code: ActivityCode, meta: Meta = {}) =>
    account.log({ code, target: account.id, meta });
  for (const [flag, code] of Object.entries(FLAGS)) {
    const name = flag as keyof typeof FLAGS;
    if (before[name] !== after[name])
      tell(`${code as (typeof FLAGS)[keyof typeof FLAGS]}.${after[name] ? 'enable' : 'disable'}`);
  }
  if (before.peer_login_expiration !== after.peer_login_expiration)
    tell('account.setting.peer.login.expiration.update');
  logInactivity(tell, before, after);
  const hadIpv6 = hasAny(before.ipv6_enabled_groups);
  const hasIpv6 = hasAny(after.ipv6_enabled_groups);
  if (hadIpv6 !== hasIpv6) tell(`account.setting.ipv6.${hasIpv6 ? 'enable' : 'disable'}`);
  if (before.auto_update_version !== after.auto_update_version)
    tell('account.settings.auto.version.update', { version: after.auto_update_version });
  if (before.own_dns_domain !== after.own_dns_domain)
    tell('account.dns.domain.update', {
      old_dns_domain: before.own_dns_domain,
      new_dns_domain: after.own_dns_domain,
    });
  if (before.network !== after.network)
    tell('account.network.range.update', {
      old_network_range: before.network,
      new_network_range: after.network,
    });
  // For IPv6, the ranges as written are compared, and not the ranges in use.
  if (before.network_range_v6 !== after.network_range_v6)
    tell('account.network.range.update', {
      old_network_range_v6: before.network_range_v6 || NO_RANGE,
      new_network_range_v6: after.network_range_v6 || NO_RANGE,
    });
}

/** Logs a change of the inactivity expiration. Switching it on causes no event; only a new duration does. */
function logInactivity(tell: (code: ActivityCode) => void, before: Settings, after: Settings) {
  const isOn = after.peer_inactivity_expiration_enabled;
  if (isOn && before.peer_inactivity_expiration !== after.peer_inactivity_expiration)
    tell('account.peer.inactivity.expiration.update');
  if (!isOn && before.peer_inactivity_expiration_enabled)
    tell('account.peer.inactivity.expiration.disable');
}

/** Whether a list names groups; a list that was never written means the group All. */
function hasAny(groups: readonly string[] | null | undefined): boolean {
  return groups === undefined || (groups !== null && groups.length > 0);
}
