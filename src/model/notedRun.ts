// An unfinished apply, as commands report it.
import type { Address } from './names.ts';

/** An apply that nobody finished, or that did everything and whose base is not recorded. */
export interface NotedRun {
  readonly run: string;
  /** When it began, in RFC 3339; absent if its journal is lost. */
  readonly began?: string;
  readonly by?: string;
  /** Whether somebody added the line that ends its journal: the first line is signed, and that is not. */
  readonly isForged?: boolean;
  /** What it provably created; absent if its journal is not verified. */
  readonly created?: readonly Address[];
  /** Objects in the account of which nothing proves whether it created them; absent if there are none. */
  readonly unproven?: readonly Address[];
  /** The revision that it applied. */
  readonly revision?: string;
  /** Whether the clone lacks this revision in the history of the files: then they need not have what the run did. */
  readonly isElsewhere?: boolean;
  /** What its journal shows that it updated or deleted. */
  readonly changed?: readonly Address[];
  /** What it may have updated or deleted: its journal is a copy that may lack the last lines, or a request had no response. */
  readonly perhapsChanged?: readonly Address[];
  /** Whether the journal contains the declarations: only then can they count as declared by the base. */
  readonly isDeclared?: boolean;
  /** Whether it did everything, and only its base is not recorded. */
  readonly awaitsBase?: boolean;
  /** The path of its folder in the repository, if that has no files in the checkout. */
  readonly formerFolder?: string;
  /** When the base was recorded that names it as unfinished, in RFC 3339, if the remote has no journal of it any more. */
  readonly lostSince?: string;
  /** Whether it holds the lock: it is under way, or its machine is lost. */
  readonly holdsLock?: boolean;
}
