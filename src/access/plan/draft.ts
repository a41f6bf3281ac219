// An object on its way to the state after a plan.
import type { RemoteId } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import type { StateObject } from '../state/stateObject.ts';

/** An object of the state after the plan. Its pointers are ids, or keys of objects that have no id yet. */
export interface Draft {
  readonly object: StateObject;
  readonly id?: RemoteId;
  readonly parentId?: RemoteId | undefined;
}

/** What an object that the account has is called among the drafts. */
export const draftName = (kind: string, id: RemoteId): string => `${kind} ${id}`;

/** What an object that the plan creates is called among the drafts. */
export const newDraftName = (kind: string, key: string, parent?: string): string =>
  `${kind} new ${parent} ${key}`;

/** A draft with other values of some fields. */
export function withFields(draft: Draft, fields: Fields): Draft {
  const { object } = draft;
  return { ...draft, object: { ...object, fields: { ...object.fields, ...fields } } };
}
