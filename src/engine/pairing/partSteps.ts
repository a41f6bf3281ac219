// The steps by which the parts of a declared object find their live ones where the server has the object in another form:
// whole where the files want it in parts, in parts where they want it whole.
import { partName } from '../../kinds/identity/parts.ts';
import type { Kind, Parts } from '../../kinds/kind.ts';
import type { Key } from '../../model/names.ts';
import type { Desired, Live, Part } from '../../model/object.ts';
import { liveItems } from '../scope/droppedParts.ts';
import type { Named } from './named.ts';
import type { Scene, Step } from './step.ts';

/** Whether a declared object is one of several parts. */
export const isPart = ({ key, part }: Desired): boolean => part !== undefined && key !== part.whole;

/** Of these, those that can be what is declared: for a part, those that hold its item. */
export function fitting(desired: Desired, found: readonly Named[], kind: Kind): readonly Named[] {
  if (!isPart(desired)) return found;
  return found.filter(({ live }) => holdsPart(desired, live, kind));
}

/** Whether a live object holds the item of a part. */
export const holdsPart = ({ part }: Desired, live: Live, kind: Kind): boolean =>
  part !== undefined && liveItems(kind, live).items.includes(part.item);

/** The object in the other form, under the name that its declaration has. */
export const inOtherForm: Step = (desired, scene) => {
  const { part } = desired;
  return part ? otherForm(desired, part, part.whole, scene) : [];
};

/** The same under the name that it had before. */
export const inFormerForm: Step = (desired, scene) => {
  const { part } = desired;
  return part?.formerWhole === undefined ? [] : otherForm(desired, part, part.formerWhole, scene);
};

function otherForm(
  desired: Desired,
  { item }: Part,
  whole: string,
  { kind, unclaimed }: Scene,
): readonly Named[] {
  if (!kind.parts) return [];
  const name = isPart(desired) ? whole : partName(kind.parts, whole, item);
  return unclaimed.called(name as Key).filter(({ live }) => {
    const { items } = liveItems(kind, live);
    return items.includes(item) && (isPart(desired) || items.length === 1);
  });
}

/**
 * What is left of the object in its other form although the item that it holds is no longer declared: it becomes the first
 * part that is not there.
 */
export const byWhole: Step = (desired, { unclaimed }) => {
  const { part } = desired;
  if (part === undefined || !isPart(desired)) return [];
  const names = [part.whole, ...(part.formerWhole === undefined ? [] : [part.formerWhole])];
  return names.map(name => unclaimed.called(name as Key)).find(found => found.length > 0) ?? [];
};

/** A part whose live object somebody gave another item: its name proves it where the base declared that name. */
export const byFormerPart: Step = (desired, { unclaimed, isFormer }) =>
  isPart(desired) && isFormer(desired.key) ? unclaimed.called(desired.key) : [];

/**
 * A part whose item got another name: sure only where one declared part is not there, and one live part that the base
 * declared is no longer declared.
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
