// Generated accounts with one object under another name or another parent, and everything that points at it brought along.
import { isInSeveral } from '../../../src/engine/scope/parts.ts';
import { childKey, identityName, namingFields } from '../../../src/kinds/identity/identity.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { canonicalFields } from '../../../src/kinds/values/canonical.ts';
import { mapFieldRefs } from '../../../src/kinds/values/refs.ts';
import { present } from '../../../src/model/errors.ts';
import type { Key } from '../../../src/model/names.ts';
import type { Desired } from '../../../src/model/object.ts';
import { KINDS } from '../../support/files.ts';
import type { Server } from '../../support/servers/servers.ts';
import { isRenamable } from './accounts.ts';
import type { RandomSource } from './randomSource.ts';

const FRESH = 'z z/z';

/** Renames one object that has a name and is not kept in several parts by `lifecycle.was`; null where there is none. */
export function renamed(
  desired: readonly Desired[],
  random: RandomSource,
  { dialect }: Server,
): readonly Desired[] | null {
  const [object] = random.some(
    desired.filter(one => isRenamable(kindOf(one.kind)) && !isInSeveral(one, KINDS, dialect)),
    1,
  );
  if (!object) return null;
  const [part = ''] = namingFields(kindOf(object.kind));
  const fields = { ...object.fields, [part]: FRESH };
  return rekeyed(desired, object, {
    ...object,
    fields,
    lifecycle: { was: String(object.fields[part]) },
  });
}

/** Puts one object under another parent, where its kind can move; null where there is none or no other parent. */
export function movedAway(
  desired: readonly Desired[],
  random: RandomSource,
): readonly Desired[] | null {
  const [object] = random.some(
    desired.filter(({ kind }) => kindOf(kind).parentChangeByDialect),
    1,
  );
  if (!object) return null;
  const isHome = ({ kind, key }: Desired) =>
    kind === kindOf(object.kind).parent && key !== object.parent;
  const [home] = random.some(desired.filter(isHome), 1);
  return home ? rekeyed(desired, object, { ...object, parent: home.key }) : null;
}

const kindOf = (name: Desired['kind']): Kind => present(KINDS.get(name), `the kind ${name}`);

// Kind by kind, referents before referrers: a key changes with the object's own name, its parent's key, or its pointers.
function rekeyed(
  desired: readonly Desired[],
  object: Desired,
  instead: Desired,
): readonly Desired[] {
  const keys = new Map<string, Key>();
  const keyNow = (kind: Desired['kind'], key: string) => keys.get(`${kind} ${key}`) ?? (key as Key);
  return [...KINDS.values()].flatMap(kind =>
    desired
      .filter(one => one.kind === kind.name)
      .map(one => {
        const made = one === object ? instead : one;
        const fields = mapFieldRefs(kind, made.fields, keyNow);
        const parent = kind.parent && made.parent ? keyNow(kind.parent, made.parent) : undefined;
        const name = identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
        const key = childKey(parent, present(name, 'the name of a generated object'));
        keys.set(`${kind.name} ${one.key}`, key);
        return { ...made, key, fields, ...(parent !== undefined && { parent }) };
      }),
  );
}
