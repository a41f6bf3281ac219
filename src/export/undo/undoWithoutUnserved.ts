// The undo of a run without the objects that the server would now reject, because the object that must serve them is gone or does
// not serve them. Everything else is undone.
import { servingFaults, servingKinds } from '../../engine/checks/servingObjects.ts';
import type { StateObject } from '../../engine/types/accountState.ts';
import type { ObjectChange } from '../../engine/types/objectChange.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import type { FieldChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type KindName, remoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { addAll } from '../../model/text/longLists.ts';
import type { Fields } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';
import { same } from './undoMerge.ts';

/** The declarations of an undo that the server accepts, the others, and sentences about them. */
export interface ServedUndo {
  readonly desired: readonly Desired[];
  readonly left: ReadonlySet<Address>;
  readonly lost: readonly string[];
}

/** The undo without these objects. `unread` are the kinds that could not be read: whether their objects serve is not known. */
export function undoWithoutUnserved(
  desired: readonly Desired[],
  unread: ReadonlySet<KindName>,
  account: UndoAccount,
): ServedUndo {
  const lost: string[] = [];
  let rest = desired;
  for (;;) {
    // An object that cannot be restored does not serve others either.
    const unserved = unservedIn(rest, unread, account);
    const left = new Set(unserved.map(({ object }) => object));
    const replaced = rest.filter(object => isInPlaceOf(object, left, account));
    addAll(
      lost,
      unserved.map(({ why }) => why),
    );
    addAll(
      lost,
      replaced.map(
        object =>
          `${addressNow(object, account)} stays: the object that it replaced is not restored`,
      ),
    );
    if (left.size === 0) {
      const kept = new Set(rest);
      const others = desired.filter(object => !kept.has(object));
      return { desired: rest, left: new Set(others.map(addressed)), lost };
    }
    rest = rest.filter(object => !left.has(object) && !replaced.includes(object));
  }
}

const addressed = ({ kind, key }: Desired): Address => addressOf(kind, key);

// The objects that the server would refuse, each with the reason and what becomes of it.
function unservedIn(
  desired: readonly Desired[],
  unread: ReadonlySet<KindName>,
  account: UndoAccount,
): readonly { readonly object: Desired; readonly why: string }[] {
  const served = desired.filter(
    ({ kind, lifecycle }) =>
      lifecycle.delete !== true && servingKinds(account.kind(kind)).length > 0,
  );
  if (served.length === 0) return [];
  const after = { objects: objectsAfter(desired, account), unread };
  const context = { kind: (name: KindName) => account.kind(name) };
  return served.flatMap(object => {
    const change = changeBy(object, account);
    const [fault] = servingFaults({ changes: [change], after, context });
    if (fault === undefined) return [];
    const fate = change.live ? 'it stays as it is' : 'it is not restored';
    return [{ object, why: `${fault.message}; ${fate}` }];
  });
}

// Whether the undo would delete an object whose name belonged to an object that the undo cannot restore.
function isInPlaceOf(object: Desired, left: ReadonlySet<Desired>, account: UndoAccount): boolean {
  if (object.lifecycle.delete !== true) return false;
  const address = addressNow(object, account);
  return [...left].some(({ kind, key, isNew }) => isNew && addressOf(kind, key) === address);
}

function addressNow(object: Desired, account: UndoAccount): Address {
  const live = liveOf(object, account);
  return addressOf(object.kind, live ? account.shownKey(live) : object.key);
}

const liveOf = ({ kind, lifecycle: { id } }: Desired, account: UndoAccount): Live | undefined =>
  id === undefined ? undefined : account.live(kind, remoteId(id));

// The objects of the account after the undo, by address.
function objectsAfter(
  desired: readonly Desired[],
  account: UndoAccount,
): ReadonlyMap<Address, StateObject> {
  const gone = new Set(
    desired.flatMap(object =>
      object.lifecycle.delete === true ? (liveOf(object, account) ?? []) : [],
    ),
  );
  const objects = new Map<Address, StateObject>();
  for (const live of account.all())
    if (!gone.has(live)) {
      const { kind, fields } = live;
      objects.set(addressOf(kind, account.shownKey(live)), { kind, fields, live });
    }
  for (const object of desired) {
    if (object.lifecycle.delete === true) continue;
    const live = liveOf(object, account);
    const fields = { ...live?.fields, ...fieldsOf(object, account) };
    const address = addressOf(object.kind, object.key);
    objects.set(address, { kind: object.kind, fields, ...(live && { live }) });
  }
  return objects;
}

function changeBy(object: Desired, account: UndoAccount): ObjectChange {
  const live = liveOf(object, account);
  const after = fieldsOf(object, account);
  const { kind, key } = object;
  const fields = Object.entries(after).flatMap(([name, value]): FieldChange[] =>
    live && same(value, live.fields[name]) ? [] : [{ type: 'value', path: [name], after: value }],
  );
  const type = live ? 'update' : 'create';
  const change = {
    address: addressOf(kind, key),
    kind,
    key,
    type,
    after,
    fields,
    notes: [],
  } as const;
  return { change, ...(live && { live }) };
}

// The fields as the account would show them. An update has only the fields that it restores.
function fieldsOf(object: Desired, account: UndoAccount): Fields {
  const kind = account.kind(object.kind);
  const named = account.afterwards(kind, object.fields);
  const fields = canonicalFields(kind.shape, named, 'desired');
  if (liveOf(object, account) === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in named));
}
