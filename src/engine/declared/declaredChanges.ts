// The changes that an edit of files makes. Compares two desired states of the same files, object by object, without an account.
import isEqual from 'fast-deep-equal';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../kinds/values/canonical.ts';
import { hostOf } from '../../kinds/values/hidden.ts';
import type { Change, FieldChange, ShownChange } from '../../model/change.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import { diffFields } from '../diff/diff.ts';
import { type Sealing, sealedChange } from '../plan/redaction.ts';

/** An object of the later state, and the same object in the earlier state. */
interface DeclaredPair {
  readonly was?: Desired;
  readonly is?: Desired;
}

/** A change of a declared object, with its declarations before and after. */
export interface DeclaredChange extends DeclaredPair {
  readonly change: ShownChange;
}

/** The objects that differ between two desired states, by address. A rename by `was` is one change. */
export function declaredChanges(
  before: readonly Desired[],
  after: readonly Desired[],
  kinds: KindTable,
): readonly DeclaredChange[] {
  const kind = (name: KindName) => present(kinds.get(name), `the kind ${name}`);
  const sealing: Sealing = {
    kind,
    declared: byAddress(after),
    bases: [byAddress(before)],
    mark: undefined,
    secretHosts: new Set(),
  };
  return pairsOf(before, after)
    .flatMap(pair => {
      const change = changeOf(pair, kind);
      return change === null ? [] : [{ ...pair, change: sealedChange(change, sealing) }];
    })
    .sort((one, other) => compareTexts(one.change.address, other.change.address));
}

const addressIn = ({ kind, key }: Desired): Address => addressOf(kind, key);

const byAddress = (objects: readonly Desired[]): ReadonlyMap<Address, Desired> =>
  new Map(objects.map(object => [addressIn(object), object]));

function pairsOf(before: readonly Desired[], after: readonly Desired[]): readonly DeclaredPair[] {
  const left = new Map(byAddress(before));
  const take = (address: Address): Desired | undefined => {
    const found = left.get(address);
    left.delete(address);
    return found;
  };
  const sameName = after.map((is): DeclaredPair => {
    const was = take(addressIn(is));
    return was ? { was, is } : { is };
  });
  const pairs = sameName.map((pair): DeclaredPair => {
    const { was, is } = pair;
    const former = was === undefined && is ? take(formerAddress(is)) : undefined;
    return former ? { was: former, ...(is && { is }) } : pair;
  });
  return [...pairs, ...[...left.values()].map(was => ({ was }))];
}

// The earlier address of an object. The `was` of a nested object is its former name in the same
// parent, or contains another parent.
function formerAddress({ kind, key, parent, lifecycle: { was = key } }: Desired): Address {
  const isWhole = parent === undefined || was.includes('/');
  return addressOf(kind, (isWhole ? was : `${parent}/${was}`) as typeof key);
}

function changeOf({ was, is }: DeclaredPair, kindOf: (name: KindName) => Kind): Change | null {
  if (was && is && isSameText(was, is)) return null;
  const object = is ?? present(was, 'one side of a pair');
  const kind = kindOf(object.kind);
  const after = is && canonicalFields(kind.shape, is.fields, 'desired');
  const former = was && canonicalFields(kind.shape, was.fields, 'desired');
  const before = former && after ? (withAddresses(former, after) as Fields) : former;
  const named = { address: addressIn(object), kind: object.kind, key: object.key };
  if (is === undefined)
    return { ...named, type: 'delete', before: before ?? {}, fields: [], notes: [] };
  const at = is.at;
  const written = is.fields;
  if (before === undefined || was === undefined)
    return {
      ...named,
      at,
      type: 'create',
      after: after ?? {},
      fields: created(after ?? {}, written),
      notes: [],
    };
  const fields = fieldChanges(kind, { before, after: after ?? {}, written });
  const notes = lifecycleNotes(was, is);
  const isRenamed = was.key !== is.key;
  if (fields.length === 0 && notes.length === 0 && !isRenamed) return null;
  return {
    ...named,
    at,
    type: 'update',
    before,
    after: after ?? {},
    fields,
    ...(isRenamed && { was: was.key }),
    notes,
  };
}

// The value, with the earlier web addresses where only the digest may differ. If a web address may
// be secret, a base stores its host and a keyed digest. The key is not available here, so two
// addresses with the same host count as equal.
function withAddresses(was: Json, is: Json | undefined): Json {
  if (isHosted(was)) return typeof is === 'string' && hostOf(is) === was.$host ? is : was;
  if (isList(was)) return was.map((one, at) => withAddresses(one, isList(is) ? is[at] : undefined));
  if (!isObject(was)) return was;
  const fields = Object.entries(was).map(([name, one]) => [
    name,
    one === undefined ? one : withAddresses(one, isObject(is) ? is[name] : undefined),
  ]);
  return Object.fromEntries(fields);
}

// Whether two declarations have the same text. Most declarations do, and comparing texts is faster
// than comparing canonical forms.
const isSameText = (was: Desired, is: Desired): boolean =>
  was.key === is.key && isEqual(was.fields, is.fields) && isEqual(was.lifecycle, is.lifecycle);

function created(after: Fields, written: Fields): readonly FieldChange[] {
  return Object.entries(after).map(([name, value]) => ({
    type: 'value',
    path: [name],
    after: value,
    ...(written[name] === undefined && { byDefault: true as const }),
  }));
}

interface Sides {
  readonly before: Fields;
  readonly after: Fields;
  readonly written: Fields;
}

// The differences of the fields. Both sides are files, so every difference is an edit. A comparison
// with an account would leave out fields that only one side has, and fields that no read returns.
function fieldChanges({ shape }: Kind, { before, after, written }: Sides): readonly FieldChange[] {
  const exact = new Set(
    [...shape.fields.values()].flatMap(field => (field.shared ? field.name : [])),
  );
  const found = diffFields(shape, after, before, { written, ignore: new Set(), exact, base: {} });
  const known = new Set(found.map(({ path: [name = ''] }) => name));
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isSame = (name: string) =>
    (isEmpty(before[name]) && isEmpty(after[name])) || isEqual(before[name], after[name]);
  const others = [...names].filter(name => !known.has(name) && !isSame(name));
  return [
    ...found.map(({ replaces: _, ...change }) => change),
    ...others.map((name): FieldChange => {
      const was = before[name];
      const is = after[name];
      return {
        type: 'value',
        path: [name],
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
      };
    }),
  ];
}

// The changed entries of `lifecycle`. Entries that only declare a rename are left out, because the rename itself is shown.
function lifecycleNotes({ lifecycle: before }: Desired, { lifecycle: after }: Desired): string[] {
  const words = new Set([...Object.keys(before), ...Object.keys(after)]);
  words.delete('was');
  const changed = [...words].filter(word => {
    const [was, is] = [before, after].map(one =>
      Object.entries(one).find(([name]) => name === word),
    );
    return !isEqual(was, is);
  });
  return changed.sort().map(word => `lifecycle.${word} differs`);
}
