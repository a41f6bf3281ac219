// What unfinished applies changed or deleted, where the account still shows it: the changes that an undo would revert.
import { diffFields } from '../../engine/diff/diff.ts';
import type { KindTable, ObjectShape, Shape } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapHidden } from '../../kinds/values/hidden.ts';
import { withoutMasked } from '../../kinds/values/masked.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { FieldChange } from '../../model/change.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { LeftChange, LeftRun } from '../../model/leftObjects.ts';
import type { Address, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { secretFrom } from '../../model/secrets/secret.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Fields, Json } from '../../model/value.ts';
import { type Undo, undo } from './undo.ts';

/** The present account, and the declarations of other folders. */
export interface LeftAccount {
  readonly kinds: KindTable;
  /** The dialect of the server. */
  readonly dialect: string;
  readonly objects: readonly Live[];
  /** Their declarations are split into parts, as the server keeps objects. */
  readonly others: readonly OtherFolder[];
  /** The time, in milliseconds. Without it, nothing counts as expired. */
  readonly now?: number | undefined;
}

/** The changes of each run that nobody has changed since. If several runs may have made a change, it belongs to the newest. */
export function leftChanges(runs: readonly LeftRun[], account: LeftAccount): readonly LeftChange[] {
  const newestFirst = runs.toSorted((one, other) => compareTexts(other.began, one.began));
  const told: LeftChange[] = [];
  for (const run of newestFirst)
    for (const change of leftBy(run, account)) {
      const newer = told.filter(one => isOfSame(one, change));
      const fields = change.fields.flatMap(field => untold(field, newer));
      const isTold = change.id === undefined ? newer.length > 0 : fields.length === 0;
      if (!isTold) told.push({ ...change, fields });
    }
  return told;
}

const isOfSame = (one: LeftChange, other: LeftChange): boolean =>
  one.kind === other.kind && one.id === other.id && (one.id !== undefined || one.key === other.key);

// The part of a change that no newer run has made too. A value is a single change; in a set, each member is one.
function untold(field: FieldChange<Shown>, newer: readonly LeftChange[]): FieldChange<Shown>[] {
  const path = JSON.stringify(field.path);
  const same = newer.flatMap(({ fields }) =>
    fields.filter(one => JSON.stringify(one.path) === path),
  );
  if (same.length === 0) return [field];
  if (field.type !== 'members') return [];
  const without = (side: 'added' | 'removed') => {
    const all = same.flatMap(one => (one.type === 'members' ? one[side].map(String) : []));
    return field[side].filter(member => !all.includes(String(member)));
  };
  const added = without('added');
  const removed = without('removed');
  return added.length + removed.length === 0 ? [] : [{ ...field, added, removed }];
}

function leftBy(run: LeftRun, { kinds, dialect, objects, others, now }: LeftAccount): LeftChange[] {
  const { entries, created: proven, isLost, leaves } = run;
  const plan = { ...run.plan, dialect };
  // Objects of a kind that this version does not know cannot be compared.
  if (plan.actions.some(({ kind }) => !kinds.has(kind))) return [];
  const undoing = { kinds, plan, entries, objects, proven, isLost, others, file: run.run };
  const back = undo({ ...undoing, ...(now !== undefined && { now }) });
  const written = new Map(plan.actions.map(action => [addressOf(action.kind, action.key), action]));
  const isLeft = (address: Address) => leaves?.has(address) !== false;
  const names = new NamesNow(run, objects, back.desired);
  return back.desired.flatMap((desired): LeftChange[] => {
    const { kind: name, key, lifecycle } = desired;
    if (lifecycle.delete) return [];
    const { run: id, formerFolder } = run;
    const by = { run: id, ...(formerFolder !== undefined && { formerFolder }) };
    if (lifecycle.id === undefined) {
      const address = addressOf(name, key);
      const isAgain = objects.some(live => live.kind === name && live.key === key);
      if (run.hidesDeletions || isAgain || !isLeft(address)) return [];
      if (written.get(address)?.verb !== 'delete') return [];
      return [{ kind: name, key, fields: gone(desired, kinds, names), ...by }];
    }
    const live = objects.find(one => one.kind === name && one.id === lifecycle.id);
    const action = plan.actions.find(
      one => one.kind === name && one.verb === 'update' && one.remoteId === lifecycle.id,
    );
    if (!live || !action || !isLeft(addressOf(name, action.key))) return [];
    const fields = standing({ desired, live, base: baseOf(desired, back) }, kinds, names);
    return fields.length === 0 ? [] : [{ kind: name, key: action.key, id: live.id, fields, ...by }];
  });
}

const baseOf = ({ kind, lifecycle: { id } }: Desired, { base }: Undo): Fields =>
  base.find(one => one.kind === kind && one.lifecycle.id === id)?.fields ?? {};

// All fields of a deleted object, as changes.
function gone({ kind: name, fields }: Desired, kinds: KindTable, names: NamesNow): ShownChange[] {
  const kind = kinds.get(name);
  if (!kind) return [];
  return Object.entries(names.in(name, fields, kinds)).map(([field, after]) =>
    sealed(kind.shape, { type: 'value', path: [field], after }),
  );
}

/** The object now, the object as the undo declares it, and the fields that the undo takes as its state after the run. */
interface Sides {
  readonly desired: Desired;
  readonly live: Live;
  readonly base: Fields;
}

// What the undo would change, except what somebody else has changed since.
function standing(
  { desired, live, base }: Sides,
  kinds: KindTable,
  names: NamesNow,
): ShownChange[] {
  const kind = kinds.get(desired.kind);
  if (!kind) return [];
  const { shape } = kind;
  const now = canonicalFields(shape, names.in(kind.name, live.idFields, kinds), 'live');
  const wanted = canonicalFields(shape, names.in(kind.name, desired.fields, kinds), 'desired');
  const known = names.in(kind.name, base, kinds);
  const { ignore = [] } = desired.lifecycle;
  const options = { written: {}, ignore: new Set(ignore), exact: new Set<string>() };
  const isShared = (field: string) => shape.fields.get(field)?.shared === true;
  const after = Object.fromEntries(Object.entries(known).filter(([field]) => !isShared(field)));
  const since = diffFields(shape, after, now, { ...options, base: {} });
  const changed = new Set(since.map(({ path }) => JSON.stringify(path)));
  return diffFields(shape, wanted, now, { ...options, base: known })
    .filter(({ path }) => !changed.has(JSON.stringify(path)))
    .map(change => sealed(shape, change));
}

/** A change whose values may be shown. */
type ShownChange = FieldChange<Shown>;

// Hides a value that may be secret: only its existence is shown.
function sealed(shape: ObjectShape, change: FieldChange): ShownChange {
  const inner = shapeAt(shape, change.path);
  const shown = (of: Shape | undefined, value: Json): Shown =>
    withoutMasked(
      of,
      mapHidden(of, value, () => secretFrom('')),
      () => false,
    ) as Shown;
  if (change.type === 'members') {
    const items = inner?.type === 'list' ? inner.items : undefined;
    const all = (values: readonly Json[]) => values.map(value => shown(items, value));
    const { added, removed, kept, foreign } = change;
    return {
      ...change,
      added: all(added),
      removed: all(removed),
      kept: all(kept),
      foreign: all(foreign),
    };
  }
  const { before, after, ...rest } = change;
  return {
    ...rest,
    ...(before !== undefined && { before: shown(inner, before) }),
    ...(after !== undefined && { after: shown(inner, after) }),
  };
}

/** The names of objects in the account, or after the undo. For kinds that were not read, the names that the run had. */
class NamesNow {
  readonly #keys: ReadonlyMap<string, string>;

  constructor({ plan, entries }: LeftRun, objects: readonly Live[], back: readonly Desired[]) {
    const written = entries.flatMap(entry => (entry.type === 'name' ? entry : []));
    const then = [...plan.pins, ...written].map(
      ({ kind, key, id }) => [`${kind} ${id}`, key] as const,
    );
    const renamed = back.flatMap(({ kind, key, lifecycle: { id } }) =>
      id === undefined || idInKey(key) !== null ? [] : [[`${kind} ${id}`, key] as const],
    );
    const live = objects.map(({ kind, id, key }) => [`${kind} ${id}`, key] as const);
    this.#keys = new Map([...then, ...live, ...renamed]);
  }

  in(kind: KindName, fields: Fields, kinds: KindTable): Fields {
    const known = kinds.get(kind);
    if (!known) return fields;
    return mapFieldRefs(known, fields, (ref, key) => {
      const id: RemoteId | null = idInKey(key);
      return id === null ? key : (this.#keys.get(`${ref} ${id}`) ?? key);
    });
  }
}
