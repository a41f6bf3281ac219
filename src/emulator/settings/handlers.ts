// Reads the account, replaces its settings, and deletes it (docs/server-behaviour.md#account-settings).

import { DNS_DOMAIN } from '../access/new-account.ts';
import { hideIpv6, renumber, renumberV6 } from '../addresses/identity.ts';
import type { Environment } from '../environment.ts';
import { isPlainDomain } from '../normalise/domain.ts';
import { followGroups } from '../people/auto-groups.ts';
import type { Settings } from '../records/account.ts';
import { type Answer, done, ok, refused } from '../request/answer.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { refuseCall } from '../request/permissions.ts';
import { denied, internalError, invalid, notFound, Refusal } from '../request/refusal.ts';
import { parseRole } from '../request/roles.ts';
import { type Account, openInstallation, settingsOf } from '../store/account.ts';
import { BODY, refuseSettings, type SettingsBody } from './account-body.ts';
import { accountView, updatedView } from './account-view.ts';
import { newRange, newRangeV6 } from './ranges.ts';
import { logSettings } from './setting-events.ts';

const HOUR = 3600;
const LONGEST_LOGIN = 180 * 24 * HOUR;
/** The longest duration in seconds. A longer one does not fit into the server's counter, and becomes its lowest value. */
const LONGEST_DURATION = 9_223_372_036;

export const accounts: Handlers = {
  listAccounts: (account, _request, environment) => ok([accountView(account, environment)]),

  updateAccount: (account, request, environment) => {
    const { settings, onboarding } = request.body(BODY, body =>
      refuseSettings(account, body.settings),
    );
    refuseStrangers(account, request, settings);
    if (!request.may('settings', 'update')) refuseWrite(request);
    // The steps of the onboarding are kept even if the settings are refused.
    if (onboarding !== undefined) account.settings.put({ ...settingsOf(account), ...onboarding });
    return refusedLate(() => {
      replace(account, settings, environment);
      return ok(updatedView(account, settings));
    });
  },

  deleteAccount: (account, request) => {
    const id = request.path('accountId');
    if (id !== account.id) throw notFound('account', id);
    if (parseRole(request.caller.role) === 'billing_admin') refuseWrite(request);
    if (request.caller.role !== 'owner')
      throw denied('user is not allowed to delete account. Only account owner can delete account');
    forget(account);
    return done();
  },
};

/** The response of `work`. A refusal becomes a response instead of an error, so that writes before it are kept. */
function refusedLate(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

function refuseStrangers(account: Account, request: ApiRequest, settings: SettingsBody): void {
  if (request.path('accountId') === account.id) return;
  // If there is a range to check, the server first counts the peers of the account.
  if (settings.network_range !== '' || settings.network_range_v6 !== '') throw internalError();
  throw denied('failed to validate user permissions: user is not part of this account');
}

/** Refuses a caller. The server does not find the role `billing_admin` at all. */
function refuseWrite({ caller }: ApiRequest): never {
  if (parseRole(caller.role) === 'billing_admin') throw notFound('user role', caller.role);
  refuseCall(caller);
}

function replace(account: Account, sent: SettingsBody, environment: Environment): void {
  const before = settingsOf(account);
  const after = replaced(account, before, sent, environment);
  refuse(account, before, after);
  account.settings.put(after);
  logSettings(account, before, after);
  if (after.network !== before.network) renumber(account, environment);
  if (after.network_v6 !== before.network_v6) renumberV6(account, environment);
  if (!isSame(after.ipv6_enabled_groups, before.ipv6_enabled_groups))
    hideIpv6(account, account.peers.all(), environment);
  if (after.group_propagation && !before.group_propagation) followGroups(account);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function replaced(
  account: Account,
  before: Settings,
  sent: SettingsBody,
  { edition }: Environment,
): Settings {
  const { dns_domain, network_range, network_range_v6, dashboard_features, extra } = sent;
  const { groups_propagation_enabled, ipv6_enabled_groups, peer_expose_groups } = sent;
  const { embedded_idp_enabled: _, local_auth_disabled: __, ...others } = sent;
  const { agent_network } = dashboard_features ?? {};
  return {
    ...before,
    ...withoutRanges(others),
    peer_login_expiration: duration(sent.peer_login_expiration),
    peer_inactivity_expiration: duration(sent.peer_inactivity_expiration),
    group_propagation: groups_propagation_enabled,
    own_dns_domain: dns_domain,
    dns_domain: dns_domain || DNS_DOMAIN,
    network: newRange(account, network_range) || before.network,
    network_v6: newRangeV6(network_range_v6) || before.network_v6,
    network_range_v6: newRangeV6(network_range_v6),
    ipv6_enabled_groups: ipv6_enabled_groups ?? null,
    peer_expose_groups: peer_expose_groups ?? null,
    dashboard_features:
      dashboard_features === undefined
        ? null
        : { ...(agent_network !== undefined && { agent_network }) },
    ...(extra !== undefined && {
      peer_approval_enabled: extra.peer_approval_enabled,
      user_approval_required: extra.user_approval_required,
    }),
    // A self-hosted server has no log of traffic.
    ...(extra !== undefined &&
      edition === 'cloud' && {
        network_traffic_logs_enabled: extra.network_traffic_logs_enabled,
        network_traffic_logs_groups: extra.network_traffic_logs_groups ?? null,
        network_traffic_packet_counter_enabled: extra.network_traffic_packet_counter_enabled,
      }),
  };
}

function withoutRanges(sent: Omit<SettingsBody, 'embedded_idp_enabled' | 'local_auth_disabled'>) {
  const { network_range: _, groups_propagation_enabled: __, extra: ___, ...others } = sent;
  return others;
}

function duration(seconds: number): number {
  return Math.abs(seconds) > LONGEST_DURATION ? -LONGEST_DURATION : seconds;
}

/** Checks of the server that come after the check of the role. */
function refuse(account: Account, before: Settings, after: Settings): void {
  const { peer_login_expiration, own_dns_domain } = after;
  if (peer_login_expiration < HOUR)
    throw invalid("peer login expiration can't be smaller than one hour");
  if (peer_login_expiration > LONGEST_LOGIN)
    throw invalid("peer login expiration can't be larger than 180 days");
  if (own_dns_domain !== '' && !isPlainDomain(own_dns_domain))
    throw invalid(`invalid domain "${own_dns_domain}" provided for DNS domain`);
  const isZone = account.zones.all().some(({ domain }) => domain === own_dns_domain);
  if (own_dns_domain !== before.own_dns_domain && isZone)
    throw invalid(`peer DNS domain ${own_dns_domain} conflicts with existing custom DNS zone`);
  for (const id of after.ipv6_enabled_groups ?? [])
    if (account.groups.get(id) === undefined)
      throw invalid(`ipv6 enabled group ${id} does not exist`);
}

/** Deletes everything of an account. Its tokens are kept, so that they are known but open nothing. */
function forget({ id, installation }: Account): void {
  const { rows } = installation;
  for (const { scope, table, key } of rows.everything())
    if (scope === id) rows.remove(scope, table, key);
  const { accounts, pendingEvents, deliveries } = openInstallation(rows);
  for (const table of [pendingEvents, deliveries])
    for (const one of table.all()) if (one.account === id) table.remove(one.id);
  accounts.remove(id);
}
