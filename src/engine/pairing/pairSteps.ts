// The steps that find the live object of a declared object, strongest first. Each returns candidates.
import { formerKeys, formerName, formerParentAndName } from '../../kinds/identity/formerKeys.ts';
import { childKey, isNameless } from '../../kinds/identity/identity.ts';
import { addressOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import { exactKey, lastName, type Named } from './named.ts';
import { fitting } from './partSteps.ts';
import type { PairingStage, Step } from './step.ts';
import { temporaryName } from './temporaryName.ts';

export const byName: Step = (desired, { kind, unclaimed }) =>
  fitting(desired, unclaimed.withExact(exactKey(kind, desired)), kind);

/** An object that somebody renamed in the account, as the base and the audit log know. */
export const byMeaning: Step = ({ kind, key }, { unclaimed, meant }) => {
  const id = meant?.get(addressOf(kind, key));
  const found = id ? unclaimed.withId(id) : undefined;
  return found ? [found] : [];
};

/** The same by its former name, which somebody has changed in the account since. */
export const byFormerMeaning: Step = ({ kind: name, parent, lifecycle }, stage) => {
  const { kind, unclaimed, meant } = stage;
  if (lifecycle.was === undefined || meant === undefined) return [];
  return formerKeys(kind, parent, lifecycle.was).flatMap(key => {
    const id = meant.get(addressOf(name, key));
    return (id && unclaimed.withId(id)) ?? [];
  });
};

/** An interrupted run left the object under its temporary name, between two halves of a swap. */
export const byTemporaryName: Step = ({ key }, { kind, unclaimed }) =>
  kind.unique ? unclaimed.called(temporaryName(key) as Key) : [];

/** By `was`: a former name in the same parent or, if the kind moves, `parent/name`. */
export const byFormerName: Step = (desired, stage) => {
  const { parent, lifecycle } = desired;
  const { was } = lifecycle;
  if (was === undefined) return [];
  const named = stage.unclaimed.called(childKey(parent, formerName(stage.kind, was)));
  const found = fitting(desired, named, stage.kind);
  return found.length > 0 ? found : inFormerParent(was, stage);
};

// The parent has the name in the files, or the name that it still has in the account.
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
 * An object that moved without `was`: certain only if the base declared it in the parent where the account still has
 * it, and the files no longer do. The name alone proves nothing: somebody else may have created an object of that name.
 */
export const byMove: Step = ({ key, parent, lifecycle: { was } }, { kind, unclaimed, former }) => {
  if (!kind.parentChangeByDialect) return [];
  const names = new Set([lastName(kind, key), was && formerName(kind, was)]);
  return former
    .filter(({ object }) => object.parent !== parent && names.has(lastName(kind, object.key)))
    .flatMap(({ object }) => unclaimed.called(object.key));
};

/** An object of the same unique name in another parent, when the files follow the account: in an export. */
export const byFollowing: Step = ({ key }, { kind, unclaimed, followsMoves }) =>
  kind.parentChangeByDialect && followsMoves
    ? unclaimed.calledAnywhere(lastName(kind, key) ?? '')
    : [];

/**
 * A nameless object whose identifying fields changed: certain only if the base declared that live object, the files no
 * longer do, and no other object under the parent could be it.
 */
export const byLeftover: Step = ({ parent }, { kind, unclaimed, waiting, formerIn, meant }) => {
  if (!isNameless(kind) || waiting.countIn(parent) !== 1) return [];
  const candidates = formerIn(parent).flatMap(({ object, written }) => {
    // Somebody may have changed it in the account too.
    const id = meant?.get(addressOf(kind.name, written));
    return id ? (unclaimed.withId(id) ?? []) : unclaimed.withExact(exactKey(kind, object));
  });
  return candidates.length === 1 ? candidates : [];
};
