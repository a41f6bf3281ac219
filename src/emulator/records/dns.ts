// The records of name resolution: nameserver groups, zones, and the records of zones.

export type NameserverGroupRecord = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly nameservers: readonly {
    readonly ip: string;
    readonly ns_type: string;
    readonly port: number;
  }[];
  readonly enabled: boolean;
  readonly groups: readonly string[];
  readonly primary: boolean;
  /** Null if the domains were left out. */
  readonly domains: readonly string[] | null;
  readonly search_domains_enabled: boolean;
};

export type DnsZoneRecord = {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly enabled: boolean;
  readonly enable_search_domain: boolean;
  readonly distribution_groups: readonly string[];
};

/** A record of a zone. */
export type ZoneEntryRecord = {
  readonly id: string;
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
};
