// The steps that find the live objects of parts if the account has the object in the other form:
// whole although the declaration has parts, or in parts although the declaration is whole.
import { partName } from '../../kinds/identity/parts.ts';
import type { Kind, Parts } from '../../kinds/kind.ts';
import type { Key } from '../../model/names.ts';
import type { Desired, Live, Part } from '../../model/object.ts';
import { liveItems } from '../scope/droppedParts.ts';
import { isPart } from '../scope/parts.ts';
import type { Named } from './namedObjects.ts';
import type { PairingStage, Step } from './step.ts';

/**
 * The candidates that can be the declared object. For a part, only candidates that contain its
 * item.
 */
export function fitting(desired: Desired, found: readonly Named[], kind: Kind): readonly Named[] {
  if (!isPart(desired)) return found;
  return found.filter(({ live }) => holdsPart(desired, live, kind));
}

/** Whether a live object contains the item of a part. */
export const holdsPart = ({ part }: Desired, live: Live, kind: Kind): boolean =>
  part !== undefined && liveItems(kind, live).items.includes(part.item);

/** Finds the object, in the other form, by its declared name. */
export const inOtherForm: Step = (desired, stage) => {
  const { part } = desired;
  return part ? otherForm(desired, part, part.whole, stage) : [];
};

/** Finds the object, in the other form, by its former name. */
export const inFormerForm: Step = (desired, stage) => {
  const { part } = desired;
  return part?.formerWhole === undefined ? [] : otherForm(desired, part, part.formerWhole, stage);
};

function otherForm(
  desired: Desired,
  { item }: Part,
  whole: string,
  { kind, unclaimed }: PairingStage,
): readonly Named[] {
  if (!kind.parts) return [];
  const name = isPart(desired) ? whole : partName(kind.parts, whole, item);
  return unclaimed.called(name as Key).filter(({ live }) => {
    const { items } = liveItems(kind, live);
    return items.includes(item) && (isPart(desired) || items.length === 1);
  });
}

/**
 * Finds the live object that is still whole, although the files now declare parts. It becomes the first part that the account
 * does not have.
 */
export const byWhole: Step = (desired, { unclaimed }) => {
  const { part } = desired;
  if (part === undefined || !isPart(desired)) return [];
  const names = [part.whole, ...(part.formerWhole === undefined ? [] : [part.formerWhole])];
  return names.map(name => unclaimed.called(name as Key)).find(found => found.length > 0) ?? [];
};

/**
 * Finds a part whose live object now has a different item. The name proves the match if the base
 * declared that name.
 */
export const byFormerPart: Step = (desired, { unclaimed, isFormer }) =>
  isPart(desired) && isFormer(desired.key) ? unclaimed.called(desired.key) : [];

/**
 * Finds a part whose item was renamed. This is certain only if exactly one declared part is absent, and exactly one live part
 * from the base is undeclared.
 */
export const byLastPart: Step = ({ part }, { kind, unclaimed, waiting, formerParts }) => {
  if (part === undefined || !kind.parts || waiting.countOf(part.whole) !== 1) return [];
  const names = new Set([part.whole, ...(part.formerWhole ? [part.formerWhole as Key] : [])]);
  const left = [...names]
    .flatMap(formerParts)
    .flatMap(({ object }) => object.part ?? [])
    .flatMap(({ whole, item }) =>
      unclaimed.called(nameOf(kind.parts, whole, item)).filter(holding(kind, item)),
    );
  return left.length === 1 ? left : [];
};

const nameOf = (parts: Parts | undefined, whole: string, item: string): Key =>
  (parts ? partName(parts, whole, item) : whole) as Key;

const holding =
  (kind: Kind, item: string) =>
  ({ live }: Named): boolean => {
    const { items } = liveItems(kind, live);
    return items.length === 1 && items[0] === item;
  };
