// An account as the API shows it (docs/server-behaviour.md#account-settings).

import { ipv6Groups, overlay, overlayV6 } from '../addresses/identity.ts';
import type { Environment } from '../environment.ts';
import { formatPrefix } from '../normalise/prefix.ts';
import type { Settings } from '../records/account.ts';
import { type Account, settingsOf } from '../store/account.ts';
import { NEVER } from '../time/times.ts';
import type { SettingsBody } from './account-body.ts';

/** The account with its stored settings, and with the ranges in use. */
export function accountView(account: Account, environment: Environment) {
  const settings = settingsOf(account);
  return {
    ...ofAccount(account, settings),
    settings: {
      ...common(account, settings),
      network_range: formatPrefix(overlay(account)),
      network_range_v6: formatPrefix(overlayV6(account)),
      embedded_idp_enabled: environment.signIn === 'embedded',
      extra: extraOf(settings),
    },
  };
}

/** The account in the response to an update, parts of which repeat the request. */
export function updatedView(account: Account, sent: SettingsBody) {
  const settings = settingsOf(account);
  const { network, network_range_v6 } = settings;
  const { extra } = sent;
  return {
    ...ofAccount(account, settings),
    settings: {
      ...common(account, settings),
      ...(sent.network_range !== '' && { network_range: network }),
      ...(network_range_v6 !== '' && { network_range_v6 }),
      embedded_idp_enabled: false,
      extra: {
        ...extraOf(settings),
        ...(extra !== undefined && {
          network_traffic_logs_enabled: extra.network_traffic_logs_enabled,
          network_traffic_logs_groups: extra.network_traffic_logs_groups ?? null,
          network_traffic_packet_counter_enabled: extra.network_traffic_packet_counter_enabled,
        }),
      },
    },
  };
}

function ofAccount({ id, installation, users }: Account, settings: Settings) {
  const founded = installation.accounts.get(id);
  const owner = users.all().find(({ role }) => role === 'owner');
  const { onboarding_flow_pending, signup_form_pending } = settings;
  return {
    id,
    domain: '',
    domain_category: '',
    created_at: founded?.created_at ?? owner?.created_at ?? NEVER,
    created_by: founded?.created_by ?? owner?.id ?? '',
    onboarding: { onboarding_flow_pending, signup_form_pending },
  };
}

function common(account: Account, settings: Settings) {
  const { dashboard_features } = settings;
  return {
    peer_login_expiration_enabled: settings.peer_login_expiration_enabled,
    peer_login_expiration: settings.peer_login_expiration,
    peer_inactivity_expiration_enabled: settings.peer_inactivity_expiration_enabled,
    peer_inactivity_expiration: settings.peer_inactivity_expiration,
    regular_users_view_blocked: settings.regular_users_view_blocked,
    groups_propagation_enabled: settings.group_propagation,
    jwt_groups_enabled: settings.jwt_groups_enabled,
    jwt_groups_claim_name: settings.jwt_groups_claim_name,
    jwt_allow_groups: settings.jwt_allow_groups,
    routing_peer_dns_resolution_enabled: settings.routing_peer_dns_resolution_enabled,
    dns_domain: settings.own_dns_domain,
    ipv6_enabled_groups: ipv6Groups(account),
    peer_expose_enabled: settings.peer_expose_enabled,
    peer_expose_groups: settings.peer_expose_groups,
    lazy_connection_enabled: settings.lazy_connection_enabled,
    auto_update_version: settings.auto_update_version,
    auto_update_always: settings.auto_update_always,
    local_mfa_enabled: settings.local_mfa_enabled,
    metrics_push_enabled: settings.metrics_push_enabled,
    agent_network_only: settings.agent_network_only,
    ...(dashboard_features !== null && { dashboard_features }),
    local_auth_disabled: false,
  };
}

function extraOf(settings: Settings) {
  return {
    peer_approval_enabled: settings.peer_approval_enabled,
    user_approval_required: settings.user_approval_required,
    network_traffic_logs_enabled: settings.network_traffic_logs_enabled,
    network_traffic_logs_groups: settings.network_traffic_logs_groups,
    network_traffic_packet_counter_enabled: settings.network_traffic_packet_counter_enabled,
  };
}
