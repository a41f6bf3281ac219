// The records of traffic: flows between peers, and requests that the reverse proxy handled.

/** An endpoint of a flow, as it was at the time of the flow. */
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
  /** The sums of an event that aggregates flows, which has no `events`; otherwise absent. */
  readonly sums?: TrafficSums;
  /** Milliseconds between an event and the arrival of its report; absent if the report arrives at once. */
  readonly lag?: number;
  /**
   * The time at which the first report arrives, in milliseconds since 1970; absent if it follows from `events`, `sums` and `lag`.
   */
  readonly arrives?: number;
};

/** The deliberate faults of the traffic log. The id is the id of the account. */
export type LogFaultsRecord = {
  readonly id: string;
  /** The number of requests that the log has answered. */
  readonly requests: number;
  /** The number that is added to the number of pages. */
  readonly pages: number;
  /** If this is n, every n-th record is served twice; 0 means none. `flat` works in the same way. */
  readonly repeats: number;
  readonly flat: number;
  /** If this is n, every n-th answer has no records; 0 means none. */
  readonly blanks: number;
  /** The number of seconds by which all arrivals are delayed. */
  readonly delay: number;
  /** The number of most recent arrivals that are held back, and how many of them each request releases. */
  readonly held: number;
  readonly arrivals: number;
};

/** The numbers of flows that started, ended and were dropped within a time window. */
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
