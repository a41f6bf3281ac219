// The undo of one action or one object: the declarations for it, and what cannot be restored.
import type { Kind } from '../../kinds/kind.ts';
import { excludedFields, isEmpty } from '../../kinds/values/canonical.ts';
import { idKey } from '../../model/key.ts';
import type { Key, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { CreateAction } from '../../model/plan.ts';
import type { Fields, Json } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';

/** A part of the undo. */
export interface UndoPart {
  readonly desired?: Desired;
  /** The same object in the base of the undo: members that only the base has are removed from their sets. */
  readonly base?: Desired;
  /** Sentences about what cannot be restored, or only in part. */
  readonly lost: readonly string[];
  /** A sentence about an object that the run may have created, without proof. */
  readonly unproven?: string;
}

/** The undo of a create: the object is deleted. `isBegun`: the journal shows that its creation was sent. */
export function undoOfCreate(
  { kind: name, key, address, fields }: CreateAction,
  { made, isBegun }: { readonly made: RemoteId | undefined; readonly isBegun: boolean },
  account: UndoAccount,
): UndoPart {
  if (made === undefined) {
    const isThere = isBegun || account.has(name, key);
    const unproven = `${address} may have been created, but its response was lost, and the audit log does not prove it: it stays`;
    return { lost: [], ...(isThere && { unproven }) };
  }
  const kind = account.kind(name);
  if (!account.live(name, made)) return { lost: [] };
  if (!kind.verbs.has('delete'))
    return { lost: [`${address} stays: the API cannot delete a ${kind.noun}`] };
  const lifecycle = { id: made, delete: true };
  return {
    desired: account.declared(kind, idKey(made), { lifecycle }),
    // The object as the run left it: the members that the run put into its sets did not join by themselves, and other differences
    // are a conflict.
    base: account.declared(kind, idKey(made), {
      fields: account.inIds(kind, fields),
      lifecycle: { id: made },
    }),
    lost: [],
  };
}

/** The fields of a live object that can be declared. */
export function declarable(kind: Kind, image: Fields): Fields {
  const silent = excludedFields(kind.shape, image);
  return Object.fromEntries(
    [...kind.shape.fields.values()].flatMap(
      ({ name, required, irreversible }): [string, Json][] => {
        const value = image[name];
        if (value === undefined || silent.has(name) || (irreversible && value === false)) return [];
        return isEmpty(value) && !required ? [] : [[name, value]];
      },
    ),
  );
}

/** The parent of an object, under its name after the undo. */
export function parentOf(
  kind: Kind,
  parentId: RemoteId | undefined,
  account: UndoAccount,
): { readonly parent?: Key } {
  return kind.parent && parentId ? { parent: account.keyOf(kind.parent, parentId) } : {};
}
