// A request for a plan: the part of the desired state on which the plan depends, and its settings.

import type { PlanSettings } from '../../engine/types/settings.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import type { ComparedAccount } from '../../model/comparedAccount.ts';
import type { AccessSettings } from '../access/accessSettings.ts';
import type { DesiredState } from '../loading/desiredState.ts';

/** The part of the desired state that a plan depends on. */
export interface StateToPlan
  extends Pick<
    DesiredState,
    | 'desired'
    | 'base'
    | 'recorded'
    | 'before'
    | 'stored'
    | 'committed'
    | 'unstored'
    | 'others'
    | 'folder'
    | 'layers'
    | 'areLayersListed'
    | 'emptyLists'
    | 'left'
    | 'endings'
  > {
  readonly isBaseApplied?: boolean;
  readonly project?: DesiredState['project'];
}

/** How a plan is made. */
export interface PlanRequest extends Omit<PlanSettings, 'dialect'> {
  /** By default `auto`: the dialect is detected from the server's responses. */
  readonly dialect?: DialectChoice;
  /**
   * The gates for the plan's access. If absent, access is not computed, and less of the account is
   * read.
   */
  readonly access?: Omit<AccessSettings, 'desired' | 'acceptance'>;
  /** Whether the plan only deletes what has ended. */
  readonly onlyEnds?: boolean;
  /** The addresses of live objects that have ended and that the plan must not change. */
  readonly heldEnds?: ReadonlySet<string>;
  /** How long before its end time an object or member is listed, in milliseconds. */
  readonly expiring?: number | undefined;
  /** Whether the same run applies the plan. If it does, a chosen dialect is verified. */
  readonly isWritten?: boolean;
  readonly concurrency: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Receives the secrets of live objects, so that no message repeats them. */
  readonly onHidden?: (value: string) => void;
  /** Receives the account with which the plan was compared. */
  readonly onCompared?: (account: ComparedAccount) => void;
}
