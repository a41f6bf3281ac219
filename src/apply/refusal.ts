// Values that describe why an apply did not start. Nothing was written, unless a comment says
// otherwise.
import type { AccessGates, AccessHazard } from '../model/access/accessGates.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { LockRecord } from '../model/lockRecord.ts';
import type { Address } from '../model/names.ts';
import type { Hazard, Plan, ShownEnding } from '../model/plan.ts';
import type { ApplyHost } from './host.ts';
import type { LockOwner } from './lockFile.ts';

/** A precondition that does not hold; `refused` names it. */
export type Refusal =
  | LockRefusal
  | JournalRefusal
  | PlaceRefusal
  | FingerprintsRefusal
  | SigningKeyRefusal
  | UnrecordableBase
  | UnverifiedBase
  | OlderBase
  | PlanRefusal
  /** The plan was made at another address. */
  | { readonly refused: 'server'; readonly planned: string; readonly connected: string }
  /** The plan was made for another account. `connected` is undefined if the account cannot be identified. */
  | { readonly refused: 'account'; readonly planned: string; readonly connected?: string }
  /** The observed traffic belongs to another account than the plan. */
  | { readonly refused: 'traffic'; readonly planned: string; readonly observed: string }
  /** At least one of the findings is an error. */
  | { readonly refused: 'findings'; readonly findings: readonly Diagnostic[] }
  /**
   * Access tests fail, or the plan gains access that must not be gained. `isUnseen`: this is new
   * since the plan was shown, because the account has changed.
   */
  | { readonly refused: 'access'; readonly gates: AccessGates; readonly isUnseen?: boolean }
  /**
   * Hazards that nobody accepted. `isUnseen`: they are new since the plan was shown, because the
   * account has changed.
   */
  | {
      readonly refused: 'hazards';
      readonly missing: readonly (Hazard | AccessHazard)[];
      readonly isUnseen?: boolean;
    }
  /** Secrets that cannot be opened. */
  | { readonly refused: 'secrets'; readonly findings: readonly Diagnostic[] }
  /** Secrets have other values than when the plan was made. */
  | { readonly refused: 'secrets-changed'; readonly messages: readonly [string, ...string[]] }
  /**
   * The run of a saved plan was undone, or a later apply of the same files is complete. So the plan
   * is not carried out again.
   */
  | { readonly refused: 'plan-overtaken'; readonly run: string; readonly later: Overtaking }
  /** The run that is to be undone was undone already, and the run `by` then undid this undo. */
  | {
      readonly refused: 'brought-back';
      readonly run: string;
      readonly by: string;
      readonly folder: string;
    }
  /** The plan was already applied, and these objects have changed since. */
  | { readonly refused: 'changed-since'; readonly addresses: readonly Address[] }
  /**
   * Something has expired since the clock of the plan was read. `isBack`: this clock is before an
   * expiry time that the plan contains.
   */
  | {
      readonly refused: 'ended-since';
      readonly ending: ShownEnding;
      readonly isBack: boolean;
      readonly clock: string;
    }
  /**
   * In the current account, the plan does something that it did not show when it was made: it gives
   * or removes access, makes names resolve differently, or has hazards. `isUnseen`: this was not
   * shown with the question either, because the account changed before the answer.
   */
  | {
      readonly refused: 'access-since';
      readonly gained: readonly string[];
      readonly lost: readonly string[];
      readonly moved: readonly string[];
      readonly hazards: readonly string[];
      readonly isUnseen?: boolean;
    }
  /** `confirm` resolved to false. */
  | { readonly refused: 'not-confirmed' };

/** The refusals with these names. */
export type RefusalOf<R extends Refusal['refused']> = Extract<Refusal, { readonly refused: R }>;

/** Why a plan in a file or a journal cannot be carried out. */
type PlanRefusal =
  | { readonly refused: 'plan-unreadable'; readonly file: string; readonly finding: Diagnostic }
  /**
   * The plan was edited, or another version made it. `file` is absent if the plan is in a journal.
   */
  | { readonly refused: 'plan-broken'; readonly file?: string; readonly why: string }
  /** The plan is not the one that was approved. */
  | {
      readonly refused: 'digest';
      readonly file: string;
      readonly approved: string;
      readonly found: string;
      /**
       * Whether `approved` is the content digest of the plan. A content digest cannot approve a
       * plan.
       */
      readonly isContentDigest: boolean;
    };

/** Why the lock is not held. */
export type LockRefusal =
  | { readonly refused: 'locked'; readonly path: string; readonly owner: LockOwner }
  | {
      readonly refused: 'lock-unusable';
      readonly path: string;
      readonly why: string;
      /** Whether the disk is full. If so, no journal can be written there either. */
      readonly isFull?: true;
    }
  | AccountLockRefusal;

/** Why the lock of an account in a Git remote is not held. */
export type AccountLockRefusal =
  /** A run renews the lock. `by` is null if meshform did not write the lock. */
  | {
      readonly refused: 'account-locked';
      readonly account: string;
      readonly remote: string;
      readonly by: LockRecord | null;
    }
  /** A person holds the lock on purpose. */
  | {
      readonly refused: 'account-on-hold';
      readonly account: string;
      readonly remote: string;
      readonly by: LockRecord;
    }
  /**
   * The account at the remote belongs to a server with other addresses than `url`. The run reaches
   * `url`.
   */
  | {
      readonly refused: 'other-server';
      readonly account: string;
      readonly remote: string;
      readonly url: string;
      readonly addresses: readonly [string, ...string[]];
    }
  /** The remote refuses to move the refs of locks. */
  | {
      readonly refused: 'remote-refuses';
      readonly remote: string;
      readonly why: string;
      readonly hint?: string;
    }
  | {
      readonly refused: 'remote-unreachable';
      readonly remote: string;
      readonly why: string;
      readonly hint?: string;
    }
  /** The run was interrupted while it waited. */
  | { readonly refused: 'not-waited'; readonly account: string };

/** Why a journal cannot be written or read. */
export type JournalRefusal =
  /** No folder for journals was chosen, and no folder can be created in the state folder of the user. */
  | { readonly refused: 'no-journal-folder'; readonly path: string; readonly why: string }
  /**
   * Others could write to the folder of journals. `writable`: the folder, if it belongs to the
   * user.
   */
  | {
      readonly refused: 'foreign-folder';
      readonly why: string;
      readonly writable: string | undefined;
    }
  | { readonly refused: 'journal-unwritable'; readonly path: string; readonly why: string }
  | {
      readonly refused: 'journal-unreadable';
      readonly file: string;
      readonly why: string;
      readonly kept: readonly KeptJournal[];
    }
  | { readonly refused: 'journal-invalid'; readonly file: string; readonly why: string }
  /**
   * No run with this key wrote the line with this number (counted from 1), or not in this place.
   */
  | { readonly refused: 'journal-unverified'; readonly file: string; readonly line: number }
  /**
   * The journal of the last apply was chosen with a flag, and somebody has removed the file since.
   */
  | {
      readonly refused: 'journal-gone';
      readonly folder: string;
      readonly file: string;
      /** The id of the run; absent if an earlier version noted the file. */
      readonly run?: string;
    }
  /** Another machine has continued the run or finished it. */
  | {
      readonly refused: 'journal-elsewhere';
      readonly run: string;
      readonly folder: string;
      readonly isFinished: boolean;
    }
  /**
   * Somebody has abandoned the run, or an unknown later run has completed the remaining actions.
   */
  | { readonly refused: 'journal-closed'; readonly run: string; readonly folder: string }
  /**
   * A later run has undone the run, has begun to undo it, or has applied the same files completely.
   */
  | {
      readonly refused: 'run-overtaken';
      readonly run: string;
      readonly folder: string;
      readonly later: Overtaking;
    }
  /**
   * The remote of the lock has no journal of this run, or the given text matches several journals.
   */
  | {
      readonly refused: 'no-run';
      readonly run: string;
      readonly found?: readonly { readonly run: string }[];
    }
  /** An older version wrote the journal without signatures, and nobody accepted it. */
  | { readonly refused: 'journal-unsigned'; readonly file: string }
  | {
      readonly refused: 'no-journal';
      /** The command that looked for a journal, if it also looked at the Git remote. */
      readonly alsoAtRemote?: 'resume' | 'undo';
      /**
       * Present if the command was to record the base of the last apply. This requires the journal
       * of this machine.
       */
      readonly toRecord?: true;
      readonly folder: string;
      readonly kept: readonly KeptJournal[];
    };

/**
 * The later run (an undo, an unfinished undo, or an apply), or the base that a later apply
 * recorded.
 */
export type Overtaking =
  | { readonly by: string; readonly as: 'undo' | 'unfinished undo' | 'apply' }
  | { readonly as: 'base'; readonly ref: string; readonly recordedAt: string };

/** A journal of this machine, which the user may have meant. */
export interface KeptJournal {
  readonly file: string;
  /**
   * How the last run of the journal ended; `unverified` if no key of this run verifies the journal.
   */
  readonly ended: 'complete' | 'incomplete' | 'cut off' | 'closed' | 'unverified';
  /** The folder of the desired state. */
  readonly folder?: string;
  readonly server?: string | undefined;
}

/** Why no secret can be kept. */
export type PlaceRefusal =
  | { readonly refused: 'secret-place'; readonly why: string; readonly hint?: string }
  /** Another user of the machine has prepared the place for secrets. */
  | { readonly refused: 'secret-place-foreign'; readonly why: string }
  /**
   * Several secrets would have the same name at the place, so the last of them would replace the
   * others.
   */
  | {
      readonly refused: 'secret-names';
      readonly name: string;
      readonly addresses: readonly Address[];
    };

/** Why secrets cannot be compared with the values that were sent last. */
export type FingerprintsRefusal =
  /** The environment variable contains no key, or a key with fewer characters than `shortest`. */
  | { readonly refused: 'fingerprint-key'; readonly variable: string; readonly shortest: number }
  | { readonly refused: 'fingerprints-unreadable'; readonly file: string; readonly why: string };

/**
 * Why nothing can be signed. A key has fewer characters than `shortest`, or the variable is set but
 * contains no key. If neither field is present, there is no key.
 */
export interface SigningKeyRefusal {
  readonly refused: 'signing-key';
  /** The environment variable of the key. */
  readonly variable: string;
  readonly shortest?: number;
  /** Whether the variable is set but contains no key, only spaces and commas. */
  readonly isBlank?: true;
}

/** Why the base cannot be recorded after the run. */
export type UnrecordableBase = { readonly refused: 'base' } & (
  | { readonly because: 'account-unknown' }
  /** The plan does not contain the base that it would record. */
  | { readonly because: 'no-content' }
  | {
      readonly because: 'no-revision' | 'not-first' | 'not-behind';
      readonly why: string;
      readonly hint?: string | undefined;
    }
  /** Objects that were removed from the files but stay in the account. */
  | { readonly because: 'unpruned'; readonly objects: readonly string[] }
  | { readonly because: 'other-base'; readonly ref: string }
);

/** Why the recorded base that a plan was compared with is not trusted. */
export type UnverifiedBase = { readonly refused: 'base-unverified'; readonly commit: string } & (
  | { readonly because: 'missing' | 'elsewhere' }
  /** `last`: the base of the last apply in `folder`, if the repository has it. */
  | { readonly because: 'not-signed'; readonly folder?: string; readonly last?: string | undefined }
  | { readonly because: 'unreadable'; readonly why: string }
);

/**
 * The recorded base with which a plan was compared does not follow the base of a finished run, or
 * no longer exists.
 */
export interface OlderBase {
  readonly refused: 'base-older';
  readonly ref: string;
  /** The folder of desired state, as the user named it. */
  readonly folder: string;
  /** When the base at the ref was recorded, in RFC 3339; absent if no base was found. */
  readonly found?: string;
  /** When the finished run recorded its base. */
  readonly recorded: string;
  /** When a user ran `base forget` for the newest base, in RFC 3339; absent if nobody did. */
  readonly forgottenAt?: string;
  /** The file that names the base of the finished run. */
  readonly file: string;
  /**
   * Whether the ref has the newest base or a later base. In that case, only the plan was made with
   * an older base.
   */
  readonly isReplaced?: true;
  /** Whether no key of the run signed the base that was found. */
  readonly isUnsigned?: true;
  /**
   * The commit of the newest base. Present if the repository has it, and it follows the base at the
   * ref or that base is unsigned. The ref can be restored with it.
   */
  readonly lost?: string;
}

/** Whether something was refused. */
export function isRefusal<T>(result: T | Refusal): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result;
}

/**
 * The refusal if any finding is an error. If none is, the findings are reported, and the result is
 * null.
 */
export function findingsRefusal(
  findings: readonly Diagnostic[],
  { tell }: Pick<ApplyHost, 'tell'>,
): Refusal | null {
  if (hasErrors(findings)) return { refused: 'findings', findings };
  if (findings.length > 0) tell({ note: 'findings', findings });
  return null;
}

/** The refusal if a plan was made with errors, because such a plan contains no actions that may be carried out. */
export const planErrors = ({ diagnostics }: Plan): Refusal | null =>
  hasErrors(diagnostics) ? { refused: 'findings', findings: diagnostics } : null;
