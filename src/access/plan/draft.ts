// A draft: an object during the simulation of the state after a plan.
import { idInKey } from '../../model/key.ts';
import type { Address, RemoteId } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import type { StateObject } from '../state/stateObject.ts';

/** An object of the state after the plan. Its references are ids, or keys of objects that have no id yet. */
export interface Draft {
  readonly object: StateObject;
  readonly id?: RemoteId;
  readonly parentId?: RemoteId | undefined;
}

/**
 * A set whose members the server moves because another object changes, or a machine to which the
 * server gives another address for that reason.
 */
export interface MovedSet {
  /**
   * Every name of the set, as `<kind> <name>`: its keys before and after the plan, and
   * `id:<value>`.
   */
  readonly names: readonly string[];
  /** The address of the object whose change moves the members. */
  readonly mover: Address;
}

/** A moved set after the move. */
export interface Move {
  readonly mover: Address;
  /** The name of the set's draft. */
  readonly set: string;
  readonly at: Draft;
}

/** The name of the draft for an existing object. */
export const draftName = (kind: string, id: RemoteId): string => `${kind} ${id}`;

/** The name of the draft for an object that the plan creates. */
export const newDraftName = (kind: string, key: string, parent?: string): string =>
  `${kind} new ${parent} ${key}`;

/** The name of the draft for a referenced object. */
export function targetName(kind: string, key: string): string {
  const id = idInKey(key);
  return id === null ? newDraftName(kind, key) : draftName(kind, id);
}

/** A draft with other values of some fields. */
export function withFields(draft: Draft, fields: Fields): Draft {
  const { object } = draft;
  return { ...draft, object: { ...object, fields: { ...object.fields, ...fields } } };
}
