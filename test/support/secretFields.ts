// The fields that take a secret, as the schemas of the kinds say, and those in which objects have one.
import type { Shape } from '../../src/kinds/kind.ts';
import type { Desired } from '../../src/model/object.ts';
import { isSecret } from '../../src/model/secrets/secret.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { KINDS } from './files.ts';

/** Each field that files can write a secret in, as `kind: field.field`, with `*` for every item of a list and every key of a map. */
export const secretFields = (): ReadonlySet<string> =>
  new Set(
    [...KINDS.values()].flatMap(({ name, shape }) =>
      placesIn(shape).map(place => `${name}: ${place.join('.')}`),
    ),
  );

/** The fields of these objects in which a secret is. */
export const secretFieldsOf = (objects: readonly Desired[]): ReadonlySet<string> =>
  new Set(
    objects.flatMap(({ kind, fields }) =>
      placesOf(fields, KINDS.get(kind)?.shape).map(place => `${kind}: ${place.join('.')}`),
    ),
  );

type Place = readonly string[];

const below = (name: string, places: readonly Place[]): Place[] =>
  places.map(place => [name, ...place]);

function placesIn(shape: Shape): readonly Place[] {
  switch (shape.type) {
    case 'scalar':
      return shape.secret || shape.masked || shape.shownAs === 'host' ? [[]] : [];
    case 'list':
      return below('*', placesIn(shape.items));
    case 'dict':
      return below('*', placesIn(shape.values));
    case 'object':
      return [...shape.fields.values()]
        .filter(({ readOnly }) => !readOnly)
        .flatMap(field => below(field.name, placesIn(field.shape)));
    default:
      return [];
  }
}

function placesOf(value: Json, shape: Shape | undefined): readonly Place[] {
  if (isSecret(value)) return [[]];
  if (isList(value))
    return value.flatMap(item =>
      below('*', placesOf(item, shape?.type === 'list' ? shape.items : undefined)),
    );
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    if (shape?.type === 'dict') return below('*', placesOf(item, shape.values));
    const field = shape?.type === 'object' ? shape.fields.get(name)?.shape : undefined;
    return below(name, placesOf(item, field));
  });
}
