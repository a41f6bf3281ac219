// Turns pairs, creates and deletes into changes.
import type { Kind } from '../../kinds/kind.ts';
import type { Change, FieldChange, Since } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { renewal } from '../pairing/expiry.ts';
import { declaredFields, ownedFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { endedChange, endNote } from './endedOtherwise.ts';
import { fieldChanges, losesItem } from './fieldChanges.ts';
import { formerKey, formerParent, isElsewhere } from './location.ts';
import { renamedSecrets } from './renamedSecrets.ts';
import { rotation, secretRenewal } from './rotation.ts';
import { isSharedSet } from './setChanges.ts';

/** The change that creates an object. Fields in `lifecycle.ignore` are sent too, because a new object needs initial values. */
export function createChange(
  desired: Desired,
  context: PlanContext,
  notes: readonly string[] = [],
): ObjectChange {
  const after = declaredFields(desired, context);
  const fields = Object.entries(after).map(
    ([name, value]): FieldChange => ({
      type: 'value',
      path: [name],
      after: value,
      ...(desired.fields[name] === undefined && { byDefault: true }),
    }),
  );
  const former = context.base.get(addressOf(desired.kind, desired.key));
  const since = sinceOf(context, former !== undefined && former.lifecycle.delete !== true);
  const change: Change = {
    ...named(desired, context),
    type: 'create',
    after,
    fields,
    ...since,
    notes,
  };
  return { desired, change };
}

/** The change that makes a live object equal to its declaration; null if they are equal already. */
export function pairChange(pair: Pair, context: PlanContext): ObjectChange | null {
  const { desired } = pair;
  const kind = context.kind(desired.kind);
  const fields = fieldChanges(pair, context);
  const isMoved = isElsewhere(kind, pair, context);
  const isReplaced =
    fields.some(change => change.replaces) ||
    losesItem(kind, fields, context.dialect) ||
    (isMoved && (kind.parentChangeByDialect?.[context.dialect] ?? 'replace') === 'replace');
  const why = renewal(pair, context) ?? rotation(pair, context);
  if (why !== null) {
    const renews = isReplaced || isMoved ? null : secretRenewal(desired, kind);
    if (renews === null) return withNotes(updateChange(pair, fields, 'replace', context), why);
    const { change, ...rest } = updateChange(pair, fields, 'update', context);
    return withNotes({ ...rest, change: { ...change, renews } }, why);
  }
  if (fields.length === 0 && !isMoved) return null;
  return updateChange(pair, fields, isReplaced ? 'replace' : 'update', context);
}

/**
 * An update that changes an id but no name. It writes a reference again because the target of the
 * reference was replaced.
 */
export function renewalChange(
  pair: Pair,
  renewed: readonly Address[],
  context: PlanContext,
): ObjectChange {
  const notes = renewed.map(address => `refers to ${address}, which is created again`);
  return withNotes(updateChange(pair, [], 'update', context), ...notes);
}

/** A change with more notes for people. */
export const withNotes = (object: ObjectChange, ...notes: readonly string[]): ObjectChange => ({
  ...object,
  change: { ...object.change, notes: [...object.change.notes, ...notes] },
});

/** Why an object is deleted. The default reason is that no file declares it. */
interface Leaving {
  readonly along?: Address;
  readonly desired?: Desired;
  readonly droppedFrom?: Desired | undefined;
}

/** The change that deletes a live object. `along`: the server deletes the object together with its parent. */
export function deleteChange(
  live: Live,
  context: PlanContext,
  { along, desired, droppedFrom }: Leaving = {},
): ObjectChange {
  const ended = desired && endedChange(desired, live, context);
  const change: Change = {
    address: context.addressOf(live),
    kind: live.kind,
    key: context.keyOf(live),
    ...partOf({ kind: live.kind, key: context.keyOf(live) }, context),
    type: 'delete',
    id: live.id,
    ...(desired && { at: desired.at }),
    before: context.fieldsOf(live),
    fields: [],
    ...(along && { with: along }),
    ...sinceOf(context, context.base.get(context.addressOf(live))?.lifecycle.delete === true),
    ...(ended && { ended }),
    notes: [
      ...(desired && desired.key !== context.keyOf(live) ? [declaredAs(desired)] : []),
      ...(ended?.notes ?? (!desired && droppedFrom?.ended ? [endNote(droppedFrom)] : [])),
    ],
  };
  return { live, change, ...(desired && { desired }), ...(droppedFrom && { droppedFrom }) };
}

const declaredAs = ({ kind, key }: Desired) => `declared as ${quoted(`${kind}/${key}`)}`;

// With a base: whether the account, and not the files, created, deleted or moved the object since
// the base.
function sinceOf({ base }: PlanContext, isAsBefore: boolean): { readonly since?: Since } {
  return base.size === 0 ? {} : { since: isAsBefore ? 'drift' : 'pending' };
}

function updateChange(
  { desired, live }: Pair,
  fields: readonly FieldChange[],
  type: 'update' | 'replace',
  context: PlanContext,
): ObjectChange {
  const kind = context.kind(desired.kind);
  const owned = ownedFields(desired, context);
  const before = context.fieldsOf(live);
  const after = { ...owned, ...sharedSetsAfter(kind, desired, { owned, before }, fields) };
  const was = formerKey(kind, desired, live, context);
  // `fields` also contains a removed field that another field replaces. `after` does not contain it.
  const shown = new Set([...Object.keys(after), ...fields.map(({ path: [name = ''] }) => name)]);
  const change: Change = {
    ...named(desired, context),
    type,
    id: live.id,
    before: Object.fromEntries(Object.entries(before).filter(([name]) => shown.has(name))),
    after,
    fields,
    ...(was !== undefined && { was }),
    ...(isElsewhere(kind, { desired, live }, context) &&
      sinceOf(context, formerParent(desired, context) === desired.parent)),
    notes:
      type === 'replace'
        ? replacementNotes(kind, desired, owned, before)
        : renamedSecrets(
            kind,
            fields,
            context.base.get(addressOf(desired.kind, desired.key))?.fields,
          ),
  };
  return { desired, live, change };
}

// The notes of a replacement about irreversible flags of the old object that the new object does
// not have.
function replacementNotes(
  kind: Kind,
  { lifecycle }: Desired,
  owned: Fields,
  before: Fields,
): string[] {
  const flags = [...kind.shape.fields.values()].filter(
    ({ name, irreversible }) => irreversible && before[name] === true && owned[name] === undefined,
  );
  return [
    ...flags.map(({ name }) => `the old object is ${quoted(name)}, the new one will not be`),
    ...(lifecycle.id === undefined ? [] : [BINDING_ENDS]),
  ];
}

const BINDING_ENDS =
  'lifecycle.id names the old object: remove lifecycle.id after the apply, because it will match nothing';

const named = (desired: Desired, context: PlanContext) => {
  const { kind, key, at } = desired;
  return { address: addressOf(kind, key), kind, key, ...partOf(desired, context), at };
};

const partOf = (object: { kind: KindName; key: Key }, { wholeOf }: PlanContext) => {
  const whole = wholeOf(object);
  return whole === undefined ? {} : { partOf: whole };
};

// The shared sets after the change, even if they do not change. They contain the declared members
// and the members that others added.
function sharedSetsAfter(
  kind: Kind,
  { lifecycle }: Desired,
  { owned, before }: { readonly owned: Fields; readonly before: Fields },
  changes: readonly FieldChange[],
): Fields {
  const exact = new Set(lifecycle.exact ?? []);
  const shared = [...kind.shape.fields.values()].filter(field => isSharedSet(field, exact));
  const sets = shared.flatMap(({ name }): [string, Json][] => {
    const change = changes.find(({ path }) => path[0] === name);
    if (change?.type === 'members')
      return [[name, [...change.kept, ...change.added, ...change.foreign].sort()]];
    return isList(owned[name]) && before[name] !== undefined ? [[name, before[name]]] : [];
  });
  return Object.fromEntries(sets);
}
