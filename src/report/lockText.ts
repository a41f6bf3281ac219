// The holder of the lock of an account, as text and as a JSON document.
import { type LockRecord, takenOverAfter } from '../model/lockRecord.ts';
import { jsonText } from '../model/text/jsonText.ts';
import { visible } from '../model/text/visible.ts';
import { counted } from './text/summary.ts';

/** The lock of an account; `record` is null if meshform did not write the lock. */
export interface ShownLock {
  readonly account: string;
  readonly ref: string;
  readonly remote: string;
  readonly lock: {
    readonly commit: string;
    readonly record: LockRecord | null;
    /** Why no command of meshform can move or remove the lock, and what to do instead. */
    readonly untouchable?: { readonly why: string; readonly hint?: string | undefined };
  } | null;
  /** Whether the lock is a hold whose time is over. */
  readonly isOver: boolean;
  /** Obstacles at other remotes of the clone that also stop an apply. */
  readonly elsewhere: readonly ShownElsewhere[];
}

/** An obstacle at another remote of the clone that stops an apply. */
interface ShownElsewhere {
  readonly remote: string;
  readonly is: 'lock' | 'apply' | 'base';
  /** A clause about the obstacle, and the lines below the clause. */
  readonly message: string;
  readonly lines: readonly string[];
  /** The record of the holder, if the obstacle is a lock; null if meshform did not write the lock. */
  readonly record?: LockRecord | null | undefined;
}

/** The lock for people. */
export function lockText(shown: ShownLock): string {
  const { elsewhere } = shown;
  if (elsewhere.length === 0) return ownLockText(shown);
  const others = elsewhere.flatMap(({ message, lines }) => [visible(`- ${message}`), ...lines]);
  return `${ownLockText(shown)}\nApplies are refused because of other remotes of this clone, too:\n${others.join('\n')}\n`;
}

function ownLockText({ account, ref, remote, lock, isOver }: ShownLock): string {
  if (lock?.untouchable) {
    const { why, hint } = lock.untouchable;
    const next = hint === undefined ? '' : `${visible(`  ${hint}`)}\n`;
    return `${visible(`No apply can take the lock of the account ${account}: ${why}.`)}\n${next}`;
  }
  if (lock !== null && isOver)
    return `${visible(`The hold of the account ${account} is over: applies may start.`)}\n\n${holderText(lock.record)}`;
  if (lock === null || lock.record?.is === 'free')
    return visible(`Nobody holds the lock of the account ${account}: ${ref} at ${remote}.`).concat(
      '\n',
    );
  const head =
    lock.record?.is === 'hold'
      ? `The account ${account} is held on purpose: no apply starts.`
      : `The account ${account} is locked.`;
  return `${visible(head)}\n\n${holderText(lock.record, lock.commit)}`;
}

/**
 * Who holds a lock, as lines. For a lock that meshform did not write, `commit` is given, and the lines also say how to remove the
 * lock.
 */
export function holderText(record: LockRecord | null, commit?: string): string {
  if (record === null) {
    const said = '  The lock was not written by meshform: look at its commit with git.\n';
    return commit === undefined
      ? said
      : `${said}  If nobody needs it, \`meshform lock break ${commit} FOLDER\` removes it.\n`;
  }
  const { machine, person, since, reason, until, id, link, plan, counter } = record;
  const isHold = record.is === 'hold';
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['By', person === undefined ? machine : `${person}, on ${machine}`],
    ['Since', since],
    ['Reason', reason],
    ['Until', isHold ? (until ?? 'somebody releases it') : undefined],
    [isHold ? 'Hold' : 'Run', id],
    ['Pipeline', link],
    ['Plan', plan],
    [
      'Renewed',
      isHold
        ? undefined
        : `${counted(Math.max(counter - 1, 0), 'time')}; another run may take it over after ${takenOverAfter(record)} s without a renewal`,
    ],
  ];
  const shown = rows.flatMap(([label, text]) =>
    text === undefined ? [] : visible(`  ${label.padEnd(9)} ${text}`),
  );
  return `${shown.join('\n')}\n`;
}

/** The lock for programs. */
export function lockJson({ account, ref, remote, lock, isOver, elsewhere }: ShownLock): string {
  const record = lock?.record ?? null;
  const isLocked = lock !== null && record?.is !== 'free' && !isOver;
  return jsonText({
    account,
    remote,
    ref,
    locked: isLocked,
    ...(isLocked && { commit: lock.commit, holder: record === null ? null : { ...record } }),
    ...(elsewhere.length > 0 && {
      elsewhere: elsewhere.map(({ remote: name, is, message, record: by }) => ({
        remote: name,
        is,
        message,
        ...(is === 'lock' && { holder: by ? { ...by } : null }),
      })),
    }),
  });
}
