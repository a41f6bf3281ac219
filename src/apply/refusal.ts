// Why an apply did not start, as values. Nothing was written, unless a comment says otherwise.
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
  /** The plan was made for another account; `connected` is undefined where the account cannot be identified. */
  | { readonly refused: 'account'; readonly planned: string; readonly connected?: string }
  /** At least one of the findings is an error. */
  | { readonly refused: 'findings'; readonly findings: readonly Diagnostic[] }
  /** Access tests fail, or access is gained that must not be gained. */
  | { readonly refused: 'access'; readonly gates: AccessGates }
  /** Hazards that nobody accepted. */
  | { readonly refused: 'hazards'; readonly missing: readonly (Hazard | AccessHazard)[] }
  /** Secrets that cannot be opened. */
  | { readonly refused: 'secrets'; readonly findings: readonly Diagnostic[] }
  /** Secrets have other values than those that the plan was made with. */
  | { readonly refused: 'secrets-changed'; readonly messages: readonly [string, ...string[]] }
  /** The plan was applied already, and these objects changed since. */
  | { readonly refused: 'changed-since'; readonly addresses: readonly Address[] }
  /** Something has ended since the clock of the plan was read, or, `isBack`, this clock is behind an end of the plan. */
  | {
      readonly refused: 'ended-since';
      readonly ending: ShownEnding;
      readonly isBack: boolean;
      readonly clock: string;
    }
  /** In the account as it is now, the plan gives access that it did not show. */
  | { readonly refused: 'access-since'; readonly gained: readonly [string, ...string[]] }
  /** `confirm` resolved to false. */
  | { readonly refused: 'not-confirmed' };

/** Why a plan in a file or a journal cannot be carried out. */
type PlanRefusal =
  | { readonly refused: 'plan-unreadable'; readonly file: string; readonly finding: Diagnostic }
  /** The plan was edited, or another version made it. `file` is left out where it is in a journal. */
  | { readonly refused: 'plan-broken'; readonly file?: string; readonly why: string }
  /** The plan is not the one that was approved. */
  | {
      readonly refused: 'digest';
      readonly file: string;
      readonly approved: string;
      readonly found: string;
      /** Whether `approved` is the content digest of the plan, which approves nothing. */
      readonly isContentDigest: boolean;
    };

/** Why the lock is not held. */
export type LockRefusal =
  | { readonly refused: 'locked'; readonly path: string; readonly owner: LockOwner }
  | { readonly refused: 'lock-unusable'; readonly path: string; readonly why: string }
  | AccountLockRefusal;

/** Why the lock of an account in a Git remote is not held. */
export type AccountLockRefusal =
  /** A run renews it; `by` is null where meshform did not write it. */
  | {
      readonly refused: 'account-locked';
      readonly account: string;
      readonly remote: string;
      readonly by: LockRecord | null;
    }
  /** A person holds it on purpose. */
  | {
      readonly refused: 'account-on-hold';
      readonly account: string;
      readonly remote: string;
      readonly by: LockRecord;
    }
  /** The remote moves no such refs. */
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

/** Why a journal cannot be written, or cannot be read. */
export type JournalRefusal =
  /** No folder for journals was chosen, and there can be none in the state folder of the user. */
  | { readonly refused: 'no-journal-folder'; readonly path: string; readonly why: string }
  /** Somebody else could put something into the folder of journals. `writable` is the folder, if it is the user's. */
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
  /** The line with this number, counted from 1, was not written by a run with this key, or not there. */
  | { readonly refused: 'journal-unverified'; readonly file: string; readonly line: number }
  /** Another machine has continued the run, or has finished it. */
  | { readonly refused: 'journal-elsewhere'; readonly run: string; readonly isFinished: boolean }
  /** A later run has done the rest, or somebody has abandoned it. */
  | { readonly refused: 'journal-closed'; readonly run: string }
  /** The remote of the lock has no journal of such a run, or several that the text may mean. */
  | {
      readonly refused: 'no-run';
      readonly run: string;
      readonly found?: readonly { readonly run: string }[];
    }
  /** An older version wrote the journal, and nobody accepted it. */
  | { readonly refused: 'journal-unsigned'; readonly file: string }
  | {
      readonly refused: 'no-journal';
      /** What was wanted, if the journals at the Git remote were looked at, too. */
      readonly alsoAtRemote?: 'resume' | 'undo';
      readonly folder: string;
      readonly kept: readonly KeptJournal[];
    };

/** A journal of this machine, which may be meant where another was named. */
export interface KeptJournal {
  readonly file: string;
  /** How its last run ended; `unverified` if no key of this run verifies it. */
  readonly ended: 'complete' | 'incomplete' | 'cut off' | 'closed' | 'unverified';
  /** The folder of the desired state. */
  readonly folder?: string;
  readonly server?: string | undefined;
}

/** Why no secret can be kept. */
export type PlaceRefusal =
  | { readonly refused: 'secret-place'; readonly why: string; readonly hint?: string }
  /** Another user of the machine has prepared the place. */
  | { readonly refused: 'secret-place-foreign'; readonly why: string }
  /** Several secrets would have one name there, and the last would replace the others. */
  | {
      readonly refused: 'secret-names';
      readonly name: string;
      readonly addresses: readonly Address[];
    };

/** Why secrets cannot be compared with the values that were sent last. */
export type FingerprintsRefusal =
  /** The environment variable holds no key, or a key with fewer characters than `shortest`. */
  | { readonly refused: 'fingerprint-key'; readonly variable: string; readonly shortest: number }
  | { readonly refused: 'fingerprints-unreadable'; readonly file: string; readonly why: string };

/** Why nothing can be signed: a key has fewer characters than `shortest`, or the variable is set and names none; otherwise there is no key. */
export interface SigningKeyRefusal {
  readonly refused: 'signing-key';
  /** The environment variable of the key. */
  readonly variable: string;
  readonly shortest?: number;
  /** Whether the variable is set and has no key, only spaces and commas. */
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
  /** Objects that were removed from the files and stay in the account. */
  | { readonly because: 'unpruned'; readonly objects: readonly string[] }
  | { readonly because: 'other-base'; readonly ref: string }
);

/** Why the recorded base that a plan was compared with decides nothing. */
export type UnverifiedBase = { readonly refused: 'base-unverified'; readonly commit: string } & (
  | { readonly because: 'missing' | 'elsewhere' }
  /** `last`: the base of the last apply in `folder`, if the repository has it. */
  | { readonly because: 'not-signed'; readonly folder?: string; readonly last?: string | undefined }
  | { readonly because: 'unreadable'; readonly why: string }
);

/** The recorded base that a plan was compared with does not follow that of a finished run on this machine, or is gone. */
export interface OlderBase {
  readonly refused: 'base-older';
  readonly ref: string;
  /** The folder of desired state, as it was given. */
  readonly folder: string;
  /** When the base that was found was recorded, in RFC 3339; absent if none was found. */
  readonly found?: string;
  /** When the finished run recorded its base. */
  readonly recorded: string;
  /** When a person had that base forgotten; absent if nobody did. */
  readonly forgottenAt?: string;
  /** The file that says so. */
  readonly file: string;
  /** Whether the ref has that base or a later one, and only the plan was made with an older one. */
  readonly isReplaced?: true;
  /** Whether no key of the run signed the base that was found. */
  readonly isUnsigned?: true;
  /**
   * The commit of the base of that run, if the repository has it, and it follows the base that was found, or nobody signed that:
   * then the ref can be restored.
   */
  readonly lost?: string;
}

/** Whether something was refused. */
export function isRefusal<T>(result: T | Refusal): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result;
}

/** The refusal where an error is among findings; else they are reported, and nothing is refused. */
export function findingsRefusal(
  findings: readonly Diagnostic[],
  { tell }: Pick<ApplyHost, 'tell'>,
): Refusal | null {
  if (hasErrors(findings)) return { refused: 'findings', findings };
  if (findings.length > 0) tell({ note: 'findings', findings });
  return null;
}

/** The refusal where a plan was made with errors: it holds no actions that may be carried out. */
export const planErrors = ({ diagnostics }: Plan): Refusal | null =>
  hasErrors(diagnostics) ? { refused: 'findings', findings: diagnostics } : null;
