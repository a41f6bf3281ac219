// Turns the JSON of a request into typed values, as leniently as the server does (docs/server-behaviour.md#json-bodies): missing
// and null values are empty, names match in any case, and only values of the wrong type are refused.
import type { Json } from '../../model/value.ts';
import { malformed } from './refusal.ts';

/** Describes how one value is read. `empty` replaces a missing value. */
export interface Shape<T> {
  readonly empty: T;
  read(value: unknown): T;
  /** The paths of unknown fields of a value, such as `users[0].mail`. `at` is the path of the value itself. */
  strays(value: unknown, at?: string): readonly string[];
}

/** The type that a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never;

/** A text; empty if it is missing. */
export const text: Shape<string> = scalar('', value => typeof value === 'string');

/** A boolean; false if it is missing. */
export const flag: Shape<boolean> = scalar(false, value => typeof value === 'boolean');

/** A whole number; 0 if it is missing. */
export const whole: Shape<number> = scalar(0, value => Number.isSafeInteger(value));

/** Any value. */
export const anything: Shape<Json> = shape<Json>(null, value => value as Json);

/** A list of values of one shape. */
export function list<T>(member: Shape<T>): Shape<readonly T[]> {
  return shape(
    [],
    value => {
      if (!Array.isArray(value)) throw malformed();
      return value.map(member.read);
    },
    (value, at) =>
      Array.isArray(value)
        ? value.flatMap((one, index) => member.strays(one, `${at}[${index}]`))
        : [],
  );
}

/** A map of values of one shape. */
export function map<T>(member: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return shape(
    {},
    value => Object.fromEntries(entriesOf(value).map(([name, one]) => [name, member.read(one)])),
    (value, at) => entriesOf(value).flatMap(([name, one]) => member.strays(one, within(at, name))),
  );
}

/** A value that may be absent; absent and empty are different. */
export function optional<T>(inner: Shape<T>): Shape<T | undefined> {
  return shape<T | undefined>(undefined, inner.read, inner.strays);
}

/** An object whose fields have shapes. Other fields are ignored. */
export function object<F extends object>(
  fields: { readonly [K in keyof F]: Shape<F[K]> },
): Shape<F> {
  const names = Object.keys(fields) as (keyof F & string)[];
  const readAll = (given: ReadonlyMap<string, unknown>): F => {
    const read = names.map(name => [name, fields[name].read(given.get(name))]);
    return Object.fromEntries(read) as F;
  };
  const known = new Map(names.map(name => [name.toLowerCase(), fields[name]]));
  return shape(
    readAll(new Map()),
    value => readAll(byName(value, names)),
    (value, at) => {
      const seen = new Set<string>();
      return entriesOf(value).flatMap(([name, one]) => {
        const field = known.get(name.toLowerCase());
        // A second spelling of the same field counts as unknown too, because only the last spelling has an effect.
        const isNew = !seen.has(name.toLowerCase());
        seen.add(name.toLowerCase());
        if (field === undefined || !isNew) return [within(at, name)];
        return field.strays(one, within(at, name));
      });
    },
  );
}

function shape<T>(
  empty: T,
  read: (value: unknown) => T,
  strays: (value: unknown, at: string) => readonly string[] = () => [],
): Shape<T> {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  return {
    empty,
    read: value => (isGiven(value) ? read(value) : empty),
    strays: (value, at = '') => (isGiven(value) ? strays(value, at) : []),
  };
}

/** The path of a field in a value at `at`. */
function within(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function scalar<T>(empty: T, is: (value: unknown) => boolean): Shape<T> {
  return shape(empty, value => {
    if (!is(value)) throw malformed();
    return value as T;
  });
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return Object.entries(value);
}

/** The given values by the requested names. If several names differ only in case, the last one counts. */
function byName(value: unknown, names: readonly string[]): ReadonlyMap<string, unknown> {
  const given = new Map(entriesOf(value).map(([name, one]) => [name.toLowerCase(), one]));
  return new Map(names.map(name => [name, given.get(name.toLowerCase())]));
}
