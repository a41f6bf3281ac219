// An action before it is ordered: what it does to the objects around it.
import type { Change } from '../../model/change.ts';
import type { ActionId, Address, Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action } from '../../model/plan.ts';
import type { Fields } from '../../model/value.ts';

/** A unique constraint as text: only one object of an account satisfies it at a time. */
export type UniqueConstraint = string;

/** An action and the objects that decide its place in the order. */
export interface Draft {
  readonly action: Action;
  readonly change: Change;
  /** What is there before it; not there for a create. */
  readonly live?: Live;
  /** The first half of what is done in two steps. */
  readonly follows?: ActionId;
  /** Every object it points at before or after; of a shared set, only the members that come or go. */
  readonly touches: ReadonlySet<Address>;
  /** Objects it begins to point at, its parent among them, and those it points at anew under another id. */
  readonly gains: ReadonlySet<Address>;
  /** Objects it no longer points at once it is done. */
  readonly loses: ReadonlySet<Address>;
  /** Objects that are gone once it is done. */
  readonly removes: ReadonlySet<Address>;
  /** Objects of which the server moves members by itself once it is done. */
  readonly moves: ReadonlySet<Address>;
  /** What nobody else may hold when it starts, and others might. */
  readonly takes: ReadonlySet<UniqueConstraint>;
  /** What others cannot take once it is done, and could before. */
  readonly holds: ReadonlySet<UniqueConstraint>;
  /** What others may take once it is done. */
  readonly leaves: ReadonlySet<UniqueConstraint>;
  /** What the object will be; null where it will not be. */
  readonly outcome: { readonly fields: Fields; readonly parent: Key | undefined } | null;
}
