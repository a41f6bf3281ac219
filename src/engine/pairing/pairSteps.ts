// The steps that find the live object of a declared object, the most reliable first. Each step returns candidates.
import { formerKeys, formerName, formerParentAndName } from '../../kinds/identity/formerKeys.ts';
import { childKey, isNameless } from '../../kinds/identity/identity.ts';
import { addressOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import { exactKey, lastName, type Named } from './namedObjects.ts';
import { fitting } from './partSteps.ts';
import type { PairingStage, Step } from './step.ts';
import { temporaryName } from './temporaryName.ts';

/** Finds the objects with the declared name. */
export const byName: Step = (desired, { kind, unclaimed }) =>
  fitting(desired, unclaimed.withExact(exactKey(kind, desired)), kind);

/** Finds an object that somebody renamed in the account, according to the base and the audit log. */
export const byMeaning: Step = ({ kind, key }, { unclaimed, meant }) => {
  const id = meant?.get(addressOf(kind, key));
  const found = id ? unclaimed.withId(id) : undefined;
  return found ? [found] : [];
};

/** Finds an object by its former name in the files, even if somebody renamed it in the account. */
export const byFormerMeaning: Step = ({ kind: name, parent, lifecycle }, stage) => {
  const { kind, unclaimed, meant } = stage;
  if (lifecycle.was === undefined || meant === undefined) return [];
  return formerKeys(kind, parent, lifecycle.was).flatMap(key => {
    const id = meant.get(addressOf(name, key));
    return (id && unclaimed.withId(id)) ?? [];
  });
};

/** Finds an object under its temporary name, after a run stopped between the two steps of a name swap. */
export const byTemporaryName: Step = ({ key }, { kind, unclaimed }) =>
  kind.unique ? unclaimed.called(temporaryName(key) as Key) : [];

/**
 * Finds an object by `was`: a former name in the same parent or, if objects of the kind can move,
 * `parent/name`.
 */
export const byFormerName: Step = (desired, stage) => {
  const { parent, lifecycle } = desired;
  const { was } = lifecycle;
  if (was === undefined) return [];
  const named = stage.unclaimed.called(childKey(parent, formerName(stage.kind, was)));
  const found = fitting(desired, named, stage.kind);
  return found.length > 0 ? found : inFormerParent(was, stage);
};

// The objects with a former name under a parent. The parent is found by its name in the files, or
// by the name that it still has in the account.
function inFormerParent(was: string, { kind, unclaimed, naming }: PairingStage): readonly Named[] {
  const former = formerParentAndName(kind, was);
  const { parent: home } = kind;
  if (!former || home === undefined) return [];
  return unclaimed.calledAnywhere(former.name).filter(({ live: { parentId } }) => {
    if (parentId === undefined) return false;
    const names = [naming.keyOfId(home, parentId), naming.formerKeyOfId(home, parentId)];
    return names.some(name => name === former.parent);
  });
}

/**
 * Finds an object that moved without `was`. This is certain only if the base declared the object
 * under the parent that it still has in the account, and the files no longer declare it there. The
 * name alone proves nothing, because somebody else may have created an object with that name.
 */
export const byMove: Step = ({ key, parent, lifecycle: { was } }, { kind, unclaimed, former }) => {
  if (!kind.parentChangeByDialect) return [];
  const names = new Set([lastName(kind, key), was && formerName(kind, was)]);
  return former
    .filter(({ object }) => object.parent !== parent && names.has(lastName(kind, object.key)))
    .flatMap(({ object }) => unclaimed.called(object.key));
};

/** Finds an object with the same unique name in another parent, if the files follow the account, as in an export. */
export const byFollowing: Step = ({ key }, { kind, unclaimed, followsMoves }) =>
  kind.parentChangeByDialect && followsMoves
    ? unclaimed.calledAnywhere(lastName(kind, key) ?? '')
    : [];

/**
 * Finds a nameless object whose identifying fields changed. This is certain only if the base
 * declared that live object, the files no longer declare it, and no other object under the parent
 * could be the declared object.
 */
export const byLeftover: Step = ({ parent }, { kind, unclaimed, waiting, formerIn, meant }) => {
  if (!isNameless(kind) || waiting.countIn(parent) !== 1) return [];
  const candidates = formerIn(parent).flatMap(({ object, written }) => {
    // An object whose id is known is found even if both the account and the files changed its
    // identifying fields.
    const id = meant?.get(addressOf(kind.name, written));
    return id ? (unclaimed.withId(id) ?? []) : unclaimed.withExact(exactKey(kind, object));
  });
  return candidates.length === 1 ? candidates : [];
};
