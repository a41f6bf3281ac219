// New objects that are what an object of the account is but for their names, however many were renamed at once: a new group in a new policy is
// recognised by the old group in the old policy. Each object gets a mark of all that is true of it without names; in each round the marks of its
// neighbours become a part of it.
import { createHash } from 'node:crypto';
import isEqual from 'fast-deep-equal';
import { identityName, namingFields } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../kinds/values/canonical.ts';
import { mapFieldRefs, refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { stableText } from '../../model/text/stableText.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import { isCompared } from '../diff/diff.ts';
import { parentKey } from '../pairing/naming.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { OldObject, Similarity } from './similarity.ts';

type Created = Similarity['created'];

/** Objects with the same content: one of each is a rename, more are alike. */
export interface SameContent {
  readonly created: readonly Created[];
  readonly olds: readonly OldObject[];
}

/** An object of one of the two sides. */
interface Candidate<T> {
  readonly object: T;
  readonly kind: Kind;
  readonly address: Address;
  readonly parent: Address | undefined;
  readonly fields: Fields;
  /** The fields of others that refer to it. */
  readonly pointers: readonly string[];
}

/** The pairs, and the objects of which nobody can say which is which. */
export function sameContent(
  objects: readonly ObjectChange[],
  olds: readonly OldObject[],
  context: PlanContext,
): readonly SameContent[] {
  const news = objects.filter(isCreated);
  if (news.length === 0 || olds.length === 0) return [];
  const pointers = stablePointers(objects, context);
  const before = marked(olds.map(old => oldCandidate(old, pointers.before, context)));
  const after = marked(news.map(one => newCandidate(one, pointers.after, context)));
  const holders = Map.groupBy(before, ({ mark }) => mark);
  return [...Map.groupBy(after, ({ mark }) => mark)].flatMap(([mark, created]) => {
    const found = holders.get(mark) ?? [];
    if (found.length === 0 || !created.some(({ isTelling }) => isTelling)) return [];
    return {
      created: created.map(({ object }) => object),
      olds: found.map(({ object }) => object),
    };
  });
}

const isCreated = (object: ObjectChange): object is Created =>
  object.change.type === 'create' && object.desired !== undefined;

function oldCandidate(
  old: OldObject,
  pointers: Pointers,
  context: PlanContext,
): Candidate<OldObject> {
  const { live } = old;
  const kind = context.kind(live.kind);
  const address = context.addressOf(live);
  return {
    object: old,
    kind,
    address,
    parent: parentOf(kind, parentKey(kind, live, context.naming)),
    fields: tellingFields(kind, context.fieldsOf(live)),
    pointers: pointers.get(address) ?? [],
  };
}

function newCandidate(
  created: Created,
  pointers: Pointers,
  context: PlanContext,
): Candidate<Created> {
  const { change, desired } = created;
  const kind = context.kind(change.kind);
  return {
    object: created,
    kind,
    address: change.address,
    parent: parentOf(kind, desired.parent),
    fields: tellingFields(kind, change.after ?? {}),
    pointers: pointers.get(change.address) ?? [],
  };
}

const parentOf = ({ parent }: Kind, key: Key | undefined): Address | undefined =>
  parent && key !== undefined ? addressOf(parent, key) : undefined;

// Default values, and secrets, which the account does not show, are no difference. A rule often has the name of its policy.
function tellingFields(kind: Kind, fields: Fields): Fields {
  const [naming = ''] = namingFields(kind);
  const defaults = canonicalFields(kind.shape, {}, 'desired');
  const name = identityName(kind, fields);
  const own = [...kind.shape.fields.values()].flatMap((field): [string, Json][] => {
    const value = fields[field.name];
    const isTelling =
      value !== undefined &&
      field.name !== naming &&
      isCompared(field) &&
      !isEmpty(value) &&
      !isEqual(value, defaults[field.name]) &&
      secretsIn(value).length === 0;
    return isTelling ? [[field.name, withoutName(value, name)]] : [];
  });
  return Object.fromEntries(own);
}

function withoutName(value: Json, name: string | null): Json {
  if (isList(value)) return value.map(item => withoutName(item, name));
  if (!isObject(value)) return value === name ? '' : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutName(item, name)]),
  );
}

type Pointers = ReadonlyMap<Address, readonly string[]>;

// References of objects that are not renamed, before the plan and after it.
function stablePointers(
  objects: readonly ObjectChange[],
  context: PlanContext,
): { readonly before: Pointers; readonly after: Pointers } {
  const before = new Map<Address, string[]>();
  const after = new Map<Address, string[]>();
  const note = (into: Map<Address, string[]>, { kind, at, fields }: Referrer) => {
    for (const { kind: to, key, path } of refsIn(kind.shape, fields)) {
      const target = addressOf(to, key as Key);
      into.set(target, [...(into.get(target) ?? []), `${at} ${path[0]}`]);
    }
  };
  for (const { change, live, desired } of objects) {
    if (!live || !desired || change.type === 'delete') continue;
    const kind = context.kind(change.kind);
    const at = change.address;
    note(before, { kind, at, fields: context.fieldsOf(live) });
    const fields = resultingFields(kind, change.after ?? {}, live, context);
    note(after, { kind, at, fields });
  }
  return { before, after };
}

interface Referrer {
  readonly kind: Kind;
  readonly at: string;
  readonly fields: Fields;
}

interface Marked<T> {
  readonly object: T;
  readonly mark: string;
  /** Whether there is anything besides its kind that it could be recognised by. */
  readonly isTelling: boolean;
}

// Marks become finer with each round, until a round tells no more objects apart.
function marked<T>(candidates: readonly Candidate<T>[]): readonly Marked<T>[] {
  const neighbours = neighboursOf(candidates);
  let marks = new Map(candidates.map(({ address, kind }) => [address, String(kind.name)]));
  for (let classes = 0; ; ) {
    const next = new Map(
      candidates.map(one => [one.address, markOf(one, marks, neighbours.get(one.address) ?? [])]),
    );
    const found = new Set(next.values()).size;
    marks = next;
    if (found <= classes) break;
    classes = found;
  }
  return candidates.map(({ object, address, fields, pointers }) => ({
    object,
    mark: marks.get(address) ?? '',
    isTelling:
      Object.keys(fields).length + pointers.length + (neighbours.get(address) ?? []).length > 0,
  }));
}

interface Neighbour {
  readonly address: Address;
  /** The field that refers to it, or that it is a child. */
  readonly as: string;
}

function neighboursOf<T>(
  candidates: readonly Candidate<T>[],
): ReadonlyMap<Address, readonly Neighbour[]> {
  const found = new Map<Address, Neighbour[]>();
  const note = (at: Address, neighbour: Neighbour) =>
    found.set(at, [...(found.get(at) ?? []), neighbour]);
  for (const { address, parent, kind, fields } of candidates) {
    if (parent !== undefined) note(parent, { address, as: 'child' });
    for (const { kind: to, key, path } of refsIn(kind.shape, fields))
      note(addressOf(to, key as Key), { address, as: path[0] ?? '' });
  }
  return found;
}

function markOf<T>(
  { kind, fields, parent, pointers }: Candidate<T>,
  marks: ReadonlyMap<Address, string>,
  neighbours: readonly Neighbour[],
): string {
  const named = mapFieldRefs(kind, fields, (to, key) => {
    const mark = marks.get(addressOf(to, key as Key));
    return mark === undefined ? key : `\u0000${mark}`;
  });
  const around = neighbours.map(({ address, as }) => `${as} ${marks.get(address)}`).sort();
  const above = parent === undefined ? '' : (marks.get(parent) ?? parent);
  const text = stableText([kind.name, inOrder(named), above, around, [...pointers].sort()] as Json);
  return createHash('sha256').update(text).digest('base64');
}

// Renamed members of a set are in another order.
function inOrder(value: Json): Json {
  if (isList(value)) {
    const items = value.map(inOrder).map(item => [stableText(item), item] as const);
    return items.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inOrder(item)]));
}

/** Whether a pair is a rename of its parent only: the object itself keeps its name. */
export function keepsOwnName({ kind, fields }: OwnName, live: Live, context: PlanContext): boolean {
  const own = context.kind(kind);
  return identityName(own, fields) === identityName(own, context.fieldsOf(live));
}

interface OwnName {
  readonly kind: Live['kind'];
  readonly fields: Fields;
}
