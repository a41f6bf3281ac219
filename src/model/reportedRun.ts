// An unfinished apply, as commands report it.
import type { Address } from './names.ts';

/**
 * Why nobody can continue an apply any more: a later complete apply, its undo, an unfinished undo, a base that was recorded
 * since, or a base that names the apply as closed.
 */
export type StoppedBy =
  | { readonly as: 'apply' | 'undo' | 'unfinished undo'; readonly by: string }
  | { readonly as: 'base' | 'closed' };

/** An apply that did not finish, or that finished all actions but whose base is not recorded. */
export interface ReportedRun {
  readonly run: string;
  /** The start of the apply, in RFC 3339; absent if its journal is lost. */
  readonly began?: string;
  readonly by?: string;
  /** Whether somebody added the line that ends the journal: its first line is signed, but its last line is not. */
  readonly isForged?: boolean;
  /** The objects that the apply provably created; absent if its journal is not verified. */
  readonly created?: readonly Address[];
  /** Objects in the account that the apply may have created, without proof; absent if there are none. */
  readonly unproven?: readonly Address[];
  /** The revision that the apply applied. */
  readonly revision?: string;
  /** Whether the history of the clone lacks this revision. Then the files may lack the changes of the apply. */
  readonly isElsewhere?: boolean;
  /** The objects that the apply updated or deleted, as its journal shows. */
  readonly changed?: readonly Address[];
  /**
   * The objects that the apply may have updated or deleted, because its journal is a copy that may lack the last lines, or
   * because a request had no response.
   */
  readonly perhapsChanged?: readonly Address[];
  /** Whether the journal contains the declarations. Without them, the objects cannot count as declared by the base. */
  readonly isDeclared?: boolean;
  /** Whether the apply finished all actions, and only its base is not recorded. */
  readonly awaitsBase?: boolean;
  /** The path of the apply's folder in the repository, if the folder has no files in the checkout. */
  readonly formerFolder?: string;
  /** The time, in RFC 3339, of the base that names the apply as unfinished, if the remote no longer has its journal. */
  readonly lostSince?: string;
  /** Whether the apply holds the lock: it is still running, or its machine is lost. */
  readonly holdsLock?: boolean;
  /** Why `--resume` refuses the apply; absent if it does not. */
  readonly stopped?: StoppedBy;
}
