// Every way to change a JSON document in one place.
import { isList, isObject, type Json, type JsonObject, type Path } from '../../src/model/value.ts';

/** One change of a document. */
export interface Mutation {
  readonly about: string;
  /** Whether it puts another value in the place of one: such changes can be made one after the other. */
  readonly isOtherValue: boolean;
  readonly of: (document: JsonObject) => JsonObject;
}

/**
 * Changes each scalar, takes out each value, doubles each item of a list and swaps it with the next, and adds a key to each
 * object.
 */
export function* mutations(document: JsonObject): Generator<Mutation> {
  for (const { path, what, change, isOtherValue = false } of edits(document, [])) {
    const about = `${what} at ${path.join('.') || 'the top'}`;
    const of = (whole: JsonObject) => put(whole, path, change) as JsonObject;
    yield { about, isOtherValue, of };
  }
}

/** A change of an object or a list of the document. */
interface Edit {
  readonly path: Path;
  readonly what: string;
  readonly isOtherValue?: boolean;
  readonly change: (inner: Json) => Json;
}

function* edits(value: Json, path: Path): Generator<Edit> {
  if (isList(value)) yield* editsOfList(value, path);
  else if (isObject(value)) yield* editsOfObject(value, path);
}

function* editsOfObject(value: JsonObject, path: Path): Generator<Edit> {
  const names = Object.keys(value);
  const object = (change: (inner: JsonObject) => Json) => (inner: Json) =>
    isObject(inner) ? change(inner) : inner;
  for (const name of names) {
    const without = object(inner =>
      Object.fromEntries(Object.entries(inner).filter(([other]) => other !== name)),
    );
    yield { path, what: `no ${name}`, change: without };
    const member = value[name] ?? null;
    const other = otherScalar(member);
    if (other === undefined) yield* edits(member, [...path, name]);
    else {
      const change = object(inner => ({ ...inner, [name]: other }));
      yield { path, what: `another ${name}`, isOtherValue: true, change };
    }
  }
  for (const [name, added] of [
    ['more', 'more'],
    ['at', PLACE],
  ] as const)
    if (!names.includes(name))
      yield { path, what: `a key ${name}`, change: object(inner => ({ ...inner, [name]: added })) };
}

function* editsOfList(items: readonly Json[], path: Path): Generator<Edit> {
  const list = (change: (inner: readonly Json[]) => Json) => (inner: Json) =>
    isList(inner) ? change(inner) : inner;
  for (const [i, item] of items.entries()) {
    yield { path, what: `no item ${i}`, change: list(inner => inner.toSpliced(i, 1)) };
    yield { path, what: `item ${i} twice`, change: list(inner => inner.toSpliced(i, 0, item)) };
    const next = items[i + 1];
    if (next !== undefined && JSON.stringify(next) !== JSON.stringify(item))
      yield {
        path,
        what: `items ${i} swapped`,
        change: list(inner => inner.toSpliced(i, 2, next, item)),
      };
    const other = otherScalar(item);
    if (other === undefined) yield* edits(item, [...path, String(i)]);
    else {
      const change = list(inner => inner.with(i, other));
      yield { path, what: `another item ${i}`, isOtherValue: true, change };
    }
  }
}

const PLACE: Json = { file: 'elsewhere.yaml', line: 7, column: 7 };

/** Another value of the same form; undefined for what is not a scalar. */
function otherScalar(value: Json): Json | undefined {
  if (value === null) return 'more';
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return undefined;
  const last = value.at(-1) ?? '';
  if (/[0-8]/.test(last)) return `${value.slice(0, -1)}${Number(last) + 1}`;
  if (/[9a-e]/.test(last)) return `${value.slice(0, -1)}${last === 'a' ? 'b' : 'a'}`;
  return `${value}a`;
}

function put(value: Json, [step, ...rest]: Path, change: (inner: Json) => Json): Json {
  if (step === undefined) return change(value);
  const inner = (member: Json | undefined) => put(member ?? null, rest, change);
  if (isList(value)) return value.with(Number(step), inner(value[Number(step)]));
  return isObject(value) ? { ...value, [step]: inner(value[step]) } : value;
}
