// The former names in `lifecycle.was`.
import { keyOf, segmentsOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Kind } from '../kind.ts';
import { canonicalFields } from '../values/canonical.ts';
import { childKey, identityName, namingFields } from './identity.ts';

/** The parent and the name in `was`, if `was` is `parent/name` and objects of the kind can change their parent. */
export function formerParentAndName(
  kind: Kind,
  was: string,
): { readonly parent: string; readonly name: string } | null {
  const [parent, name] = (kind.parentChangeByDialect && segmentsOf(was, kind.depth)) ?? [];
  return parent === undefined || name === undefined
    ? null
    : { parent, name: formerName(kind, name) };
}

/** A former name in the form in which names of the kind are compared. */
export function formerName(kind: Kind, was: string): string {
  const [part = '', ...more] = namingFields(kind);
  if (more.length > 0 || kind.shape.fields.get(part)?.shape.type !== 'scalar') return was;
  return identityName(kind, canonicalFields(kind.shape, { [part]: was }, 'desired')) ?? was;
}

/** The possible former keys of an object: its former name under its current parent, or under the parent in `was`. */
export function formerKeys(kind: Kind, parent: Key | undefined, was: string): readonly Key[] {
  const former = formerParentAndName(kind, was);
  const elsewhere = former ? [keyOf([former.parent, former.name])] : [];
  return [childKey(parent, formerName(kind, was)), ...elsewhere];
}
