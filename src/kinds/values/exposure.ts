// The callers outside the account that an object admits, and its targets: the state of its locks, and which locks became weaker.
import equal from 'fast-deep-equal/es6/index.js';
import { type Fields, isList, isObject, type Json, listOf } from '../../model/value.ts';
import type { Exposes, Shape } from '../kind.ts';
import { masked, parsePrefix } from './ip.ts';
import { itemKey, keyFields } from './items.ts';
import { areWholeInternet, coverTogether } from './wholeInternet.ts';

type Lock = Exposes['locks'][number];

/** What an object opens to callers outside the account, and its locks. */
export interface Exposure {
  /** The items to which the object forwards callers; empty if the object is disabled. */
  readonly to: readonly Json[];
  readonly isInside: boolean;
  /** The keys that open the object, by the path of each. */
  readonly keys: ReadonlyMap<string, Key>;
  /** The other locks, each with its value. */
  readonly limits: readonly { readonly lock: Lock; readonly value: Json | undefined }[];
}

interface Key {
  /** The parties that the key admits; empty if it admits everybody who has the key. */
  readonly admitted: readonly Json[];
  /** The path of the list of these parties. */
  readonly listedAt: string | undefined;
}

/** The fields that decide the exposure of an object. */
export const exposureFields = ({ locks, to, while: flags }: Exposes): readonly string[] => [
  ...new Set([...flags, to, ...locks.map(({ at }) => at.split('.')[0] ?? at)]),
];

/** The exposure of an object with these fields. */
export function exposureOf({ locks, to, while: flags }: Exposes, shape: Shape, fields: Fields) {
  const found = (path: string) => valuesAt(shape, fields, path.split('.'));
  const isOn = (one: Json) => isObject(one) && flags.every(flag => one[flag] !== false);
  const listed = fields[to];
  const of = (is: Lock['is']) => locks.filter(lock => lock.is === is);
  const exposure: Exposure = {
    to: isOn(fields) && isList(listed) ? listed.filter(isOn) : [],
    isInside: of('inside').some(({ at }) => found(at).some(({ value }) => value === true)),
    keys: new Map(
      of('any-of').flatMap(({ at, admits }) =>
        found(at)
          .filter(({ value }) => value === true)
          .map(({ path }) => {
            const admitted = admits === undefined ? [] : listOf(found(admits)[0]?.value);
            return [path, { admitted, listedAt: admits }];
          }),
      ),
    ),
    limits: locks
      .filter(({ is }) => is !== 'inside' && is !== 'any-of')
      .map(lock => ({ lock, value: found(lock.at)[0]?.value })),
  };
  return exposure;
}

/** Whether callers outside the account can reach anything. */
export const isReached = ({ to, isInside, limits }: Exposure): boolean => {
  const listed = (is: Lock['is']) =>
    limits.flatMap(({ lock, value }) => (lock.is === is ? listOf(value).map(String) : []));
  return to.length > 0 && !isInside && !admitNobody(listed('only'), listed('except'));
};

/**
 * Whether no caller is admitted, because the blocked networks cover all allowed networks. If the allowed entries contain no
 * network, but for example countries, the whole internet must be blocked.
 */
export function admitNobody(allowed: readonly string[], blocked: readonly string[]): boolean {
  const networks = allowed.filter(one => parsePrefix(one) !== null);
  return coverTogether(blocked, networks.length === 0 ? EVERYWHERE : networks);
}

/** Whether everybody outside the account can call the object. */
export const isOpen = (one: Exposure): boolean =>
  isReached(one) && one.keys.size === 0 && !one.limits.some(isLimiting);

/** The paths of the locks that exclude fewer callers than before, for an object that outside callers can reach. */
export function weakerLocks(from: Exposure, to: Exposure): readonly string[] {
  return [
    ...(from.keys.size === 0 ? [] : weakerKeys(from.keys, to.keys)),
    ...from.limits.flatMap(({ lock, value }, at) =>
      isWeaker(lock, value, to.limits[at]?.value) ? [lock.at] : [],
    ),
  ];
}

// The keys that became weaker. Any single key opens the object: an additional key admits more callers, and a removed key matters
// only if it was the last.
function weakerKeys(from: Exposure['keys'], to: Exposure['keys']): readonly string[] {
  if (to.size === 0) return [...from.keys()];
  return [...to].flatMap(([path, { admitted, listedAt = path }]) => {
    const before = from.get(path);
    if (before === undefined) return [path];
    return admitsMore(before.admitted, admitted) ? [listedAt] : [];
  });
}

function isWeaker({ is, in: values = [] }: Lock, from?: Json, to?: Json): boolean {
  if (is === 'only') return admitsMore(listOf(from), listOf(to));
  if (is === 'except') return listOf(from).some(one => !isCovered(one, listOf(to)));
  return isAmong(from, values) && !isAmong(to, values);
}

/** Whether a list of admitted callers admits more than another list; an empty list admits everybody. */
export const admitsMore = (from: readonly Json[], to: readonly Json[]): boolean =>
  from.length > 0 && (to.length === 0 ? EVERYWHERE : to).some(one => !isCovered(one, from));

// The networks that a list without entries admits.
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

// Whether a lock restricts callers. A list of admitted callers does, unless it covers the whole internet. A lock that only
// excludes some callers does not: it admits nearly everybody.
function isLimiting({ lock, value }: Exposure['limits'][number]): boolean {
  const listed = listOf(value);
  return lock.is === 'only' && listed.length > 0 && !areWholeInternet(listed.map(String));
}

const isAmong = (value: Json | undefined, values: readonly string[]): boolean =>
  typeof value === 'string' && values.includes(value);

/** Whether a list contains an entry, or a network around the entry. */
export const isCovered = (one: Json, list: readonly Json[]): boolean =>
  list.some(other => equal(one, other) || isWithin(one, other));

// Whether a network is within another network. A network that only several networks together cover does not count, so such a
// change counts as weaker.
function isWithin(one: Json, other: Json): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const inner = parsePrefix(one);
  const outer = parsePrefix(other);
  if (!inner || inner.version !== outer?.version || inner.length < outer.length) return false;
  return masked({ ...inner, length: outer.length }).address === masked(outer).address;
}

interface Found {
  readonly path: string;
  readonly value: Json | undefined;
}

// The values at a path, each with its own path. For a list, these are the values of all items, with the key of each item in the
// path.
function valuesAt(
  shape: Shape | undefined,
  value: Json | undefined,
  path: readonly string[],
): readonly Found[] {
  const [step, ...rest] = path;
  if (step === undefined) return [{ path: '', value }];
  if (isList(value)) {
    const by = keyFields(shape);
    const items = shape?.type === 'list' ? shape.items : undefined;
    return value.flatMap((item, at) =>
      valuesAt(items, item, path).map(found => ({
        ...found,
        path: `${by ? itemKey(item, by) : at}.${found.path}`,
      })),
    );
  }
  if (!isObject(value)) return [];
  const inner = shape?.type === 'object' ? shape.fields.get(step)?.shape : undefined;
  return valuesAt(inner, value[step], rest).map(found => ({
    ...found,
    path: found.path === '' ? step : `${step}.${found.path}`,
  }));
}
