// The records of peers and of ingress peers.

export type PeerRecord = {
  readonly id: string;
  readonly name: string;
  /** The first label of the peer's name in the overlay network, which is followed by the domain of the account. */
  readonly label: string;
  readonly ip: string;
  /** Absent if the address was not chosen; then it is derived from the IPv4 address. */
  readonly ipv6?: string;
  /** The WireGuard public key of the peer; absent if it was not given. */
  readonly wg_pub_key?: string;
  /** Whether the person must sign in again, even if their last login is recent. */
  readonly login_expired?: boolean;
  /** The user who enrolled the peer by signing in; empty if a setup key was used. */
  readonly user_id: string;
  readonly ssh_enabled: boolean;
  readonly login_expiration_enabled: boolean;
  readonly inactivity_expiration_enabled: boolean;
  readonly ephemeral: boolean;
  readonly connected: boolean;
  /** Whether the peer needs approval before it may connect to others. */
  readonly approval_required: boolean;
  readonly created_at: string;
  readonly last_seen: string;
  readonly last_login: string;
  readonly machine: Machine;
};

/** The facts that a machine reports about itself. */
export type Machine = {
  readonly hostname: string;
  readonly connection_ip: string;
  readonly os: string;
  readonly kernel_version: string;
  readonly version: string;
  readonly ui_version: string;
  readonly serial_number: string;
  readonly geoname_id: number;
  readonly country_code: string;
  readonly city_name: string;
  readonly extra_dns_labels: readonly string[];
  /** Addresses in its local networks; used by posture checks only. */
  readonly network_addresses: readonly string[];
  /** Paths of its running processes; used by posture checks only. */
  readonly processes: readonly string[];
};

/** A job for a peer. */
export type JobRecord = {
  readonly id: string;
  readonly peer: string;
  readonly created_at: string;
  readonly completed_at: string | null;
  /** The user who created the job. */
  readonly triggered_by: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly failed_reason: string | null;
  readonly workload: {
    readonly type: string;
    readonly parameters: Readonly<Record<string, boolean | number>>;
    readonly result?: { readonly upload_key: string };
  };
};

export type IngressPeerRecord = {
  readonly id: string;
  readonly peer_id: string;
  readonly ingress_ip: string;
  readonly enabled: boolean;
  readonly fallback: boolean;
  readonly region: string;
};

export type PortMapping = {
  readonly translated_start: number;
  readonly translated_end: number;
  readonly ingress_start: number;
  readonly ingress_end: number;
  readonly protocol: string;
};

export type PortAllocationRecord = {
  readonly id: string;
  /** The peer that the ports belong to. */
  readonly peer: string;
  readonly name: string;
  readonly ingress_peer_id: string;
  readonly enabled: boolean;
  readonly port_range_mappings: readonly PortMapping[];
};
