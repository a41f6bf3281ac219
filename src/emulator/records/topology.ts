// The records of groups, networks, routes, policies and posture checks. References are ids; derived values are not stored.
// Fields have the API's names.

export type Reference = { readonly id: string; readonly type: string };

export type GroupRecord = {
  readonly id: string;
  readonly name: string;
  readonly issued: string;
  /** The ids as they were written: ids of missing peers are stored, but not shown. */
  readonly peers: readonly string[];
  /** The resources in the group, with their types at the time of joining. No other record contains this. */
  readonly resources: readonly Reference[];
};

export type NetworkRecord = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
};

export type NetworkResourceRecord = {
  readonly id: string;
  readonly network: string;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly address: string;
  readonly enabled: boolean;
};

export type NetworkRouterRecord = {
  readonly id: string;
  readonly network: string;
  readonly peer: string;
  /** Null if omitted. */
  readonly peer_groups: readonly string[] | null;
  readonly metric: number;
  readonly masquerade: boolean;
  readonly enabled: boolean;
};

export type RouteRecord = {
  readonly id: string;
  readonly network_type: string;
  readonly description: string;
  readonly network_id: string;
  readonly enabled: boolean;
  readonly peer: string;
  /** Null if omitted. */
  readonly peer_groups: readonly string[] | null;
  readonly network: string;
  readonly domains: readonly string[];
  readonly metric: number;
  readonly masquerade: boolean;
  readonly groups: readonly string[];
  readonly keep_route: boolean;
  readonly access_control_groups: readonly string[];
  readonly skip_auto_apply: boolean;
};

type PortRange = { readonly start: number; readonly end: number };

export type RuleRecord = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly action: string;
  readonly bidirectional: boolean;
  readonly protocol: string;
  readonly ports: readonly string[];
  readonly port_ranges: readonly PortRange[];
  readonly authorized_groups: Readonly<Record<string, readonly string[]>>;
  readonly sources: readonly string[];
  readonly sourceResource: Reference | null;
  readonly destinations: readonly string[];
  readonly destinationResource: Reference | null;
};

export type PolicyRecord = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** Null if omitted. */
  readonly source_posture_checks: readonly string[] | null;
  readonly rules: readonly RuleRecord[];
};

type MinVersion = { readonly min_version: string };
type MinKernelVersion = { readonly min_kernel_version: string };

/** The configured checks, in the form of responses. */
export type Checks = {
  readonly nb_version_check?: MinVersion;
  readonly os_version_check?: Readonly<Record<string, MinVersion | MinKernelVersion>>;
  readonly geo_location_check?: {
    readonly locations: readonly { readonly country_code: string; readonly city_name?: string }[];
    readonly action: string;
  };
  readonly peer_network_range_check?: {
    readonly ranges: readonly string[];
    readonly action: string;
  };
  readonly process_check?: { readonly processes: readonly Readonly<Record<string, string>>[] };
};

export type PostureCheckRecord = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly checks: Checks;
};
