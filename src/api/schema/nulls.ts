// A body as the server reads it. A field that is null counts as absent.
import { isList, isObject, type Json } from '../../model/value.ts';

/** The body without fields that are null, at any depth. */
export function withoutNulls(body: Json): Json {
  if (isList(body)) return body.map(withoutNulls);
  if (!isObject(body)) return body;
  const fields = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutNulls(value)]));
}
