// The undo of an update: it reverts the changes of the run that nobody has changed since.
import { childKey, identityName, isNameless, namingFields } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { withHeldParts } from '../../kinds/values/keptInside.ts';
import { hasLocks } from '../../kinds/values/locks.ts';
import type { BeforeImage } from '../../model/journal.ts';
import { addressOf, idKey } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { UpdateAction } from '../../model/plan.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { UndoAccount } from './undoAccount.ts';
import { type UndoneLocks, undoneLocks } from './undoLocks.ts';
import { type Sides, same, undone } from './undoMerge.ts';
import { parentOf, type UndoPart } from './undoParts.ts';

/**
 * The undo of an update: values that have not changed since the run are restored, and all others stay. A value that somebody
 * changed again is a conflict with the base.
 */
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
  const written = [...new Set([...Object.keys(action.fields), ...Object.keys(action.members)])];
  const lasting = new Map(
    kind.dangers.filter(one => one.lasting).map(({ field, says }) => [field, says]),
  );
  const hidden = written.filter(name => isHidden(kind, name, before, action) || lasting.has(name));
  const open = written.filter(name => !hidden.includes(name));
  const back = fieldsBack(action, { kind, open, image: before.fields, live, account });
  const parent = parentOf(kind, live.parentId, account);
  const { key, fields, kept } = nameBack(back.fields, { kind, live, ...parent }, account);
  account.name(kind.name, remoteId, key);
  const ignore = [...kind.shape.fields.keys()].filter(name => !(name in fields));
  const lifecycle = { id: remoteId, ignore };
  return {
    desired: account.declared(kind, key, { ...parent, fields, lifecycle }),
    base: account.declared(kind, key, {
      ...parent,
      fields: back.base,
      lifecycle: { id: remoteId },
    }),
    lost: [
      ...hidden.map(name => `${address}: ${quoted(name)} ${whyItStays(lasting.get(name))}`),
      ...back.lost.map(what => `${address}: ${what}`),
      ...kept,
    ],
  };
}

// Why a field stays, in words. `lasting`: what another change of the field would do, if that effect lasts.
const whyItStays = (lasting: string | undefined): string =>
  lasting === undefined
    ? 'stays as it is, because its former value is a secret'
    : `stays as it is; writing it back would be another change: ${lasting}`;

interface Updated {
  readonly kind: Kind;
  /** The fields of the run whose values are known. */
  readonly open: readonly string[];
  readonly image: Fields;
  readonly live: Live;
  readonly account: UndoAccount;
}

// The fields that the undo writes, including the identity; the fields of its base; and what it does not restore.
function fieldsBack(
  action: UpdateAction,
  { kind, open, image, live, account }: Updated,
): { readonly fields: Fields; readonly base: Fields; readonly lost: readonly string[] } {
  const { shape } = kind;
  const lost: string[] = [];
  const before = canonicalFields(shape, image, 'live');
  const now = canonicalFields(shape, live.idFields, 'live');
  const ran = canonicalFields(shape, account.inIds(kind, action.fields), 'desired');
  const after = withHeldParts(shape, ran, before);
  const identity = new Set(kind.identity.flat().map(path => path.split('.')[0]));
  const fields: Record<string, Json> = {};
  const base: Record<string, Json> = {};
  for (const name of open) {
    const was = before[name];
    if (was === undefined) continue;
    const set = setBack(kind, name, { was, after: after[name] }, { action, account });
    if (set !== undefined) {
      fields[name] = set.again;
      if (set.added.length > 0) base[name] = set.added;
      continue;
    }
    const sides = { before: was, after: after[name], now: now[name] };
    const part = undoneField(kind, name, sides);
    for (const what of part.lost) lost.push(what);
    if (part.value === undefined || (same(was, after[name]) && !identity.has(name))) continue;
    fields[name] = part.value;
    if (part.isConflict && part.base !== undefined) base[name] = part.base;
  }
  return { fields, base, lost };
}

function undoneField(kind: Kind, name: string, sides: Sides): UndoneLocks {
  const shape = kind.shape.fields.get(name)?.shape;
  if (shape && hasLocks(shape)) return undoneLocks(kind, name, sides);
  return { ...undone(shape, sides), lost: [] };
}

/** Notes the name that an updated object would have after the undo, regardless of the names of other objects. */
export function nameAsBefore(
  action: UpdateAction,
  before: BeforeImage<Fields> | undefined,
  account: UndoAccount,
): void {
  const kind = account.kind(action.kind);
  const live = account.live(action.kind, action.remoteId);
  if (!live) return;
  account.noteOfRun(kind.name, live.id, 'updated');
  if (!before) return;
  const open = namingFields(kind).filter(name => name !== undefined && name in action.fields);
  const updated = { kind, open: open.map(String), image: before.fields, live, account };
  const { fields } = fieldsBack(action, updated);
  const { parent } = parentOf(kind, live.parentId, account);
  const name = identityName(kind, account.inNames(kind, { ...live.idFields, ...fields }));
  if (name !== null) account.name(kind.name, live.id, childKey(parent, name));
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

// The undo of a set whose undeclared members stay; undefined for other fields. Even where the run wrote the set exactly, the undo
// does not: others may have joined since.
function setBack(
  kind: Kind,
  name: string,
  { was, after }: { readonly was: Json; readonly after: Json | undefined },
  { action, account }: SetWrite,
): MembersBack | undefined {
  if (name in action.members) return membersBack(kind, name, was, { action, account });
  if (kind.shape.fields.get(name)?.shared !== true) return undefined;
  const before = texts(was);
  const left = texts(after);
  return {
    again: [...before.difference(left)].sort(),
    added: [...left.difference(before)].sort(),
  };
}

// Later changes by others stay, including those made before the undo writes the set.
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

interface Place {
  readonly kind: Kind;
  readonly live: Live;
  readonly parent?: Key;
}

// The key of the object after the undo; its id if the name is not unique. It keeps its present name if the former one is taken.
function nameBack(
  fields: Fields,
  { kind, live, parent }: Place,
  account: UndoAccount,
): { readonly key: Key; readonly fields: Fields; readonly kept: readonly string[] } {
  const keyOf = (more: Fields): Key | null => {
    const name = identityName(kind, account.inNames(kind, { ...live.idFields, ...more }));
    return name === null ? null : childKey(parent, name);
  };
  const isFree = (key: Key | null): key is Key =>
    key !== null && !account.isTaken(kind.name, key, live.id);
  const former = keyOf(fields);
  const current = keyOf({});
  if (isFree(former)) return { key: former, fields, kept: [] };
  const ownKey = idKey(live.id);
  if (former === null || former === current || isNameless(kind))
    return { key: ownKey, fields, kept: [] };
  const naming = new Set(namingFields(kind));
  const rest = Object.entries(fields).map(
    ([name, value]) => [name, naming.has(name) ? (live.idFields[name] ?? value) : value] as const,
  );
  const address = addressOf(kind.name, current ?? ownKey);
  const why = `another ${kind.noun} is called ${quoted(former)}`;
  const what = 'rename or delete that one, and undo again to get the former name back';
  return {
    key: isFree(current) ? current : ownKey,
    fields: Object.fromEntries(rest),
    kept: [`${address} keeps its name: ${why}; ${what}`],
  };
}

function isHidden(
  kind: Kind,
  name: string,
  { left_out: left }: BeforeImage<Fields>,
  { fields }: UpdateAction,
): boolean {
  const field = kind.shape.fields.get(name);
  if (field?.writeOnly === true || left.includes(name)) return true;
  return secretsIn(fields[name] ?? null).length > 0 && !(field && hasLocks(field.shape));
}
