// The records of an account itself: its settings, its counters and its log.

export type SettingsRecord = {
  readonly id: string;
  /** The overlay network that peers get their addresses from, in CIDR notation. */
  readonly network: string;
  readonly dns_domain: string;
  /** Whether peers follow the groups of their user. */
  readonly group_propagation: boolean;
  /** Whether a user who signs up waits for approval. */
  readonly user_approval_required: boolean;
  /** Whether users without the right to read peers see only their own peers. */
  readonly regular_users_view_blocked: boolean;
  /** Seconds after which a person must sign in again on their peers. */
  readonly peer_login_expiration: number;
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
  /** The receiver, which gets one delivery at a time. */
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
  /** When the log shows it. */
  readonly due: string;
  readonly event: Omit<EventRecord, 'id'>;
};
