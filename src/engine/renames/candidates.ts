// The candidates of rename detection: objects that a plan would create, and live objects that may
// be the same objects. They are compared without their names.
import isEqual from 'fast-deep-equal';
import { identityName, namingFields } from '../../kinds/identity/identity.ts';
import { namedItems } from '../../kinds/identity/namedItems.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../kinds/values/canonical.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import { isCompared } from '../diff/diff.ts';
import { parentKey } from '../pairing/naming.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { type Candidate, type Pointer, pointersOf, type Referrer } from './marks.ts';
import type { OldObject, Similarity } from './similarity.ts';

/** An object that a plan would create. */
export type Created = Similarity['created'];

/** The candidates of both sides, each with the references to it. */
export function candidatesOf(
  objects: readonly ObjectChange[],
  olds: readonly OldObject[],
  context: PlanContext,
): {
  readonly before: readonly Candidate<OldObject>[];
  readonly after: readonly Candidate<Created>[];
} {
  const others = kept(objects, context);
  return {
    before: withPointers(
      olds.map(old => oldCandidate(old, context)),
      others.before,
    ),
    after: withPointers(
      objects.filter(isCreated).map(one => newCandidate(one, context)),
      others.after,
    ),
  };
}

type Bare<T> = Omit<Candidate<T>, 'pointers'>;

function withPointers<T>(
  candidates: readonly Bare<T>[],
  others: readonly Referrer[],
): readonly Candidate<T>[] {
  const pointers: ReadonlyMap<Address, readonly Pointer[]> = pointersOf([...candidates, ...others]);
  return candidates.map(one => ({ ...one, pointers: pointers.get(one.address) ?? [] }));
}

const isCreated = (object: ObjectChange): object is Created =>
  object.change.type === 'create' && object.desired !== undefined;

function oldCandidate(old: OldObject, context: PlanContext): Bare<OldObject> {
  const { live } = old;
  const kind = context.kind(live.kind);
  const address = context.addressOf(live);
  return {
    object: old,
    kind,
    address,
    parent: parentOf(kind, parentKey(kind, live, context.naming)),
    fields: tellingFields(kind, context.fieldsOf(live)),
    itemNames: itemNamesOf(kind, context.fieldsOf(live)),
  };
}

function newCandidate(created: Created, context: PlanContext): Bare<Created> {
  const { change, desired } = created;
  const kind = context.kind(change.kind);
  return {
    object: created,
    kind,
    address: change.address,
    parent: parentOf(kind, desired.parent),
    fields: tellingFields(kind, change.after ?? {}),
    itemNames: itemNamesOf(kind, change.after ?? {}),
  };
}

const parentOf = ({ parent }: Kind, key: Key | undefined): Address | undefined =>
  parent && key !== undefined ? addressOf(parent, key) : undefined;

// The fields by which an object can be recognised. Default values do not count. Secrets do not count, because the account does
// not show them. The names of items do not count, because an item such as a rule often has the name of its object.
function tellingFields(kind: Kind, fields: Fields): Fields {
  const [naming = ''] = namingFields(kind);
  const defaults = canonicalFields(kind.shape, {}, 'desired');
  const own = [...kind.shape.fields.values()].flatMap((field): [string, Json][] => {
    const value = fields[field.name];
    const isDistinguishing =
      value !== undefined &&
      field.name !== naming &&
      isCompared(field) &&
      !isEmpty(value) &&
      !isEqual(value, defaults[field.name]) &&
      secretsIn(value).length === 0;
    if (!isDistinguishing) return [];
    return [[field.name, withoutItemNames(kind, field.name, value)]];
  });
  return Object.fromEntries(own);
}

function withoutItemNames(kind: Kind, field: string, value: Json): Json {
  const by = namedItems(kind, field);
  if (by === undefined || !isList(value)) return value;
  return value.map(item => (isObject(item) ? { ...item, [by]: '' } : item));
}

function itemNamesOf(kind: Kind, fields: Fields): readonly string[] {
  const own = identityName(kind, fields);
  return Object.entries(fields).flatMap(([field, items]) => {
    const by = namedItems(kind, field);
    if (by === undefined || !isList(items)) return [];
    const names = items.map(item => (isObject(item) ? item[by] : undefined));
    return names.filter(name => typeof name === 'string').map(name => (name === own ? '' : name));
  });
}

// Objects that were not renamed, before and after the plan, by their address after the plan. Their
// references show which other objects were renamed.
function kept(
  objects: readonly ObjectChange[],
  context: PlanContext,
): { readonly before: readonly Referrer[]; readonly after: readonly Referrer[] } {
  const before: Referrer[] = [];
  const after: Referrer[] = [];
  for (const { change, live, desired } of objects) {
    if (!live || !desired || change.type === 'delete') continue;
    const kind = context.kind(change.kind);
    const { address } = change;
    before.push({ kind, address, fields: tellingFields(kind, context.fieldsOf(live)) });
    const fields = resultingFields(kind, change.after ?? {}, live, context);
    after.push({ kind, address, fields: tellingFields(kind, fields) });
  }
  return { before, after };
}
