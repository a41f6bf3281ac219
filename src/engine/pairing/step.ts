// What a step of pairing sees, and what it answers.
import type { Kind } from '../../kinds/kind.ts';
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Naming } from '../types/naming.ts';
import type { Former } from './baseNames.ts';
import type { Named, Unclaimed } from './named.ts';
import type { Waiting } from './unmatched.ts';

/** One kind while it is paired. */
export interface Scene {
  readonly kind: Kind;
  readonly unclaimed: Unclaimed;
  /** Declared objects without a live one so far. */
  readonly waiting: Pick<Waiting, 'countIn' | 'countOf'>;
  /** What the base declared, by the names that things have now. */
  readonly former: readonly Former[];
  readonly formerIn: (parent: Key | undefined) => readonly Former[];
  /** The parts of what the base declared under a name. */
  readonly formerParts: (whole: Key) => readonly Former[];
  /** Whether the base declared an object, or a part of one, under a name. */
  readonly isFormer: (key: Key) => boolean;
  readonly naming: Naming;
  /** Whether one name under another parent is the same object, moved. */
  readonly followsMoves: boolean;
}

/** The live objects that a declared object may stand for; none where this step finds none. */
export type Step = (desired: Desired, scene: Scene) => readonly Named[];
