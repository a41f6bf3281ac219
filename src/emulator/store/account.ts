// The state of one account, and of the installation that contains the accounts, as typed tables.
import { present } from '../../model/errors.ts';
import type {
  DeliveryRecord,
  EventRecord,
  FoundedRecord,
  LaterSettings,
  LetterRecord,
  PendingEventRecord,
  SequenceRecord,
  Settings,
  SettingsRecord,
} from '../records/account.ts';
import type { Log } from '../records/audit-event.ts';
import type { DnsZoneRecord, NameserverGroupRecord, ZoneEntryRecord } from '../records/dns.ts';
import type {
  DirectoryContentRecord,
  DirectoryRecord,
  DnsRecord,
  EdrRecord,
  EventStreamRecord,
  IdentityProviderRecord,
  NotificationChannelRecord,
  SyncLogRecord,
  TenantRecord,
} from '../records/integrations.ts';
import type { AccessRecord, FlowRecord, LogFaultsRecord } from '../records/logs.ts';
import type {
  IngressPeerRecord,
  JobRecord,
  PeerRecord,
  PortAllocationRecord,
} from '../records/peers.ts';
import type {
  CredentialRecord,
  FormerUserRecord,
  InviteRecord,
  PasswordRecord,
  SetupKeyRecord,
  TokenRecord,
  UserRecord,
} from '../records/people.ts';
import type {
  ProxyClusterRecord,
  ProxyDomainRecord,
  ProxyServiceRecord,
  ProxyTokenRecord,
} from '../records/proxy.ts';
import type {
  GroupRecord,
  NetworkRecord,
  NetworkResourceRecord,
  NetworkRouterRecord,
  PolicyRecord,
  PostureCheckRecord,
  RouteRecord,
} from '../records/topology.ts';
import type { Rows } from './store.ts';
import { openTable, type Table } from './table.ts';

/** The data of one account within one transaction. */
export interface Account {
  readonly id: string;
  /** The data of the whole installation. */
  readonly installation: Installation;
  /** Records an event in the log of the account. */
  readonly log: Log;
  /** A table with one record, whose id is the id of the account. */
  readonly settings: Table<SettingsRecord>;
  readonly sequences: Table<SequenceRecord>;
  readonly events: Table<EventRecord>;
  readonly users: Table<UserRecord>;
  readonly formerUsers: Table<FormerUserRecord>;
  readonly tokens: Table<TokenRecord>;
  /** The records of all accounts. */
  readonly credentials: Table<CredentialRecord>;
  readonly passwords: Table<PasswordRecord>;
  readonly invites: Table<InviteRecord>;
  readonly setupKeys: Table<SetupKeyRecord>;
  readonly peers: Table<PeerRecord>;
  readonly jobs: Table<JobRecord>;
  readonly ingressPeers: Table<IngressPeerRecord>;
  readonly portAllocations: Table<PortAllocationRecord>;
  readonly groups: Table<GroupRecord>;
  readonly networks: Table<NetworkRecord>;
  readonly resources: Table<NetworkResourceRecord>;
  readonly routers: Table<NetworkRouterRecord>;
  readonly routes: Table<RouteRecord>;
  readonly policies: Table<PolicyRecord>;
  readonly postureChecks: Table<PostureCheckRecord>;
  readonly nameserverGroups: Table<NameserverGroupRecord>;
  readonly zones: Table<DnsZoneRecord>;
  /** The records of all zones. */
  readonly zoneEntries: Table<ZoneEntryRecord>;
  readonly proxyDomains: Table<ProxyDomainRecord>;
  readonly proxyServices: Table<ProxyServiceRecord>;
  readonly proxyTokens: Table<ProxyTokenRecord>;
  readonly identityProviders: Table<IdentityProviderRecord>;
  readonly tenants: Table<TenantRecord>;
  readonly edr: Table<EdrRecord>;
  readonly channels: Table<NotificationChannelRecord>;
  readonly streams: Table<EventStreamRecord>;
  readonly outbox: Table<LetterRecord>;
  readonly flows: Table<FlowRecord>;
  /** A table with at most one record, whose id is the id of the account. */
  readonly logFaults: Table<LogFaultsRecord>;
  /** Requests that the reverse proxy handled. */
  readonly accesses: Table<AccessRecord>;
  /** The integrations with the directory of this name. */
  directory(name: string): Table<DirectoryRecord>;
  /** The content of a directory, which no operation of the API shows. */
  directoryContent(name: string): Table<DirectoryContentRecord>;
  directoryLogs(name: string): Table<SyncLogRecord>;
}

/** The data of the whole installation. */
export interface Installation {
  /** The store, to open other accounts. */
  readonly rows: Rows;
  readonly accounts: Table<FoundedRecord>;
  readonly credentials: Table<CredentialRecord>;
  readonly pendingEvents: Table<PendingEventRecord>;
  readonly dns: Table<DnsRecord>;
  readonly deliveries: Table<DeliveryRecord>;
  readonly proxyClusters: Table<ProxyClusterRecord>;
}

/** The scope of rows that belong to no account. */
export const INSTALLATION = '';

/** The tables that belong to no account. */
export function openInstallation(rows: Rows): Installation {
  return {
    rows,
    accounts: openTable(rows, INSTALLATION, 'accounts'),
    credentials: openTable(rows, INSTALLATION, 'credentials'),
    pendingEvents: openTable(rows, INSTALLATION, 'pending_events'),
    dns: openTable(rows, INSTALLATION, 'dns'),
    deliveries: openTable(rows, INSTALLATION, 'deliveries'),
    proxyClusters: openTable(rows, INSTALLATION, 'proxy_clusters'),
  };
}

/** The account with this id. If no `log` is given, its events are not recorded. */
export function openAccount(rows: Rows, id: string, log: Log = () => {}): Account {
  const installation = openInstallation(rows);
  return {
    id,
    log,
    installation,
    credentials: installation.credentials,
    settings: openTable(rows, id, 'settings'),
    sequences: openTable(rows, id, 'sequences'),
    events: openTable(rows, id, 'events'),
    users: openTable(rows, id, 'users'),
    formerUsers: openTable(rows, id, 'former_users'),
    tokens: openTable(rows, id, 'tokens'),
    passwords: openTable(rows, id, 'passwords'),
    invites: openTable(rows, id, 'invites'),
    setupKeys: openTable(rows, id, 'setup_keys'),
    peers: openTable(rows, id, 'peers'),
    jobs: openTable(rows, id, 'jobs'),
    ingressPeers: openTable(rows, id, 'ingress_peers'),
    portAllocations: openTable(rows, id, 'port_allocations'),
    groups: openTable(rows, id, 'groups'),
    networks: openTable(rows, id, 'networks'),
    resources: openTable(rows, id, 'resources'),
    routers: openTable(rows, id, 'routers'),
    routes: openTable(rows, id, 'routes'),
    policies: openTable(rows, id, 'policies'),
    postureChecks: openTable(rows, id, 'posture_checks'),
    nameserverGroups: openTable(rows, id, 'nameserver_groups'),
    zones: openTable(rows, id, 'dns_zones'),
    zoneEntries: openTable(rows, id, 'dns_records'),
    proxyDomains: openTable(rows, id, 'proxy_domains'),
    proxyServices: openTable(rows, id, 'proxy_services'),
    proxyTokens: openTable(rows, id, 'proxy_tokens'),
    identityProviders: openTable(rows, id, 'identity_providers'),
    tenants: openTable(rows, id, 'tenants'),
    edr: openTable(rows, id, 'edr'),
    channels: openTable(rows, id, 'channels'),
    streams: openTable(rows, id, 'streams'),
    outbox: openTable(rows, id, 'outbox'),
    flows: openTable(rows, id, 'flows'),
    logFaults: openTable(rows, id, 'log_faults'),
    accesses: openTable(rows, id, 'accesses'),
    directory: name => openTable(rows, id, `directory/${name}`),
    directoryContent: name => openTable(rows, id, `directory_content/${name}`),
    directoryLogs: name => openTable(rows, id, `directory_logs/${name}`),
  };
}

/** The settings of a new account that do not depend on options of the emulator. */
const DEFAULTS: LaterSettings = {
  network_v6: '',
  network_range_v6: '',
  own_dns_domain: '',
  peer_login_expiration_enabled: true,
  peer_inactivity_expiration_enabled: false,
  peer_inactivity_expiration: 600,
  jwt_groups_enabled: false,
  jwt_groups_claim_name: '',
  jwt_allow_groups: [],
  routing_peer_dns_resolution_enabled: true,
  ipv6_enabled_groups: undefined,
  peer_expose_enabled: false,
  peer_expose_groups: null,
  lazy_connection_enabled: true,
  auto_update_version: 'disabled',
  auto_update_always: false,
  local_mfa_enabled: false,
  metrics_push_enabled: false,
  agent_network_only: false,
  dashboard_features: null,
  peer_approval_enabled: false,
  network_traffic_logs_enabled: false,
  network_traffic_logs_groups: null,
  network_traffic_packet_counter_enabled: false,
  onboarding_flow_pending: true,
  signup_form_pending: true,
  disabled_management_groups: [],
};

/** The settings of an account. */
export function settingsOf(account: Account): Settings {
  const stored = present(account.settings.get(account.id), 'the settings of an account');
  return { ...DEFAULTS, ...stored };
}
