// The records of integrations with other systems. Secrets that the emulator does not need are not stored.
import type { Json } from '../../model/value.ts';

export type ChannelTarget =
  | { readonly emails: readonly string[] }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type NotificationChannelRecord = {
  readonly id: string;
  readonly type: string;
  readonly target: ChannelTarget;
  readonly event_types: readonly string[];
  readonly enabled: boolean;
};

export type IdentityProviderRecord = {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
};

export type TenantRecord = {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly groups: readonly { readonly id: string; readonly role: string }[];
  readonly activated_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly invited_at: string;
  readonly dns_challenge: string;
  /** `pending`, `existing`, `invited` or `active`. */
  readonly status: string;
  /** The account of the tenant; empty until it is active. */
  readonly account: string;
  /** The price of the subscription; empty if there is none. */
  readonly price: string;
};

/** The DNS records of a domain. The domain is the id. */
export type DnsRecord = { readonly id: string; readonly texts: readonly string[] };

/** The integration with one endpoint-detection provider. The name of the provider is the id. */
export type EdrRecord = {
  readonly id: string;
  readonly number: number;
  readonly created_by: string;
  readonly last_synced_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly groups: readonly string[];
  readonly last_synced_interval: number;
  readonly enabled: boolean;
  /** Fields of this provider only. */
  readonly own: Readonly<Record<string, Json>>;
};

/** An integration with a directory. Its number is unique among the integrations with this directory. */
export type DirectoryRecord = {
  readonly id: string;
  readonly enabled: boolean;
  readonly group_prefixes: readonly string[];
  readonly user_group_prefixes: readonly string[];
  readonly connector_id: string;
  readonly created_at: string;
  readonly last_synced_at: string;
  /** Fields of this directory only. */
  readonly own: Readonly<Record<string, Json>>;
  /** Digest of the token of the directory; empty if it has none. */
  readonly token: string;
};

/** The content of a directory, by integration. */
export type DirectoryContentRecord = {
  readonly id: string;
  readonly users: readonly { readonly email: string; readonly name: string }[];
  /** Groups with the emails of their members. */
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[];
};

/** An entry in the log of a directory's synchronisation. */
export type SyncLogRecord = {
  readonly id: string;
  readonly integration: string;
  readonly level: string;
  readonly timestamp: string;
  readonly message: string;
};

export type EventStreamRecord = {
  readonly id: string;
  readonly enabled: boolean;
  readonly platform: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly config: Readonly<Record<string, string>>;
};
