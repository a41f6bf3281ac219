// What the machines of a fleet that share a lock are sent to do, and what they report.

export const ACCOUNT = 'a1';
export const BASE = `refs/meshform-base/${ACCOUNT}/network`;
export const LOCK = `refs/meshform-locks/${ACCOUNT}`;

/** In milliseconds. */
export const TTL = 15_000;

/** The time limit of a write, in milliseconds. */
export const LONGEST_WRITE = TTL / 3;

/** Where a machine can be stopped or lost; the second write counts. */
export const MOMENTS = [
  'before it takes the lock',
  'when it holds the lock',
  'before it checks',
  'between check and write',
  'in a write',
  'before its last push',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** What a machine is to do. */
export interface Errand {
  readonly id: string;
  /** Milliseconds before it asks for the lock. */
  readonly after: number;
  /** How long to go on asking for a lock that somebody renews, in milliseconds. */
  readonly wait: number;
  /** Whether to ask again when it was refused. */
  readonly insists: boolean;
  /** Whether its plan is known before it has the lock: then its journal comes with the lock. */
  readonly isPlanned: boolean;
  readonly writes: readonly { readonly pause: number; readonly lasts: number }[];
  readonly fate?: { readonly moment: Moment; readonly does: 'stopping' | 'dying' } | undefined;
}

/** What a machine says, at a time of the shared clock. */
export interface Report {
  readonly is:
    | 'idle'
    | 'asleep'
    | 'refused'
    | 'held'
    | 'begun'
    | 'lost'
    | 'begins a write'
    | 'has written'
    | 'ended'
    | 'failed'
    | 'stopping'
    | 'dying';
  readonly at: number;
  /** When the clock was read before: of a write, by its last check. */
  readonly readAt: number;
  readonly until?: number;
  readonly moment?: Moment;
  readonly name?: string;
  readonly pushed?: string;
  readonly why?: string;
}
