// Which entries of the audit log belong to our own runs.
import type { AuditEntry, Initiator } from '../model/audit/entry.ts';
import type { RunWindow } from '../model/journal.ts';
import type { IsOwn } from './log.ts';
import { eventsOfRun } from './runEvents.ts';

/** The facts that distinguish our own runs from changes by people. */
export interface OwnRuns {
  /** The user of the token; null if unknown. */
  readonly self: { readonly id: string; readonly isRobot: boolean } | null;
  /** Runs with a journal. */
  readonly windows: readonly RunWindow[];
  /** Users whose events all count as ours, by id, name or email address. */
  readonly named: readonly string[];
}

/** The tolerance for differing clocks and for events that are dated late, in milliseconds. */
const SKEW = 60_000;

/** Whether an entry belongs to one of our own runs. */
export function ownEntries(
  entries: readonly AuditEntry[],
  { self, windows, named }: OwnRuns,
): IsOwn {
  const names = new Set(named.map(name => name.toLowerCase()));
  const runs = windows.map(window => {
    const users = usersOf(window, entries, self?.id);
    return eventsOfRun(
      window,
      entries.filter(entry => users.has(entry.by.id) && isIn(window, entry)),
    );
  });
  // People do not use the dashboard as a service user: without a journal, all changes of the token's own service user count as
  // ours.
  const robot = windows.length === 0 && self?.isRobot ? self.id : null;
  return (entry, form) =>
    entry.by.id === robot || isNamed(entry.by, names) || runs.some(isOfRun => isOfRun(entry, form));
}

const isNamed = ({ id, name, email }: Initiator, names: ReadonlySet<string>): boolean =>
  [id, name, email].some(text => text !== '' && names.has(text.toLowerCase()));

// The users of earlier runs: whoever created the objects that a journal lists as created, even if another token is used today.
function usersOf(
  window: RunWindow,
  entries: readonly AuditEntry[],
  self: string | undefined,
): ReadonlySet<string> {
  const users = new Set(self === undefined ? [] : [self]);
  const open = new Set<string>(window.created);
  for (const entry of open.size === 0 ? [] : entries) {
    if (open.delete(entry.target) && isIn(window, entry)) users.add(entry.by.id);
  }
  return users;
}

const NANOSECONDS = 1_000_000n;

// Whether an entry is in the window of a run, with a tolerance for clocks. An entry that the log had before the run never is.
function isIn({ from, to, newest }: RunWindow, { moment, id }: AuditEntry): boolean {
  if (newest !== undefined && Number(id) <= newest) return false;
  const time = Number(moment / NANOSECONDS);
  return time >= from - SKEW && time <= to + SKEW;
}
