// The accepted body of an update of the account, and the checks that come before the check of the caller's role
// (docs/server-behaviour.md#account-settings).

import { isVersion } from '../normalise/version.ts';
import { flag, list, object, optional, type Read, text, whole } from '../request/body.ts';
import { internalError, invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { newRange, newRangeV6 } from './ranges.ts';

const EXTRA = object({
  peer_approval_enabled: flag,
  user_approval_required: flag,
  network_traffic_logs_enabled: flag,
  network_traffic_logs_groups: optional(list(text)),
  network_traffic_packet_counter_enabled: flag,
});

const SETTINGS = object({
  peer_login_expiration_enabled: flag,
  peer_login_expiration: whole,
  peer_inactivity_expiration_enabled: flag,
  peer_inactivity_expiration: whole,
  regular_users_view_blocked: flag,
  groups_propagation_enabled: flag,
  jwt_groups_enabled: flag,
  jwt_groups_claim_name: text,
  jwt_allow_groups: list(text),
  routing_peer_dns_resolution_enabled: flag,
  dns_domain: text,
  network_range: text,
  network_range_v6: text,
  ipv6_enabled_groups: optional(list(text)),
  peer_expose_enabled: flag,
  peer_expose_groups: optional(list(text)),
  lazy_connection_enabled: flag,
  auto_update_version: text,
  auto_update_always: flag,
  local_mfa_enabled: flag,
  metrics_push_enabled: flag,
  agent_network_only: flag,
  dashboard_features: optional(object({ agent_network: optional(flag) })),
  // The next two fields are read only. Their types are still checked.
  embedded_idp_enabled: flag,
  local_auth_disabled: flag,
  extra: optional(EXTRA),
});

export const BODY = object({
  settings: SETTINGS,
  onboarding: optional(object({ onboarding_flow_pending: flag, signup_form_pending: flag })),
});

export type SettingsBody = Read<typeof SETTINGS>;

/** Refuses settings that the server refuses before it checks whether the caller may change settings. */
export function refuseSettings(account: Account, settings: SettingsBody): void {
  const { peer_expose_enabled, peer_expose_groups = [], auto_update_version } = settings;
  if (peer_expose_enabled && peer_expose_groups.length === 0)
    throw invalid('peer expose requires at least one group');
  if (!isUpdate(auto_update_version)) throw internalError();
  if (settings.agent_network_only && settings.dashboard_features?.agent_network !== true)
    throw invalid('agent network only requires the dashboard feature agent_network');
  newRange(account, settings.network_range);
  newRangeV6(settings.network_range_v6);
}

function isUpdate(version: string): boolean {
  return ['', 'disabled', 'latest'].includes(version) || isVersion(version);
}
