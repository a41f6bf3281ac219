// In what shape an answer differs from the recorded one: keys, types, null or absent, empty or not. Values are not compared.
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';

/** What recorded text stands for here: the values of saved names. */
export type Names = ReadonlyMap<string, string>;

/** How the shape of an answer differs from the recorded one, in sentences. */
export function shapeDifferences(
  there: Json,
  here: Json,
  names: Names,
  at = '',
): readonly string[] {
  if (kindOf(there) !== kindOf(here))
    return [`${at || 'body'}: ${kindOf(there)} there, ${kindOf(here)} here`];
  if (isObject(there) && isObject(here)) return ofObjects(there, here, names, at);
  if (isList(there) && isList(here)) return ofLists(there, here, names, at);
  return [];
}

/** Of an object whose names are ids only the members are compared that have the same name here. */
function ofObjects(there: JsonObject, here: JsonObject, names: Names, at: string) {
  const isById = Object.keys(there).some(name => /^(\$\w+|<\w+>)$/.test(name));
  const missing = Object.keys(there).filter(name => !isById && !(name in here));
  const added = Object.keys(here).filter(name => !isById && !(name in there));
  const both = Object.entries(there).flatMap(([name, value]) => {
    const own = here[named(name, names)];
    return own === undefined ? [] : shapeDifferences(value, own, names, `${at}.${name}`);
  });
  return [
    ...missing.map(name => `${at}.${name}: missing here`),
    ...added.map(name => `${at}.${name}: only here`),
    ...both,
  ];
}

/**
 * Members with an id that both have are compared with each other, since most lists have no order. Where no member can be
 * told apart, the first ones are compared.
 */
function ofLists(there: readonly Json[], here: readonly Json[], names: Names, at: string) {
  if ((there.length === 0) !== (here.length === 0))
    return [`${at || 'body'}: ${there.length} there, ${here.length} here`];
  // Of several with one id, the first is compared with the first.
  const byId = Map.groupBy(here, idOf);
  const pairs = there.flatMap(member => {
    const id = idOf(member);
    const own = id.startsWith('$') ? byId.get(named(id, names))?.shift() : undefined;
    return own === undefined ? [] : [[member, own] as const];
  });
  const first = there[0];
  const own = here[0];
  const compared =
    pairs.length > 0 || first === undefined || own === undefined ? pairs : [[first, own] as const];
  return [
    ...new Set(compared.flatMap(([one, other]) => shapeDifferences(one, other, names, `${at}[]`))),
  ];
}

function idOf(member: Json): string {
  return isObject(member) && typeof member.id === 'string' ? member.id : '';
}

function named(text: string, names: Names): string {
  return (text.startsWith('$') && names.get(text.slice(1))) || text;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return isList(value) ? 'list' : typeof value;
}
