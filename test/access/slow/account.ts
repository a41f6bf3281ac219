// An account as the API's GET calls answer it: all that the slow evaluator reads.

export interface Account {
  readonly peers: readonly Peer[];
  readonly groups: readonly Group[];
  readonly policies: readonly Policy[];
  readonly posture_checks: readonly Check[];
  readonly routes: readonly Route[];
  readonly networks: readonly Network[];
  readonly setup_keys?: readonly Enrolment[];
  readonly users?: readonly Enrolment[];
  readonly services?: readonly Service[];
  readonly zones?: readonly Zone[];
  /** As if each group that routes and has no machine had one. */
  readonly isRouted?: true;
}

export interface Zone extends Id {
  readonly name: string;
  readonly domain: string;
  readonly enabled: boolean;
  /** The ids of the groups whose machines get it. */
  readonly distribution_groups: readonly string[];
  readonly records: readonly DnsRecord[];
}

export interface DnsRecord extends Id {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** A service of the reverse proxy without a lock: everybody may call it. */
export interface Service extends Id {
  readonly name: string;
  readonly domain: string;
  readonly enabled: boolean;
  readonly targets: readonly ServiceTarget[];
}

interface ServiceTarget {
  readonly target_id: string;
  readonly target_type: string;
  /** The address in a range that the service calls. */
  readonly host?: string;
  readonly protocol: string;
  readonly port: number;
  readonly enabled: boolean;
}

interface Id {
  readonly id: string;
}

export interface Peer extends Id {
  readonly name: string;
  readonly ip?: string;
  readonly version?: string;
  readonly os?: string;
  readonly kernel_version?: string;
  readonly country_code?: string;
  readonly city_name?: string;
  readonly connection_ip?: string;
  readonly approval_required: boolean;
  readonly login_expired: boolean;
  readonly user_id?: string;
}

export interface Group extends Id {
  readonly name: string;
  readonly peers: readonly Id[] | null;
}

export interface Single extends Id {
  readonly type: string;
}

export interface Rule extends Id {
  readonly name: string;
  readonly enabled: boolean;
  readonly action: string;
  readonly protocol: string;
  readonly bidirectional: boolean;
  readonly ports?: readonly string[];
  readonly port_ranges?: readonly { readonly start: number; readonly end: number }[];
  readonly sources?: readonly Id[] | null;
  readonly destinations?: readonly Id[] | null;
  readonly sourceResource?: Single;
  readonly destinationResource?: Single;
}

export interface Policy extends Id {
  readonly name: string;
  readonly enabled: boolean;
  readonly source_posture_checks: readonly string[];
  readonly rules: readonly Rule[];
}

interface Version {
  readonly min_version?: string;
  readonly min_kernel_version?: string;
}

export interface Checks {
  readonly nb_version_check?: { readonly min_version: string };
  readonly os_version_check?: Readonly<Record<string, Version>>;
  readonly geo_location_check?: {
    readonly action: string;
    readonly locations: readonly { readonly country_code: string; readonly city_name?: string }[];
  };
  readonly peer_network_range_check?: {
    readonly action: string;
    readonly ranges: readonly string[];
  };
  readonly process_check?: { readonly processes: readonly unknown[] };
}

export interface Check extends Id {
  readonly name: string;
  readonly checks: Checks;
}

export interface Served {
  readonly peer?: string;
  readonly peer_groups?: readonly string[];
}

export interface Route extends Id, Served {
  readonly network_id: string;
  readonly enabled: boolean;
  readonly network?: string;
  readonly domains?: readonly string[];
  readonly groups: readonly string[];
  readonly access_control_groups?: readonly string[];
}

export interface Network extends Id {
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly routers: readonly Router[];
}

export interface Resource extends Id {
  readonly name: string;
  readonly address: string;
  readonly enabled: boolean;
  readonly groups: readonly Id[];
}

interface Router extends Id, Served {
  readonly enabled: boolean;
}

export interface Enrolment extends Id {
  readonly name?: string;
  readonly email?: string;
  readonly auto_groups: readonly string[];
  readonly is_blocked?: boolean;
}
