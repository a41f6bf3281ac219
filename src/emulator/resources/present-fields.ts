// Fields that are stored only if the request contains them.
import type { Json } from '../../model/value.ts';
import { object, optional, type Shape } from '../request/body.ts';

type Fields = Readonly<Record<string, Json>>;

/** Fields of given shapes, without missing or null ones. */
export function presentFields(fields: Readonly<Record<string, Shape<Json>>>): Shape<Fields> {
  const shapes = Object.entries(fields).map(([name, shape]) => [name, optional(shape)] as const);
  const all = object(Object.fromEntries(shapes));
  return { empty: {}, read: value => present(all.read(value)), strays: all.strays };
}

function present(fields: Readonly<Record<string, Json | undefined>>): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}
