// Members that a folder declared in a set of which another folder declares the rest: without its own declaration, they leave the set.
import { namingFields } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import { addressOf } from '../model/key.ts';
import type { Desired } from '../model/object.ts';
import type { OtherFolder } from '../model/otherFolder.ts';
import { type Fields, isList } from '../model/value.ts';

/** What is left of such declarations of the base: the sets, without members. */
export function releasedMembers(
  base: readonly Desired[],
  {
    desired,
    others,
  }: { readonly desired: readonly Desired[]; readonly others: readonly OtherFolder[] },
  kinds: KindTable,
): readonly Desired[] {
  if (others.length === 0) return [];
  const addressed = (objects: readonly Desired[]) =>
    new Set(objects.map(({ kind, key }) => addressOf(kind, key)));
  const declared = addressed(desired);
  const elsewhere = addressed(others.flatMap(({ files, base: former }) => [...files, ...former]));
  return base.flatMap(object => {
    const address = addressOf(object.kind, object.key);
    if (declared.has(address) || !elsewhere.has(address)) return [];
    const fields = emptied(object, kinds);
    return fields ? [{ ...object, fields, lifecycle: {} }] : [];
  });
}

// Its name, and its shared sets without members; null if it declared no members.
function emptied({ kind: name, fields }: Desired, kinds: KindTable): Fields | null {
  const kind = kinds.get(name);
  if (kind === undefined) return null;
  const shared = [...kind.shape.fields.values()].filter(field => {
    const members = fields[field.name];
    return field.shared && isList(members) && members.length > 0;
  });
  if (shared.length === 0) return null;
  const naming = Object.entries(fields).filter(([field]) => namingFields(kind).includes(field));
  return Object.fromEntries([...naming, ...shared.map(field => [field.name, []] as const)]);
}
