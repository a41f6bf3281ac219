// The audit log as a test reads it: what is new after a piece of work.
import type { Emulated } from './emulated.ts';

export interface Event {
  readonly id: number;
  readonly activity_code: string;
  readonly initiator_id: string;
  readonly target_id: string;
  readonly meta: Readonly<Record<string, string>>;
}

/** Every event, the oldest first. */
export async function events(api: Emulated): Promise<readonly Event[]> {
  const all: readonly Event[] = Object(await api.get('/api/events/audit'));
  return all.toSorted((one, other) => one.id - other.id);
}

/** What is new in the log after `work`. */
export async function reported(
  api: Emulated,
  work: () => Promise<unknown>,
): Promise<readonly Event[]> {
  const before = await events(api);
  await work();
  return (await events(api)).slice(before.length);
}

/** The codes of some events, in order. */
export const codes = (some: readonly Event[]) =>
  some.map(({ activity_code }) => activity_code).toSorted();
