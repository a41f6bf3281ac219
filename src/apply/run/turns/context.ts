// The inputs of a turn, and its result if it succeeds.
import type { ObjectId } from '../../../api/account/account.ts';
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import type { Begun } from '../../../model/journal.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { Action, DeleteAction, UpdateAction } from '../../../model/plan.ts';
import type { AccountPort, KeepSecret, OpenSecret } from '../../port.ts';
import type { RunNames } from './names.ts';
import type { RecentLists } from './recentLists.ts';

/** What checking the precondition of an action needs besides the action. It can write nothing. */
export interface CheckContext {
  /** The kind of the object. */
  readonly kind: Kind;
  readonly kinds: KindTable;
  readonly lists: RecentLists;
  readonly names: RunNames;
  readonly openSecret: OpenSecret;
  /** The objects that an earlier apply of the plan created, which this run does not continue. */
  readonly createdEarlier?: ReadonlySet<RemoteId> | undefined;
}

/** What a turn needs besides its action. */
export interface TurnContext extends CheckContext {
  readonly port: AccountPort;
  /** Stores one-time secrets; without it they are lost. */
  readonly keepSecret?: KeepSecret | undefined;
  /** The newest audit event before the run; undefined if the token may not read the log. */
  readonly logPosition: number | undefined;
  /** What an earlier run sent for this action without a known result. */
  readonly begun?: Begun | undefined;
  /** The user of that run, if its journal names it: another user may continue it. */
  readonly earlierUser?: string | undefined;
  /** Whether the write is read back in the same turn, because it may take access away. */
  readonly isReadBack: boolean;
}

/** The result of a completed action. */
export interface Done {
  readonly remoteId: RemoteId;
  /** Notes for people. */
  readonly notes: readonly string[];
  /** Whether the response does not show what was stored: then it must be read back. */
  readonly isOpen?: boolean;
}

/** Where the plan found the object of an action. */
export function objectIdOf({ remoteId, parentId }: UpdateAction | DeleteAction): ObjectId {
  return { id: remoteId, ...(parentId !== undefined && { parentId }) };
}

/** The id of the parent that an action names; undefined where its kind has no parent. */
export function parentOf(
  action: Action,
  { kind, names }: Pick<CheckContext, 'kind' | 'names'>,
): RemoteId | undefined {
  return kind.parent !== undefined && action.parent !== undefined
    ? names.idOf(kind.parent, action.parent)
    : undefined;
}
