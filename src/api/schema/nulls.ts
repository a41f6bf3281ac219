// What a body says to the server, which takes a field that is null for one that is not there.
import { isList, isObject, type Json } from '../../model/value.ts';

/** The body without fields that are null, those inside others included. */
export function withoutNulls(body: Json): Json {
  if (isList(body)) return body.map(withoutNulls);
  if (!isObject(body)) return body;
  const fields = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutNulls(value)]));
}
