// Locks that a plan closes. The server stores a lock without a secret, which nobody can open, and shows no secret.
import type { ObjectShape, Shape } from '../../kinds/kind.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { hasLocks } from '../../kinds/values/locks.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { declaredFields } from '../pairing/planContext.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Errors for declared locks that close, and whose secret is not declared. */
export function closingLocks(
  { pairs, creates }: Pick<Pairing, 'pairs' | 'creates'>,
  context: PlanContext,
): Diagnostic[] {
  const all = [
    ...pairs.map(({ desired, live }) => ({ desired, held: context.fieldsOf(live) })),
    ...creates.map(desired => ({ desired, held: {} })),
  ];
  return all.flatMap(({ desired, held }) => {
    const { shape } = context.kind(desired.kind);
    if (!hasLocks(shape)) return [];
    const owned = declaredFields(desired, context);
    return openedBy(shape, owned, held, []).map(lack => faultOf(desired, lack));
  });
}

interface Lack {
  readonly path: Path;
  readonly opens: string;
}

function faultOf(desired: Desired, { path, opens }: Lack): Diagnostic {
  const name = quoted(pathName(path));
  return {
    code: 'SECRET_UNDEFINED',
    severity: 'error',
    message: `${name} of ${addressOf(desired.kind, desired.key)} is not enabled in the account, and the files declare no ${quoted(opens)} for it: nobody could use it`,
    at: desired.spans[pointer(path.slice(0, 2))] ?? desired.at,
    hint: `declare its ${quoted(opens)}, such as \${env:NAME}`,
  };
}

// The locks in a value that close, and whose secrets it does not have.
function openedBy(
  shape: Shape,
  value: Json | undefined,
  held: Json | undefined,
  path: Path,
): Lack[] {
  if (shape.type === 'list' && isList(value)) {
    const by = keyFields(shape) ?? [];
    const known = isList(held) ? held : [];
    return value.flatMap(item => {
      const key = itemKey(item, by);
      const own = known.find(one => itemKey(one, by) === key);
      return openedBy(shape.items, item, own, [...path, key]);
    });
  }
  if (shape.type !== 'object' || !isObject(value)) return [];
  return [
    ...lackIn(shape, value, held, path),
    ...[...shape.fields.values()].flatMap(({ name, shape: inner }) =>
      openedBy(inner, value[name], isObject(held) ? held[name] : undefined, [...path, name]),
    ),
  ];
}

function lackIn({ lock }: ObjectShape, value: Fields, held: Json | undefined, path: Path): Lack[] {
  if (!lock || value[lock.while] !== true || value[lock.opens] !== undefined) return [];
  return isObject(held) && held[lock.while] === true ? [] : [{ path, opens: lock.opens }];
}
