// What a turn has to work with, and what it ends with when nothing went wrong.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Begun } from '../../model/journal.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Action, DeleteAction, UpdateAction } from '../../model/plan.ts';
import type { AccountPort, KeepSecret, OpenSecret, Place } from '../run/port.ts';
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
}

/** What a turn needs besides its action. */
export interface TurnContext extends CheckContext {
  readonly port: AccountPort;
  /** Where a secret goes that the server shows once; it is lost where there is no such place. */
  readonly keepSecret?: KeepSecret | undefined;
  /** The newest audit event before the run, where the token may see the log. */
  readonly logPosition: number | undefined;
  /** What an earlier run has sent of this action, without its being known to be done. */
  readonly begun?: Begun | undefined;
  /** Whether what is sent is read back in the same turn, because it may take access away. */
  readonly isReadBack: boolean;
}

/** What is told of an action that is done. */
export interface Done {
  readonly remoteId: RemoteId;
  /** What a person should know of it. */
  readonly notes: readonly string[];
  /** Whether the answer does not tell what was kept: then it is to be read back. */
  readonly isOpen?: boolean;
}

/** Where the plan found the object of an action. */
export function placeOf({ remoteId, parentId }: UpdateAction | DeleteAction): Place {
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
