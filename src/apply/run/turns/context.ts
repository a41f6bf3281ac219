// The inputs of a turn, and its result if it succeeds.
import type { ObjectId } from '../../../api/account/objectClient.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import type { Begun } from '../../../model/journal.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { Action, DeleteAction, UpdateAction } from '../../../model/plan.ts';
import type { AccountPort, KeepSecret, OpenSecret } from '../../port.ts';
import type { RecentLists } from './recentLists.ts';
import type { RunNames } from './runNames.ts';

/** The inputs for checking the precondition of an action. None of them can write. */
export interface CheckContext {
  /** The kind of the object. */
  readonly kind: Kind;
  readonly kinds: KindTable;
  readonly lists: RecentLists;
  readonly names: RunNames;
  readonly openSecret: OpenSecret;
  /** The objects that an earlier apply of the plan created; absent if this run continues that apply. */
  readonly createdEarlier?: ReadonlySet<RemoteId> | undefined;
}

/** The inputs of a turn, besides its action. */
export interface TurnContext extends CheckContext {
  readonly port: AccountPort;
  /** Stores one-time secrets. If absent, one-time secrets are lost. */
  readonly keepSecret?: KeepSecret | undefined;
  /** The newest audit event before the run; undefined if the token may not read the log. */
  readonly logPosition: number | undefined;
  /** The requests of an earlier run for this action whose result is unknown. */
  readonly begun?: Begun | undefined;
  /**
   * The user of the earlier run, if its journal contains the user. Another user may continue that
   * run.
   */
  readonly earlierUser?: string | undefined;
  /** Whether the write is read back in the same turn, because it may remove access. */
  readonly isReadBack: boolean;
}

/** The result of a completed action. */
export interface Done {
  readonly remoteId: RemoteId;
  /** Notes for people. */
  readonly notes: readonly string[];
  /** Whether the response does not show what was stored, so that the object must be read back. */
  readonly isOpen?: boolean;
}

/** The id of an action's object, and of its parent, as the plan found them. */
export function objectIdOf({ remoteId, parentId }: UpdateAction | DeleteAction): ObjectId {
  return { id: remoteId, ...(parentId !== undefined && { parentId }) };
}

/** The id of the parent that an action names; undefined if its kind has no parent. */
export function parentOf(
  action: Action,
  { kind, names }: Pick<CheckContext, 'kind' | 'names'>,
): RemoteId | undefined {
  return kind.parent !== undefined && action.parent !== undefined
    ? names.idOf(kind.parent, action.parent)
    : undefined;
}
