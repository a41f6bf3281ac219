// The records of an account itself: its settings, its counters and its log.

export type SettingsRecord = {
  readonly id: string;
  /** The overlay network that peers get their addresses from, in CIDR notation. */
  readonly network: string;
  readonly dns_domain: string;
  /** Whether the peers of a user get the groups of the user. */
  readonly group_propagation: boolean;
  /** Whether a user who signs up waits for approval. */
  readonly user_approval_required: boolean;
  /** Whether users without the right to read peers see only their own peers. */
  readonly regular_users_view_blocked: boolean;
  /** The number of seconds after which a person must sign in again on their peers. */
  readonly peer_login_expiration: number;
} & Partial<LaterSettings>;

/** Settings that are missing in accounts from earlier versions. They have the names of the API, if it contains them. */
export type LaterSettings = {
  /** The IPv6 overlay network; empty if it is derived from the id of the account. */
  readonly network_v6: string;
  /** The IPv6 overlay network as it was last written; empty if the last write left it out. */
  readonly network_range_v6: string;
  /** The DNS domain as it was written; empty for the domain of the server. */
  readonly own_dns_domain: string;
  readonly peer_login_expiration_enabled: boolean;
  readonly peer_inactivity_expiration_enabled: boolean;
  readonly peer_inactivity_expiration: number;
  readonly jwt_groups_enabled: boolean;
  readonly jwt_groups_claim_name: string;
  readonly jwt_allow_groups: readonly string[];
  readonly routing_peer_dns_resolution_enabled: boolean;
  /** Groups whose peers have an IPv6 address; undefined for the group All. */
  readonly ipv6_enabled_groups: readonly string[] | null | undefined;
  readonly peer_expose_enabled: boolean;
  readonly peer_expose_groups: readonly string[] | null;
  readonly lazy_connection_enabled: boolean;
  readonly auto_update_version: string;
  readonly auto_update_always: boolean;
  readonly local_mfa_enabled: boolean;
  readonly metrics_push_enabled: boolean;
  readonly agent_network_only: boolean;
  readonly dashboard_features: { readonly agent_network?: boolean } | null;
  readonly peer_approval_enabled: boolean;
  readonly network_traffic_logs_enabled: boolean;
  readonly network_traffic_logs_groups: readonly string[] | null;
  readonly network_traffic_packet_counter_enabled: boolean;
  readonly onboarding_flow_pending: boolean;
  readonly signup_form_pending: boolean;
  readonly disabled_management_groups: readonly string[];
};

/** All settings of an account. */
export type Settings = SettingsRecord & LaterSettings;

/** An account of the installation. */
export type FoundedRecord = {
  readonly id: string;
  /** The time of creation, and the creator; absent for an account from a version that did not store them. */
  readonly created_at?: string;
  readonly created_by?: string;
};

/** The last number assigned for a kind of object. */
export type SequenceRecord = { readonly id: string; readonly last: number };

export type EventRecord = {
  readonly id: string;
  readonly timestamp: string;
  readonly activity_code: string;
  readonly initiator_id: string;
  readonly target_id: string;
  readonly meta: Readonly<Record<string, string>>;
};

/** A pending delivery over HTTP. */
export type DeliveryRecord = {
  readonly id: string;
  readonly account: string;
  /** The receiver, to which one delivery is sent at a time. */
  readonly to: string;
  /** The event of the delivery. */
  readonly event: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly attempts: number;
  /** The time of the next attempt. */
  readonly due: string;
};

/** A letter in the outbox: mail, or a delivery that did not leave this machine. */
export type LetterRecord = {
  readonly id: string;
  readonly kind: 'email' | 'withheld' | 'given up';
  readonly at: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
};

/** An event that is not in the log yet. */
export type PendingEventRecord = {
  readonly id: string;
  readonly account: string;
  /** The time at which the log shows the event. */
  readonly due: string;
  readonly event: Omit<EventRecord, 'id'>;
};
