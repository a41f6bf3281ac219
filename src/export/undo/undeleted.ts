// The objects that an undo creates again. If other objects have taken their names, those objects do not change.
import { childKey, identityName, isNameUnique } from '../../kinds/identity/identity.ts';
import type { Field, Kind } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../kinds/values/canonical.ts';
import { locksWithoutSecret } from '../../kinds/values/locks.ts';
import type { MemberEnd } from '../../model/ending.ts';
import type { BeforeImage } from '../../model/journal.ts';
import { addressOf, idKey } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';
import { same } from './undoMerge.ts';
import { declarable, parentOf, type UndoPart } from './undoParts.ts';

/** A deleted object. */
export interface DeletedObject {
  readonly kind: Kind;
  readonly address: Address;
  readonly id: RemoteId;
  readonly parentId: RemoteId | undefined;
  readonly before: BeforeImage<Fields> | undefined;
  /** When it would have expired, in RFC 3339; absent if it had no expiry. */
  readonly until?: string | undefined;
  /** The future expiries of members in its restored fields. If absent, there are none. */
  readonly endsIn?: (fields: Fields) => readonly MemberEnd[];
}

/** A deleted object and its declaration, if its known fields are enough for the API. */
export interface Undeleted extends DeletedObject {
  readonly before: BeforeImage<Fields>;
  readonly fields: Fields;
  /** More of what cannot be restored. */
  readonly lost: readonly string[];
}

/** The declaration by which an undo creates a deleted object; nothing if that is impossible, or the object exists again. */
export function undeleted(
  gone: DeletedObject,
  lost: readonly string[],
  account: UndoAccount,
): Undeleted | UndoPart {
  const { kind, address, id, before } = gone;
  if (account.live(kind.name, id)) return { lost: [] };
  const cannot = (why: string): UndoPart => ({ lost: [`${address} cannot be restored: ${why}`] });
  if (!before) return cannot('the journal does not contain its former state');
  if (!kind.verbs.has('create')) return cannot(`the API cannot create a ${kind.noun}`);
  const fields = declarable(kind, canonicalFields(kind.shape, before.fields, 'live'));
  const missing = [...kind.shape.fields.values()].filter(
    field => field.required && !field.readOnly && !isKnown(field, fields, before),
  );
  const secrets = missing.filter(
    ({ name, writeOnly }) => writeOnly || before.left_out.includes(name),
  );
  const unread = missing.filter(field => !secrets.includes(field));
  if (unread.length > 0)
    return cannot(`${unread.map(({ name }) => quoted(name)).join(', ')} cannot be read back`);
  const [lock] = locksWithoutSecret(kind.shape, fields);
  const needed = neededSecrets(secrets, lock)[0];
  if (needed !== undefined)
    return cannot(
      `${needed} that only the files know: declare it again with that secret, and apply`,
    );
  const named = canonicalFields(kind.shape, fields, 'desired');
  if (identityName(kind, named) === null) return cannot('it had no name');
  return { ...gone, before, fields, lost };
}

// Sentences about the required secrets. Without one of them, a created object would differ from the deleted one.
const neededSecrets = (
  fields: readonly Field[],
  lock: ReturnType<typeof locksWithoutSecret>[number] | undefined,
): readonly string[] => [
  ...fields.map(({ name, writeOnly }) =>
    writeOnly ? `its ${quoted(name)} is a secret` : `its ${quoted(name)} has a secret`,
  ),
  ...(lock ? [`its ${quoted(pathName([...lock.path, lock.opens]))} is a secret`] : []),
];

// The server does not return a secret, and an object without a required one would be another object.
const isKnown = (
  { name, writeOnly }: Field,
  fields: Fields,
  { left_out }: BeforeImage<Fields>,
): boolean =>
  fields[name] !== undefined && !left_out.includes(name) && !(writeOnly && isEmpty(fields[name]));

/** The object under the key that it got; nothing if it exists again. */
export function createdAgain(gone: Undeleted, account: UndoAccount): UndoPart {
  const { kind, id, parentId, before, fields, lost, until } = gone;
  const there = account.thereAs(kind.name, id);
  const key = there === undefined ? account.keyOf(kind.name, id) : nameOf(gone, account);
  const address = calledByName(gone, key);
  if (there !== undefined)
    return {
      lost: [`${address} is not created again: the account has an equal one, ${idKey(there)}`],
    };
  const others = account.ofKind(kind.name).filter(live => account.runDid(live) !== 'created');
  if (kind.cardinality !== 'collection' && others.length > 0)
    return { lost: [`${address} cannot be restored: the account has another ${kind.noun} by now`] };
  const other = [
    `a different id (was ${nameText(id)})`,
    ...(kind.oneTimeSecret === undefined ? [] : [`another ${quoted(kind.oneTimeSecret)}`]),
    ...before.left_out.map(left => `no ${quoted(left)}`),
  ];
  const parent = parentOf(kind, parentId, account);
  const ends = gone.endsIn?.(fields) ?? [];
  return {
    desired: account.declared(kind, key, {
      ...parent,
      fields,
      isNew: true,
      ...(ends.length > 0 && { ends }),
      ...(until !== undefined && { lifecycle: { until } }),
    }),
    lost: [
      `${address} is restored with ${other.join(', ')}`,
      ...(until === undefined ? [] : [endKept(address, until)]),
      ...lost,
    ],
  };
}

// A sentence about an expiry that the files no longer declare, so that only the base or a journal records it.
const endKept = (address: Address, until: string): string =>
  `${address} has the end ${until}, which only the recorded base of the folder keeps, or without one the journal of this undo: declare it again with that end if the journals of this machine are removed`;

// The address for people: if the plan identified the object by its id, because its name was not unique, the name is used instead.
const calledByName = ({ kind, address, id }: DeletedObject, key: Key): Address =>
  address === addressOf(kind.name, idKey(id)) ? addressOf(kind.name, key) : address;

/**
 * Gives deleted objects their keys after the undo: their names, with a number if several would have the same. Live objects that
 * have these names by now are keyed by their ids. A live object with the same name and content counts as created by an earlier
 * undo.
 */
export function nameAgain(all: readonly Undeleted[], account: UndoAccount): void {
  const ofKind = Map.groupBy(all, ({ kind }) => kind);
  const ordered = [...account.kinds.values()].flatMap(kind => ofKind.get(kind) ?? []);
  // An object may refer to one of a later kind.
  for (const gone of ordered) account.name(gone.kind.name, gone.id, nameOf(gone, account));
  for (const [kind, own] of Map.groupBy(ordered, one => one.kind))
    nameKind(kind, own, ordered, account);
}

function nameKind(
  kind: Kind,
  own: readonly Undeleted[],
  all: readonly Undeleted[],
  account: UndoAccount,
): void {
  const twins = new Map<Live, Undeleted>();
  const others = own.filter(gone => {
    const twin = account
      .ofKind(kind.name)
      .find(live => !twins.has(live) && isTwin(gone, live, all, account));
    if (twin) twins.set(twin, gone);
    return twin === undefined;
  });
  const taken = new Set(
    account
      .ofKind(kind.name)
      .flatMap(live =>
        account.runDid(live) === 'updated' ? account.keyOf(kind.name, live.id) : [],
      ),
  );
  for (const gone of others) {
    const key = freeKey(nameOf(gone, account), taken);
    taken.add(key);
    account.name(kind.name, gone.id, key);
  }
  for (const live of account.ofKind(kind.name)) {
    const key = account.keyOf(kind.name, live.id);
    const isNamesake = taken.has(key) && account.runDid(live) !== 'updated' && !isNameUnique(kind);
    if (isNamesake) account.name(kind.name, live.id, idKey(live.id));
    const gone = twins.get(live);
    if (gone) account.name(kind.name, gone.id, account.keyOf(kind.name, live.id));
    if (gone) account.noteThere(kind.name, gone.id, live.id);
  }
}

// Its name in its parent, under the names after the undo.
function nameOf({ kind, parentId, fields }: Undeleted, account: UndoAccount): Key {
  const { parent } = parentOf(kind, parentId, account);
  const named = canonicalFields(kind.shape, account.afterwards(kind, fields), 'desired');
  return childKey(parent, identityName(kind, named) ?? '');
}

// Whether a live object replaces the deleted one: it was created after the run, in the same parent, with the same content.
function isTwin(
  gone: Undeleted,
  live: Live,
  all: readonly Undeleted[],
  account: UndoAccount,
): boolean {
  const placeOf = (id: RemoteId | undefined) => parentOf(gone.kind, id, account).parent;
  const isBeside = placeOf(gone.parentId) === placeOf(live.parentId);
  const isSince = !account.wasBefore(live) && account.runDid(live) === undefined;
  return isBeside && isSince && isAlike(gone, live, all, account);
}

function isAlike(
  gone: Undeleted,
  live: Live,
  all: readonly Undeleted[],
  account: UndoAccount,
): boolean {
  const { kind, id, before } = gone;
  const fieldsOf = (fields: Fields) =>
    canonicalFields(kind.shape, account.afterwards(kind, fields), 'live');
  const then = fieldsOf(before.fields);
  const now = fieldsOf(live.idFields);
  if (!Object.entries(then).every(([name, value]) => same(value, now[name]))) return false;
  // Otherwise the objects nested in the deleted one would be restored in an object that the run did not touch.
  const inside = all.filter(one => one.kind.parent === kind.name && one.parentId === id);
  return inside.every(child =>
    account
      .ofKind(child.kind.name)
      .some(one => one.parentId === live.id && isAlike(child, one, all, account)),
  );
}

// The number is that of the first free key.
function freeKey(key: Key, taken: ReadonlySet<Key>): Key {
  let free = key;
  for (let number = 2; taken.has(free); number += 1) free = `${key}#${number}` as Key;
  return free;
}
