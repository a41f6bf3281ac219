// The inputs and the result of a pairing step.
import type { Kind } from '../../kinds/kind.ts';
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Naming } from '../types/naming.ts';
import type { Meant } from '../types/pairing.ts';
import type { BaseObject } from './currentKeys.ts';
import type { Named, Unclaimed } from './namedObjects.ts';
import type { UnmatchedObjects } from './unmatched.ts';

/** One kind, while its objects are paired. */
export interface PairingStage {
  readonly kind: Kind;
  readonly unclaimed: Unclaimed;
  /** Declared objects that have no live object yet. */
  readonly waiting: Pick<UnmatchedObjects, 'all' | 'countIn' | 'countOf'>;
  /** The objects of the base, with current names. */
  readonly former: readonly BaseObject[];
  readonly formerIn: (parent: Key | undefined) => readonly BaseObject[];
  /** The parts of an object of the base, by the name of the object. */
  readonly formerParts: (whole: Key) => readonly BaseObject[];
  /** Whether the base declared an object, or a part of an object, under a name. */
  readonly isFormer: (key: Key) => boolean;
  readonly naming: Naming;
  readonly meant: Meant | undefined;
  /** Whether an object with the same name under another parent counts as the same object. */
  readonly followsMoves: boolean;
}

/** The candidates for a declared object; empty if this step finds none. */
export type Step = (desired: Desired, stage: PairingStage) => readonly Named[];
