// Which declarations an export binds by the id of their object, because their name does not lead to it.
import { sharesNames } from '../kinds/identity/identity.ts';
import type { IdOf } from '../model/compared.ts';
import { addressOf, idInKey } from '../model/key.ts';
import type { Desired, Live } from '../model/object.ts';
import { type Exported, everyObject } from './model.ts';

/** Live objects as `kind id`. */
export type Bound = ReadonlySet<string>;

/** An object of a model as a member of `Bound`. */
export const boundAs = ({ kind, id }: Pick<Exported, 'kind' | 'id'>): string =>
  `${kind.name} ${id}`;

/** The exported objects whose names in `desired` mean another object, or none, to the plan of `idOf`. */
export function misnamed(
  objects: readonly Exported[],
  {
    desired,
    live,
    idOf,
  }: {
    readonly desired: readonly Desired[];
    readonly live: readonly Live[];
    readonly idOf: IdOf;
  },
): Bound {
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const byName = new Set(
    desired
      .filter(({ lifecycle, isProvided }) => lifecycle.id === undefined && isProvided !== true)
      .map(({ kind, key }) => addressOf(kind, key)),
  );
  const isMisnamed = (object: Exported): boolean => {
    const { kind, id, joined } = object;
    const key = keys.get(boundAs(object));
    if (joined || key === undefined || idInKey(key) !== null || sharesNames(kind)) return false;
    return byName.has(addressOf(kind.name, key)) && idOf(kind.name, key) !== id;
  };
  return new Set(everyObject(objects).filter(isMisnamed).map(boundAs));
}

/** The objects, of which these are declared with their ids. */
export function withIds(objects: readonly Exported[], bound: Bound): readonly Exported[] {
  return objects.map(object => ({
    ...object,
    isBound: object.isBound || bound.has(boundAs(object)),
    children: withIds(object.children, bound),
  }));
}
