// Checks whether the server stored the sent values. Its response is compared like any live object
// (docs/design.md#canonical-comparison).
import { diffFields, isCompared } from '../../../engine/diff/diff.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { canonicalFields } from '../../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../../kinds/values/refs.ts';
import { idKey } from '../../../model/key.ts';
import type { Action } from '../../../model/plan.ts';
import type { UnstoredValue } from '../../../model/recordedBase.ts';
import { secretsIn } from '../../../model/secrets/secret.ts';
import type { Fields, JsonObject } from '../../../model/value.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import type { RunNames } from './runNames.ts';

/**
 * The names of the fields in which `body` differs from `fields`, in the order of the kind.
 * `removed`: by field, members of shared sets that must not be in `body`. Other members of such a
 * set do not matter.
 */
export function fieldsNotStored(
  kind: Kind,
  { fields, removed }: { readonly fields: Fields; readonly removed: Fields },
  body: JsonObject,
  names: RunNames,
): string[] {
  const inIds = mapFieldRefs(kind, fields, (ref, key) => idKey(names.idOf(ref, key)));
  const desired = canonicalFields(kind.shape, inIds, 'desired');
  const declared = Object.fromEntries(Object.entries(desired).filter(([name]) => name in fields));
  const live = canonicalFields(kind.shape, decodeFields(kind.shape, body, byId), 'live');
  const changes = diffFields(kind.shape, declared, live, {
    written: fields,
    ignore: new Set(),
    exact: new Set(),
    base: removed,
  });
  return [...new Set(changes.map(({ path }) => path[0] ?? ''))];
}

/**
 * Whether a read can verify all of `fields`. It cannot verify secrets or fields that no read
 * returns.
 */
export function isVisible(kind: Kind, fields: Fields): boolean {
  return Object.entries(fields).every(([name, value]) => {
    const field = kind.shape.fields.get(name);
    return field !== undefined && isCompared(field) && secretsIn(value).length === 0;
  });
}

/**
 * The declared values that a server did not store, if the server may be one that never stores them.
 * Undefined if all servers store all values of the kind that they accept.
 */
export function unstoredValues(
  action: Action,
  lost: readonly string[],
  body: JsonObject,
  kind: Kind,
): readonly UnstoredValue[] | undefined {
  if (!kind.storesPartly || action.verb !== 'update') return undefined;
  const live = canonicalFields(kind.shape, decodeFields(kind.shape, body, byId), 'live');
  return lost.map(field => ({
    kind: kind.name,
    key: action.key,
    id: action.remoteId,
    field,
    declared: action.fields[field] ?? null,
    kept: live[field] ?? null,
  }));
}
