// The undo of one action or one object: the declarations for it, and what cannot be restored.
import { childKey, identityName } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty, unchosen } from '../../kinds/values/canonical.ts';
import type { BeforeImage } from '../../model/journal.ts';
import { idKey } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { CreateAction, UpdateAction } from '../../model/plan.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';

/** A part of the undo. */
export interface UndoPart {
  readonly desired?: Desired;
  /** The same object in the base of the undo: members that only the base has are removed from their sets. */
  readonly base?: Desired;
  /** Sentences on what cannot be restored, or not completely. */
  readonly lost: readonly string[];
}

/** A created object is deleted. */
export function unmade(
  { kind: name, address, fields }: CreateAction,
  made: RemoteId | undefined,
  account: UndoAccount,
): UndoPart {
  if (made === undefined)
    return {
      lost: [
        `${address} may have been created, but its response was lost: look for it in the account`,
      ],
    };
  const kind = account.kind(name);
  if (!account.live(name, made)) return { lost: [] };
  if (!kind.verbs.has('delete'))
    return { lost: [`${address} stays: the API cannot delete a ${kind.noun}`] };
  const lifecycle = { id: made, delete: true };
  return {
    desired: account.declared(kind, idKey(made), { lifecycle }),
    base: account.declared(kind, idKey(made), { fields: sharedIn(kind, fields, account) }),
    lost: [],
  };
}

// The members that the run put into the sets of a new object did not join by themselves.
function sharedIn(kind: Kind, fields: Fields, account: UndoAccount): Fields {
  const own = Object.entries(fields).filter(([name]) => kind.shape.fields.get(name)?.shared);
  return account.inIds(kind, Object.fromEntries(own));
}

/** An updated object gets back the fields that the run wrote; all others stay as they are now. */
export function unchanged(
  action: UpdateAction,
  before: BeforeImage<Fields> | undefined,
  account: UndoAccount,
): UndoPart {
  const { address, remoteId } = action;
  const kind = account.kind(action.kind);
  const live = account.live(action.kind, remoteId);
  if (!before) return { lost: [] };
  if (!live) return { lost: [`${address} was deleted since, and is not created again`] };
  const image = canonicalFields(kind.shape, before.fields, 'live');
  const written = [...new Set([...Object.keys(action.fields), ...Object.keys(action.members)])];
  const lasting = new Map(
    kind.dangers.filter(one => one.lasting).map(({ field, says }) => [field, says]),
  );
  const hidden = written.filter(name => isHidden(kind, name, before, action) || lasting.has(name));
  const fieldsBack = (choose: (name: string, was: Json) => Json | undefined) =>
    Object.fromEntries(
      written.flatMap((name): [string, Json][] => {
        const was = image[name];
        const value = was === undefined ? undefined : choose(name, was);
        return value === undefined || hidden.includes(name) ? [] : [[name, value]];
      }),
    );
  const sets = (name: string, was: Json) =>
    name in action.members ? membersBack(kind, name, was, { action, account }) : undefined;
  const fields = fieldsBack((name, was) => sets(name, was)?.again ?? was);
  const former = fieldsBack((name, was) => {
    const { added = [] } = sets(name, was) ?? {};
    return added.length === 0 ? undefined : added;
  });
  const parent = parentOf(kind, live.parentId, account);
  const key = formerKey(kind, image, live, parent.parent, account);
  account.name(kind.name, remoteId, key);
  const ignore = [...kind.shape.fields.keys()].filter(name => !(name in fields));
  const lifecycle = { id: remoteId, ignore };
  return {
    desired: account.declared(kind, key, { ...parent, fields, lifecycle }),
    base: account.declared(kind, key, { ...parent, fields: former }),
    lost: hidden.map(name => {
      const why = lasting.has(name)
        ? `to write it back is another change: ${lasting.get(name)}`
        : 'because its former value is a secret';
      return `${address}: ${quoted(name)} stays as it is${lasting.has(name) ? '; ' : ', '}${why}`;
    }),
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

interface SetWrite {
  readonly action: UpdateAction;
  readonly account: UndoAccount;
}

/** What an undo does to the members of a set, as `id:<value>`. */
interface MembersBack {
  /** Members that the run removed. */
  readonly again: readonly string[];
  /** Members that the run added. */
  readonly added: readonly string[];
}

// Later changes by others stay, also those until the undo writes the set.
function membersBack(
  kind: Kind,
  name: string,
  image: Json,
  { action, account }: SetWrite,
): MembersBack {
  const items = kind.shape.fields.get(name)?.shape;
  const ref = items?.type === 'list' && items.items.type === 'scalar' ? items.items.ref : undefined;
  const { add = [], remove = [] } = action.members[name] ?? {};
  const ids = (keys: readonly string[]) =>
    new Set(keys.map(key => (ref === undefined ? key : account.idKeyOf(ref, key))));
  const was = texts(image);
  return {
    again: [...ids(remove).intersection(was)].sort(),
    added: [...ids(add).difference(was)].sort(),
  };
}

const texts = (value: Json | undefined): ReadonlySet<string> =>
  new Set(isList(value) ? value.map(String) : []);

function parentOf(
  kind: Kind,
  parentId: RemoteId | undefined,
  account: UndoAccount,
): { readonly parent?: Key } {
  return kind.parent && parentId ? { parent: account.keyOf(kind.parent, parentId) } : {};
}

// The key of its former name; its id if the name is not unique.
function formerKey(
  kind: Kind,
  image: Fields,
  live: Live,
  parent: Key | undefined,
  account: UndoAccount,
): Key {
  const name = identityName(kind, account.inNames(kind, image));
  if (name === null) return idKey(live.id);
  const key = childKey(parent, name);
  return account.isTaken(kind.name, key, live.id) ? idKey(live.id) : key;
}

function isHidden(
  kind: Kind,
  name: string,
  { left_out: left }: BeforeImage<Fields>,
  { fields }: UpdateAction,
): boolean {
  const isWriteOnly = kind.shape.fields.get(name)?.writeOnly === true;
  return isWriteOnly || left.includes(name) || secretsIn(fields[name] ?? null).length > 0;
}
