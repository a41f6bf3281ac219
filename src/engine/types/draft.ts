// An action before it is ordered, with its effects on other objects.
import type { Change } from '../../model/change.ts';
import type { ActionId, Address, Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Action } from '../../model/plan.ts';
import type { Fields } from '../../model/value.ts';

/**
 * A unique constraint as a string. Only one object of an account can hold the constrained value at
 * a time.
 */
export type UniqueConstraint = string;

/** An action, and everything that determines its place in the order. */
export interface Draft {
  readonly action: Action;
  readonly change: Change;
  /** The live object; absent for a create. */
  readonly live?: Live;
  /** The first step of a two-step change. */
  readonly firstHalf?: ActionId;
  /** All objects to which it refers before or after the change; in a shared set, only the added and removed members. */
  readonly allTargets: ReadonlySet<Address>;
  /** Objects to which it starts to refer, including its parent, and objects whose id changes. */
  readonly newTargets: ReadonlySet<Address>;
  /** Objects to which it no longer refers after the change. */
  readonly lostTargets: ReadonlySet<Address>;
  /** Objects that no longer exist afterwards. */
  readonly removes: ReadonlySet<Address>;
  /** Objects whose members the server moves because of this action. */
  readonly moves: ReadonlySet<Address>;
  /** Values that no other object may have when the action starts. */
  readonly neededValues: ReadonlySet<UniqueConstraint>;
  /** Values that other objects could take before the action but cannot take afterwards. */
  readonly newlyHeldValues: ReadonlySet<UniqueConstraint>;
  /** Values that other objects may take afterwards. */
  readonly freedValues: ReadonlySet<UniqueConstraint>;
  /** The fields of the object after the action; null if the action deletes it. */
  readonly outcome: { readonly fields: Fields; readonly parent: Key | undefined } | null;
}
