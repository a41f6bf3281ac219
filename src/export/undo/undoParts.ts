// The undo of one action or one object: the declarations for it, and what cannot be restored.
import { childKey, identityName } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty, unchosen } from '../../kinds/values/canonical.ts';
import type { BeforeImage } from '../../model/journal.ts';
import { idKey } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { CreateAction } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { Fields, Json } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';

/** A part of the undo. */
export interface UndoPart {
  readonly desired?: Desired;
  /** The same object in the base of the undo: members that only the base has are removed from their sets. */
  readonly base?: Desired;
  /** Sentences on what cannot be restored, or not completely. */
  readonly lost: readonly string[];
  /** A sentence on what the run may have created, and nothing proves it. */
  readonly unproven?: string;
}

/** A created object is deleted. `isBegun`: the journal shows that its creation was sent. */
export function unmade(
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
    // As the run left it: the members that it put into its sets did not join by themselves, and other differences are a conflict.
    base: account.declared(kind, idKey(made), {
      fields: account.inIds(kind, fields),
      lifecycle: { id: made },
    }),
    lost: [],
  };
}

/** A deleted object. */
export interface DeletedObject {
  readonly kind: Kind;
  readonly address: Address;
  readonly id: RemoteId;
  readonly parentId: RemoteId | undefined;
  readonly before: BeforeImage<Fields> | undefined;
}

/** A deleted object is created again, if its known fields are enough for the API. */
export function undeleted(gone: DeletedObject, account: UndoAccount): UndoPart {
  const { kind, address, id, parentId, before } = gone;
  if (account.live(kind.name, id)) return { lost: [] };
  const cannot = (why: string): UndoPart => ({ lost: [`${address} cannot be restored: ${why}`] });
  if (!before) return cannot('the journal does not contain its former state');
  if (!kind.verbs.has('create')) return cannot(`the API cannot create a ${kind.noun}`);
  const fields = declarable(kind, canonicalFields(kind.shape, before.fields, 'live'));
  const missing = [...kind.shape.fields.values()].flatMap(({ name, required, readOnly }) =>
    required && !readOnly && fields[name] === undefined ? [quoted(name)] : [],
  );
  if (missing.length > 0) return cannot(`${missing.join(', ')} cannot be read back`);
  const name = identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
  if (name === null) return cannot('it had no name');
  const parent = parentOf(kind, parentId, account);
  const key = childKey(parent.parent, name);
  account.name(kind.name, id, key);
  const other = [
    `a different id (was ${nameText(id)})`,
    ...(kind.oneTimeSecret === undefined ? [] : [`another ${quoted(kind.oneTimeSecret)}`]),
    ...before.left_out.map(left => `no ${quoted(left)}`),
  ];
  return {
    desired: account.declared(kind, key, { ...parent, fields }),
    lost: [`${address} is restored with ${other.join(', ')}`],
  };
}

// The fields of its declaration.
function declarable(kind: Kind, image: Fields): Fields {
  const silent = unchosen(kind.shape, image);
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
