// The records of traffic: flows between peers, and requests that the reverse proxy handled.

/** An end of a flow at that time. */
export type EndpointRecord = {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly geo_location: { readonly city_name: string; readonly country_code: string };
  readonly os: string;
  readonly address: string;
  readonly dns_label: string;
};

export type FlowRecord = {
  readonly id: string;
  readonly connection_type: string;
  readonly flow_id: string;
  readonly reporter_id: string;
  readonly source: EndpointRecord;
  readonly destination: EndpointRecord;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly policy: { readonly id: string; readonly name: string };
  readonly icmp: { readonly type: number; readonly code: number };
  readonly protocol: number;
  readonly direction: string;
  readonly rx_bytes: number;
  readonly rx_packets: number;
  readonly tx_bytes: number;
  readonly tx_packets: number;
  /** The first event is the start of the flow. */
  readonly events: readonly { readonly type: string; readonly timestamp: string }[];
  /** Of an event that sums up flows; it has no events then. */
  readonly sums?: TrafficSums;
  /** How many milliseconds after each event its report arrives; absent if it arrives at once. */
  readonly lag?: number;
  /** When its first report arrives, in milliseconds since 1970; absent if its events and sums tell. */
  readonly arrives?: number;
};

/** The faults of the traffic log as it is served. Its id is that of the account. */
export type LogFaultsRecord = {
  readonly id: string;
  /** How many requests it has answered. */
  readonly requests: number;
  /** By how much the number of pages is off. */
  readonly pages: number;
  /** Each record of this number is served twice; 0 for none. The same goes for the next ones. */
  readonly repeats: number;
  readonly flat: number;
  /** Each answer of this number has no records. */
  readonly blanks: number;
  /** Seconds that everything arrives later. */
  readonly delay: number;
  /** How many of the last arrivals are held back, and how many of them each request lets in. */
  readonly held: number;
  readonly arrivals: number;
};

/** How many flows started, ended and were dropped within a time. */
export type TrafficSums = {
  readonly receive_timestamp: string;
  readonly window_start: string;
  readonly window_end: string;
  readonly num_of_starts: number;
  readonly num_of_ends: number;
  readonly num_of_drops: number;
};

export type AccessRecord = {
  readonly id: string;
  readonly service_id: string;
  readonly timestamp: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly duration_ms: number;
  readonly status_code: number;
  readonly source_ip: string;
  readonly reason: string;
  readonly user_id: string;
  readonly auth_method_used: string;
  readonly country_code: string;
  readonly city_name: string;
  readonly subdivision_code: string;
  readonly bytes_upload: number;
  readonly bytes_download: number;
  readonly protocol: string;
};
