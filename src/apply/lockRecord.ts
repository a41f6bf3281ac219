// The content of an account's lock, which is the message of a commit: its holder, when and why it
// was taken, and for how long.
import { LONGEST_TTL, type LockRecord, takenOverAfter } from '../model/lockRecord.ts';
import { visible } from '../model/text/visible.ts';

const FIELDS = ['id', 'machine', 'person', 'link', 'since', 'plan', 'reason', 'until'] as const;

/**
 * The maximum length of text that is read from a field. No field of meshform is that long, but a
 * foreign lock may contain any text.
 */
const LONGEST = 500;

/** The message of the commit. */
export function lockMessage(record: LockRecord): string {
  const { is, ttl, counter } = record;
  const fields = FIELDS.flatMap(name => {
    const value = record[name];
    return value === undefined ? [] : `${name}: ${visible(value).slice(0, LONGEST)}`;
  });
  return [`meshform lock: ${is}`, '', ...fields, `ttl: ${ttl}`, `counter: ${counter}`].join('\n');
}

/** The content of a lock's message; null if meshform did not write it. */
export function lockOfMessage(message: string): LockRecord | null {
  const [, is] = /^meshform lock: (run|hold|free)$/m.exec(message) ?? [];
  if (is === undefined) return null;
  const lines = message.split('\n').flatMap((line): [string, string][] => {
    const [, name, value] = /^([a-z]+): (.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.slice(0, LONGEST)]];
  });
  const found = new Map(lines);
  const named = FIELDS.flatMap(name => {
    const value = found.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    id: '',
    machine: '',
    since: '',
    ...Object.fromEntries(named),
    is: is as LockRecord['is'],
    ttl: numberIn(found.get('ttl')) ?? LONGEST_TTL,
    counter: numberIn(found.get('counter')) ?? 0,
  };
}

function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/**
 * Milliseconds without a renewal after which others may take over the lock. If the time in the lock
 * is longer or unreadable, it counts as one hour.
 */
export function patienceWith(record: LockRecord | null): number {
  return takenOverAfter(record ?? { ttl: LONGEST_TTL }) * 1000;
}
