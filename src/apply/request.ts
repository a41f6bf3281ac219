// What an apply is asked for, and what comes of it: the same for a new plan, a saved one, a resumed run and an undo.

import type { TransportOptions } from '../api/transport/transport.ts';
import type { Resolution } from '../engine/types/settings.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { Allowance } from '../model/allowance.ts';
import type { RunResult } from '../model/outcome.ts';
import type { Plan } from '../model/plan.ts';
import type { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import type { Fingerprints } from '../read/fingerprints.ts';
import type { ApplyHost } from './host.ts';
import type { RecordedBase } from './journal/recordBase.ts';
import type { Refusal } from './refusal.ts';
import type { RunEvent } from './run/port.ts';
import type { SecretSources } from './secrets/opener.ts';
import type { SecretPlace } from './secrets/place.ts';

/** Where secrets come from, and where those go that the server shows once. */
export interface ApplySecrets {
  /** What the secrets of the files in a folder are filled from; see `secretSources`. */
  readonly sources: (folder: string) => SecretSources;
  /** Keeps secrets that the server shows once; see `secretPlace`. Without it a plan that reveals one is refused. */
  readonly place?: SecretPlace | undefined;
  /** Opens the file that stores which values were sent last, once the lock is held; see `openFingerprints`. */
  readonly fingerprints?: (() => Promise<Fingerprints | Refusal>) | undefined;
  /** What must not be printed or written down; what the run opens is added. */
  readonly known?: KnownSecrets | undefined;
}

/** How a plan is carried out. */
export interface ApplyRequest {
  readonly kinds: KindTable;
  readonly connection: TransportOptions;
  readonly host: ApplyHost;
  readonly secrets: ApplySecrets;
  readonly concurrency: number;
  /** Whether a failure stops only what depends on it, or everything. By default `continue`. */
  readonly onError?: 'continue' | 'stop';
  /** Hazards that are accepted, besides those that the plan accepts. */
  readonly allow?: readonly Allowance[];
  /** What of the files stands where both sides changed. */
  readonly resolve?: readonly Resolution[];
  /** False: the access tests of a saved plan are not judged again. */
  readonly areTestsJudged?: boolean;
  /** False: a plan that gains access is refused. */
  readonly mayGainAccess?: boolean;
  /** Whether a saved plan may be carried out at another address than it was made at. */
  readonly isAnyServer?: boolean;
  /** The file to write the journal to. By default a new one in the folder of journals. */
  readonly journal?: string | undefined;
  /** Whether the revision of the files is recorded in git, once all of the plan is done. */
  readonly recordBase?: boolean;
  /** Asks whether the plan is to be carried out; every precondition holds by then. Without it nobody is asked. */
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined;
  /** Once aborted, nothing new is launched; what runs is waited for. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Called when the run begins, with how many actions are left to do; the function that it returns, when the run ends. */
  readonly onRunning?: (plan: Plan, left: number) => () => void;
}

/** A plan that was carried out, as far as `result` says. */
export interface Applied {
  readonly plan: Plan;
  readonly result: RunResult;
  /** Whether an earlier apply had done all of it: then nothing was sent. */
  readonly isAlreadyApplied: boolean;
  /** The journal to resume from, where something is left to do; of the earlier apply, where that had done all. */
  readonly journal?: string;
  /** The journal of an earlier apply of the same saved plan. */
  readonly earlier?: string;
  readonly base?: RecordedBase;
}
