// The name of an object before its external values are known. Objects of layers are the same if their names are written in the
// same way.
import { identityName, namingFields } from '../../kinds/identity/identity.ts';
import type { Sections } from '../../kinds/identity/sections.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { isMapping } from '../templates/merge.ts';
import type { Tree } from '../yaml/tree.ts';

/** The name of an object within its parent; null if it has none. */
export function nameOf(kind: Kind, { value, parts }: Tree): string | null {
  if (!isMapping({ value, parts } as Tree)) return null;
  const own = [...(parts ?? [])].filter(([name]) => kind.shape.fields.has(name));
  const fields = mapFieldRefs(
    kind,
    Object.fromEntries(own.map(([name, part]) => [name, part.value])),
    (_, key) => key,
  );
  return identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
}

/**
 * Whether an object only adds to an object that another layer declares: it contains only its name,
 * its children, and members of sets that several layers may extend.
 */
export function isContribution(kind: Kind, { parts }: Tree, inside: Sections): boolean {
  const naming = new Set(namingFields(kind).map(name => name?.split('.')[0]));
  const keys = [...(parts?.keys() ?? [])];
  const isShared = (key: string) => kind.shape.fields.get(key)?.shared === true;
  const mayShare = inside.size > 0 || [...kind.shape.fields.keys()].some(isShared);
  return mayShare && keys.every(key => naming.has(key) || inside.has(key) || isShared(key));
}

/**
 * Whether an object is only the parent of other objects, and another layer declares it: it contains
 * only its name and its children.
 */
export function isOnlyParent(kind: Kind, tree: Tree, inside: Sections): boolean {
  const isShared = (key: string) => kind.shape.fields.get(key)?.shared === true;
  const keys = [...(tree.parts?.keys() ?? [])];
  return inside.size > 0 && isContribution(kind, tree, inside) && !keys.some(isShared);
}
