// The undo of a field with locks in it. Everything but the secrets is restored, such as the groups that may sign in, and which
// locks are on. Nobody knows the former secrets: a lock that the run opened stays open, and a lock whose secret the run replaced
// keeps the new one.
import type { Exposes, Kind, Shape } from '../../kinds/kind.ts';
import { exposureOf } from '../../kinds/values/exposure.ts';
import { itemKey, keyedPath, keyFields, valueAt } from '../../kinds/values/items.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { type Sides, type Undone, undone } from './undoMerge.ts';

/** The value of the undo, and what it does not restore, as predicates of sentences about the object. */
export interface UndoneLocks extends Undone {
  readonly lost: readonly string[];
}

/** Undoes the change of a field with locks. */
export function undoneLocks(kind: Kind, name: string, sides: Sides): UndoneLocks {
  const shape = kind.shape.fields.get(name)?.shape;
  const [before, after, now] = [sides.before, sides.after, sides.now].map(side =>
    withoutSecrets(shape, side),
  );
  const { value, base, isConflict } = undone(shape, { before, after, now });
  const exposes = kind.exposes;
  const off = exposes ? withAddedOff(exposes, name, value, now) : value;
  const lost: string[] = [];
  const able = withoutLost(shape, off, now, [name], lost);
  const held = exposes ? withLastKeys(kind, name, { before, value: able, now }, lost) : able;
  return {
    value: held,
    base,
    isConflict,
    lost: [...lost, ...replacedSecrets(shape, name, { ...sides, before, now: held })],
  };
}

type Value = Json | undefined;

function withoutSecrets(shape: Shape | undefined, value: Value): Value {
  if (shape?.type === 'list' && isList(value))
    return value.map(item => withoutSecrets(shape.items, item) ?? item);
  if (shape?.type !== 'object' || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, Json][] => {
      const field = shape.fields.get(name);
      const open = field?.writeOnly ? undefined : withoutSecrets(field?.shape, part);
      return open === undefined ? [] : [[name, open]];
    }),
  );
}

// The server keeps a part that is not sent, so a key that the run added must be switched off.
function withAddedOff({ locks }: Exposes, name: string, value: Value, now: Value): Value {
  if (!isObject(now) || (value !== undefined && !isObject(value))) return value;
  const off = locks.flatMap(({ at, is }): [string, Json][] => {
    const [field, part, flag] = at.split('.');
    if (is !== 'any-of' || field !== name || part === undefined || flag === undefined) return [];
    const own = now[part];
    if (own === undefined || value?.[part] !== undefined) return [];
    return [[part, isList(own) ? [] : { [flag]: false }]];
  });
  return off.length === 0 ? value : { ...value, ...Object.fromEntries(off) };
}

// Leaves out a lock that is open now, because it cannot be closed without its secret.
function withoutLost(
  shape: Shape | undefined,
  value: Value,
  now: Value,
  path: Path,
  lost: string[],
): Value {
  if (shape?.type === 'list' && isList(value)) {
    const by = keyFields(shape) ?? [];
    return value.flatMap(item => {
      const key = itemKey(item, by);
      const own = isList(now) ? now.find(one => itemKey(one, by) === key) : undefined;
      return withoutLost(shape.items, item, own, [...path, key], lost) ?? [];
    });
  }
  if (shape?.type !== 'object' || !isObject(value)) return value;
  const { lock } = shape;
  const isClosed = isObject(now) && lock !== undefined && now[lock.while] === true;
  if (lock && value[lock.while] === true && !isClosed) {
    lost.push(
      `${quoted(pathName(path))} is not switched on again, because its ${quoted(lock.opens)} is a secret`,
    );
    return now;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, Json][] => {
      const own = isObject(now) ? now[name] : undefined;
      const kept = withoutLost(shape.fields.get(name)?.shape, part, own, [...path, name], lost);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

// If a key is lost, the other keys that the run added may be the only remaining lock: they stay.
function withLastKeys(
  { exposes, shape }: Kind,
  name: string,
  { before, value, now }: { readonly before: Value; readonly value: Value; readonly now: Value },
  lost: string[],
): Value {
  const keysIn = (one: Value): number =>
    exposes && one !== undefined ? exposureOf(exposes, shape, { [name]: one }).keys.size : 0;
  if (keysIn(before) === 0 || keysIn(value) > 0 || !isObject(now)) return value;
  const last = Object.entries(now).filter(([part, own]) => keysIn({ [part]: own }) > 0);
  for (const [part] of last)
    lost.push(
      `${quoted(pathName([name, part]))} stays as it is: without it, everybody could get in`,
    );
  return { ...(isObject(value) && value), ...Object.fromEntries(last) };
}

// The replaced secrets of locks that were closed before the run and are closed after the undo.
function replacedSecrets(
  shape: Shape | undefined,
  name: string,
  { before, after, now }: Sides,
): string[] {
  return secretsIn(after ?? null).flatMap(({ path }) => {
    const keyed = keyedPath(shape, after, path);
    const home = keyed.slice(0, -1);
    const at = shape && shapeAt(shape, home);
    const lock = at?.type === 'object' ? at.lock : undefined;
    const isClosed = (side: Value) => {
      const own = valueAt(shape, side, home);
      return isObject(own) && (lock === undefined || own[lock.while] === true);
    };
    return isClosed(before) && isClosed(now)
      ? [
          `${quoted(pathName([name, ...keyed]))} stays as it is, because its former value is a secret`,
        ]
      : [];
  });
}
