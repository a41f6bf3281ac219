// The request and the result of an apply: the same for a new plan, a saved plan, a resumed run and an undo.
import type { UsedTraffic } from '../access/gates/usedFindings.ts';
import type { TransportOptions } from '../api/transport/transport.ts';
import type { Resolution } from '../engine/types/settings.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { Allowance } from '../model/allowance.ts';
import type { RunResult } from '../model/outcome.ts';
import type { Plan } from '../model/plan.ts';
import type { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import type { Fingerprints } from '../read/fingerprints.ts';
import type { SavedPlan } from '../report/plan/savedPlan.ts';
import type { ApplyHost } from './host.ts';
import type { AccountLock } from './lock/accountLock.ts';
import type { RunEvent } from './port.ts';
import type { BaseRecord } from './recordedBase/record.ts';
import type { Refusal } from './refusal.ts';
import type { SecretSources } from './secrets/opener.ts';
import type { SecretPlace } from './secrets/places.ts';

/** The sources of secrets, and the place for secrets that the server shows once. */
export interface ApplySecrets {
  /** The sources of the secrets of the files in a folder and in further layers; see `secretSources`. */
  readonly sources: (folder: string, layers?: readonly string[]) => SecretSources;
  /**
   * Stores secrets that the server shows once; see `secretPlace`. Without this place, a plan that reveals a secret is refused.
   */
  readonly place?: SecretPlace | undefined;
  /**
   * Opens the file with the fingerprints of the secret values that were sent last, once the lock is
   * held; see `openFingerprints`.
   */
  readonly fingerprints?: (() => Promise<Fingerprints | Refusal>) | undefined;
  /** Values that must not be printed or recorded. The run adds the secrets that it opens. */
  readonly known?: KnownSecrets | undefined;
}

/** How a plan is carried out. */
export interface ApplyRequest {
  readonly kinds: KindTable;
  readonly connection: TransportOptions;
  readonly host: ApplyHost;
  readonly secrets: ApplySecrets;
  readonly concurrency: number;
  /** Whether a failure stops only the actions that depend on it, or the whole run. By default `continue`. */
  readonly onError?: 'continue' | 'stop';
  /** Accepted hazards, in addition to those that the plan accepts. */
  readonly allow?: readonly Allowance[];
  /** Which side wins if both the files and the account have changed. */
  readonly resolve?: readonly Resolution[];
  /** False if the access tests of a saved plan are not evaluated again. */
  readonly areTestsJudged?: boolean;
  /** False if a plan that gains access is refused. */
  readonly mayGainAccess?: boolean;
  /**
   * Whether every address leads to this server: the address at which a saved plan was created, and
   * the addresses that the account has at the Git remote.
   */
  readonly isAnyServer?: boolean;
  /** An address that led to this server before. */
  readonly formerUrl?: string | undefined;
  /** The flows that were in use. A saved plan is judged again with them. */
  readonly used?: UsedTraffic | undefined;
  /** The path of the journal. By default a new file in the folder of journals. */
  readonly journal?: string | undefined;
  /** Whether to record the base once the whole plan is done. */
  readonly recordBase?: boolean;
  /** Whether the plan only removes what has expired. */
  readonly onlyEnds?: boolean;
  /** The lock that all machines share. Without this lock, only runs of this machine see each other. */
  readonly accountLock?: AccountLock | undefined;
  /**
   * Asks for confirmation once every precondition holds. If absent, the run starts without a
   * question.
   */
  readonly confirm?: ((plan: Plan, digest: string) => Promise<boolean>) | undefined;
  /** Once aborted, no new action starts; running actions are completed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /**
   * Called when the run starts, with the number of remaining actions. The returned function is
   * called when the run ends.
   */
  readonly onRunning?: (plan: Plan, left: number) => () => void;
}

/** A plan that was carried out. `result` shows which actions were completed. */
export interface Applied extends SavedPlan {
  readonly result: RunResult;
  /** Whether an earlier apply completed the plan, so that nothing was sent. */
  readonly isAlreadyApplied: boolean;
  /**
   * The journal to resume from if actions remain. If an earlier apply completed the plan, the
   * journal of that apply.
   */
  readonly journal?: string;
  /**
   * The path of the journal, if somebody removed it during the run. The run can then neither be
   * resumed nor undone from this machine's copy.
   */
  readonly removedJournal?: string;
  /**
   * Whether the journal was not removed but emptied or shortened, so that its content is no longer
   * a journal.
   */
  readonly isShortened?: true;
  /** The id of the run of a removed journal, if the remote of the lock has a copy. */
  readonly sharedRun?: string;
  /**
   * The journal of an earlier apply of the same saved plan that can be continued: a file, or the id
   * of a run at the remote.
   */
  readonly earlier?: string;
  readonly base?: BaseRecord;
}
