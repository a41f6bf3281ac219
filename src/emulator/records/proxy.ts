// The records of the reverse proxy: clusters, domains, services and tokens.

/** Proxies that connect under one address. Abilities that none of them reports are absent. */
export type ProxyClusterRecord = {
  readonly id: string;
  readonly address: string;
  /** Empty for a cluster of the operator, which every account can use. */
  readonly account: string;
  readonly online: boolean;
  readonly connected_proxies: number;
  readonly abilities: ClusterAbilities;
};

export type ClusterAbilities = {
  readonly private?: boolean;
  readonly require_subdomain?: boolean;
  readonly supports_crowdsec?: boolean;
  readonly supports_custom_ports?: boolean;
};

export type ProxyDomainRecord = {
  readonly id: string;
  readonly domain: string;
  readonly target_cluster: string;
  readonly validated: boolean;
};

export type ProxyTargetRecord = {
  readonly target_id: string;
  readonly target_type: string;
  /** The host as it was written; responses show it only for subnets and clusters. */
  readonly host: string;
  readonly port: number;
  readonly protocol: string;
  /** Null if the path was left out. */
  readonly path: string | null;
  readonly enabled: boolean;
  readonly options: {
    readonly skip_tls_verify: boolean;
    /** Durations in nanoseconds, as digits. */
    readonly request_timeout: string;
    readonly session_idle_timeout: string;
    readonly path_rewrite: string;
    readonly custom_headers: Readonly<Record<string, string>>;
    readonly direct_upstream: boolean;
    readonly proxy_protocol: boolean;
  };
};

/** A lock with a secret, which itself is not stored. */
type LockRecord = { readonly enabled: boolean; readonly hasSecret: boolean };

export type ProxyAuthRecord = {
  readonly password: LockRecord | null;
  readonly pin: LockRecord | null;
  readonly bearer: {
    readonly enabled: boolean;
    readonly distribution_groups: readonly string[] | null;
  } | null;
  readonly headers: readonly { readonly enabled: boolean; readonly header: string }[];
};

export type ProxyRestrictionsRecord = {
  readonly allowed_cidrs: readonly string[];
  readonly blocked_cidrs: readonly string[];
  readonly allowed_countries: readonly string[];
  readonly blocked_countries: readonly string[];
  /** Empty if the mode was left out. */
  readonly crowdsec_mode: string;
};

export type ProxyServiceRecord = {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly enabled: boolean;
  readonly mode: string;
  readonly listen_port: number;
  readonly port_auto_assigned: boolean;
  readonly private: boolean;
  readonly access_groups: readonly string[];
  readonly pass_host_header: boolean;
  readonly rewrite_redirects: boolean;
  readonly proxy_cluster: string;
  readonly targets: readonly ProxyTargetRecord[];
  readonly auth: ProxyAuthRecord;
  readonly restrictions: ProxyRestrictionsRecord;
  readonly created_at: string;
  /** The origin of the service: `permanent`, `ephemeral` if a machine published it, or empty after an update. */
  readonly source: string;
};

export type ProxyTokenRecord = {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  /** Empty if the token never expires. */
  readonly expires_at: string;
  readonly revoked: boolean;
};
