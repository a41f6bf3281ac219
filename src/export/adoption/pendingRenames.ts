// Declared objects that the account has under their former names, because no apply has carried out the rename in the files yet.
// An export keeps the new name: taking over the former one would revert the change of the files.
import { isPart } from '../../engine/scope/parts.ts';
import type { Pair } from '../../engine/types/pairing.ts';
import { formerName, formerParentAndName } from '../../kinds/identity/formerKeys.ts';
import {
  identityName,
  isNameless,
  namingFields,
  sharesNames,
} from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs, refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Exported, ExportModel } from '../model.ts';

/** The objects that the files rename, and the names that follow from the renames. */
export interface PendingRenames {
  /** The declarations, by the kinds and ids of the live objects. */
  readonly declared: ReadonlyMap<string, Desired>;
  /** The declared keys of these objects and of the objects nested in them, by the address in the account. */
  readonly keys: ReadonlyMap<Address, Key>;
}

/** The renames that have not been applied. Parents come before their children in `pairs`. */
export function pendingRenames(pairs: readonly Pair[], kinds: KindTable): PendingRenames {
  const declared = new Map<string, Desired>();
  const keys = new Map<Address, Key>();
  const moved = new Set<string>();
  for (const { desired, live } of pairs) {
    const kind = kinds.get(live.kind);
    if (!kind || isPart(desired) || isNameless(kind) || sharesNames(kind)) continue;
    const isPending = isPendingRename(kind, desired, live);
    if (isPending) declared.set(`${live.kind} ${live.id}`, desired);
    if (!isPending && !moved.has(`${kind.parent} ${live.parentId}`)) continue;
    moved.add(`${live.kind} ${live.id}`);
    keys.set(addressOf(live.kind, live.key), desired.key);
  }
  return { declared, keys };
}

function isPendingRename(kind: Kind, { fields, lifecycle }: Desired, live: Live): boolean {
  const { was } = lifecycle;
  if (was === undefined) return false;
  const name = identityName(kind, canonicalFields(kind.shape, live.fields, 'live'));
  if (name === identityName(kind, canonicalFields(kind.shape, fields, 'desired'))) return false;
  return name === formerName(kind, was) || name === formerParentAndName(kind, was)?.name;
}

/** The model with the declared names of these objects, also in references. */
export function withPendingNames(
  { objects, ...model }: ExportModel,
  pending: PendingRenames,
): ExportModel {
  if (pending.keys.size === 0) return { objects, ...model };
  return { ...model, objects: objects.map(object => asDeclared(object, pending)) };
}

function asDeclared(object: Exported, pending: PendingRenames): Exported {
  const { kind, id, children, joined } = object;
  const own = pending.declared.get(`${kind.name} ${id}`);
  const naming = namingFields(kind).flatMap(name => {
    const value = name === undefined ? undefined : own?.fields[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const name = own && identityName(kind, canonicalFields(kind.shape, own.fields, 'desired'));
  return {
    ...object,
    ...(typeof name === 'string' && { name }),
    fields: { ...withKeys(object, pending.keys), ...Object.fromEntries(naming) },
    children: children.map(child => asDeclared(child, pending)),
    ...(joined && { joined: joined.map(part => asDeclared(part, pending)) }),
  };
}

function withKeys({ kind, fields }: Exported, keys: ReadonlyMap<Address, Key>): Exported['fields'] {
  const isNamed = refsIn(kind.shape, fields).some(ref =>
    keys.has(addressOf(ref.kind, ref.key as Key)),
  );
  if (!isNamed) return fields;
  return mapFieldRefs(kind, fields, (other, key) => keys.get(addressOf(other, key as Key)) ?? key);
}
