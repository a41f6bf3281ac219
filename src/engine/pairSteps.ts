// The steps by which a declared object finds its live one, strongest first. Each gives the live objects it may stand for.
import { childKey, isNameless } from '../kinds/identity.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Key } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { Former } from './baseNames.ts';
import { lastName, type Named, type Unclaimed } from './named.ts';
import { temporaryName } from './temporaryName.ts';
import type { Waiting } from './waiting.ts';

/** One kind while it is paired. */
export interface Scene {
  readonly kind: Kind;
  readonly unclaimed: Unclaimed;
  /** Declared objects without a live one so far. */
  readonly waiting: Pick<Waiting, 'countIn'>;
  /** What the base declared in a parent, by the names that things have now. */
  readonly formerIn: (parent: Key | undefined) => readonly Former[];
}

export type Step = (desired: Desired, scene: Scene) => readonly Named[];

export const byName: Step = ({ key }, { unclaimed }) => unclaimed.called(key);

/** A run that ended between two halves of a swap left the object under its temporary name. */
export const byTemporaryName: Step = ({ key }, { kind, unclaimed }) =>
  kind.unique ? unclaimed.called(temporaryName(key) as Key) : [];

export const byFormerName: Step = ({ parent, lifecycle: { was } }, { unclaimed }) =>
  was === undefined ? [] : unclaimed.called(childKey(parent, was));

/** Where names are unique in the account, one name under another parent is the same object, moved. */
export const byMove: Step = ({ key, lifecycle: { was } }, { kind, unclaimed }) => {
  if (!kind.moves) return [];
  const found = unclaimed.calledAnywhere(lastName(kind, key) ?? '');
  return found.length === 0 && was !== undefined ? unclaimed.calledAnywhere(was) : found;
};

/**
 * A nameless object that changed what names it: sure only if the base declared that very live one, the files no
 * longer do, and nothing else under the parent could be it or could have become it.
 */
export const byLeftover: Step = ({ parent }, { kind, unclaimed, waiting, formerIn }) => {
  if (!isNameless(kind) || waiting.countIn(parent) !== 1) return [];
  const candidates = formerIn(parent).flatMap(({ object }) => unclaimed.called(object.key));
  return candidates.length === 1 ? candidates : [];
};
