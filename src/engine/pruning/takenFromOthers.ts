// Finds the objects and members that a finished plan removes although other folders of the account
// declare them now. The plan builder never removes what other folders declare, but other folders
// may have declared more since.
import { isContribution } from '../../base/declaredTwice.ts';
import { childKey, identityName } from '../../kinds/identity/identity.ts';
import type { Field, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { ActionId, Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Plan, ShownAction } from '../../model/plan.ts';
import { type Fields, isList } from '../../model/value.ts';
import { idText } from './declaredElsewhere.ts';
import { DeclaredNow, type Elsewhere, liveTexts } from './declaredNow.ts';

/** An object or members that a plan removes although another folder declares them. */
export interface Taken extends Elsewhere {
  readonly action: ActionId;
  /** The object that the plan deletes or renames, or whose members it removes. */
  readonly address: Address;
  readonly by: 'delete' | 'rename' | 'members';
  /** The members that the plan removes, and their field. */
  readonly members?: { readonly field: string; readonly removed: readonly string[] };
}

/** The other folders, with their declarations split into parts as the server stores them. */
export interface OthersNow {
  readonly others: readonly OtherFolder[];
  readonly kinds: KindTable;
  /** Returns the fields in the account of an object whose name does not identify it. */
  readonly fieldsOf: (kind: KindName, id: RemoteId) => Fields | undefined;
}

/**
 * Whether a plan deletes or renames objects, or removes members. Other folders may declare these
 * objects and members.
 */
export const takesAnything = ({ actions, changes }: Pick<Plan, 'actions' | 'changes'>): boolean =>
  actions.some(({ verb }) => verb === 'delete') ||
  changes.some(
    ({ was, fields }) =>
      was !== undefined || fields.some(one => one.type === 'members' && one.removed.length > 0),
  );

/** Whether an action deletes an object because no file declares it. */
export const isPruning = (
  { verb, address }: ShownAction,
  changes: ReadonlyMap<Address, ShownChange>,
): boolean => verb === 'delete' && isPruned(changes.get(address));

/** All objects and members that a plan removes although other folders declare them. */
export function takenFromOthers(plan: Plan, now: OthersNow): Taken[] {
  const index = new DeclaredNow(now.others, now.kinds);
  const changes = new Map(plan.changes.map(change => [change.address, change]));
  const along = Map.groupBy(plan.changes, change => change.with);
  const members = new MembersNow(plan, index, now.kinds);
  return plan.actions.flatMap(action => {
    const change = changes.get(action.address);
    if (change === undefined) return [];
    if (action.verb === 'update')
      return [...renamed(action, change, index), ...members.removed(action, change)];
    if (action.verb !== 'delete') return [];
    if (change.type === 'replace') return replaced(action, change, index, now);
    return [change, ...(along.get(action.address) ?? [])].flatMap(gone =>
      deleted(action, gone, index, now),
    );
  });
}

// Whether a change deletes an undeclared object. An object that the files mark for deletion has a declaration.
const isPruned = (change: ShownChange | undefined): boolean =>
  change?.type === 'delete' && change.at === undefined;

// The folder that declares a deleted object. If the files mark the object for deletion, only the
// files of another folder count, because the base of that folder may declare objects that have
// moved. A base whose folder has no files does not count, because its objects may have been taken
// over.
function deleted(
  { id: action, parent }: ShownAction,
  change: ShownChange,
  index: DeclaredNow,
  now: OthersNow,
): Taken[] {
  const texts = textsOfLive(change, parent, now);
  const found = [
    ...index.inFiles(texts),
    ...(isPruned(change) ? index.inBases(texts).filter(({ isGone }) => !isGone) : []),
  ].slice(0, 1);
  return found.map(one => ({ ...one, action, address: change.address, by: 'delete' }));
}

// The folder that declares a replaced object. A folder that only adds members to the object does not count.
function replaced(
  { id: action, parent }: ShownAction,
  change: ShownChange,
  index: DeclaredNow,
  now: OthersNow,
): Taken[] {
  const found = index
    .inFiles(textsOfLive(change, parent, now))
    .find(({ object }) => !isContribution(object, now.kinds));
  return found ? [{ ...found, action, address: change.address, by: 'delete' }] : [];
}

function renamed({ id: action, kind, key }: ShownAction, { was }: ShownChange, index: DeclaredNow) {
  if (was === undefined) return [];
  const address = addressOf(kind, was);
  const found = index.inFiles([address]).find(({ object }) => object.key !== key);
  return found ? [{ ...found, action, address, by: 'rename' } satisfies Taken] : [];
}

function textsOfLive(
  { address, kind: name, id, before }: ShownChange,
  parent: Key | undefined,
  { kinds, fieldsOf }: OthersNow,
): readonly string[] {
  const kind = kinds.get(name);
  const own = kind && before ? identityName(kind, before as Fields) : null;
  // If several objects share a name, the plan uses their ids as keys.
  const named = own === null ? [] : [addressOf(name, childKey(parent, own))];
  const fields = id === undefined ? undefined : fieldsOf(name, id);
  return liveTexts({ kind: name, id, addresses: [address, ...named], fields }, kinds);
}

/** The members that other folders declare. */
class MembersNow {
  readonly #index: DeclaredNow;
  readonly #kinds: KindTable;
  readonly #ids: ReadonlyMap<string, RemoteId>;

  constructor({ pins }: Plan, index: DeclaredNow, kinds: KindTable) {
    this.#index = index;
    this.#kinds = kinds;
    this.#ids = new Map(pins.map(({ kind, key, id }) => [`${kind} ${key}`, id]));
  }

  removed(action: ShownAction, change: ShownChange): Taken[] {
    if (action.verb !== 'update') return [];
    const { kind: name, key, remoteId: id } = action;
    const kind = this.#kinds.get(name);
    const former = change.was === undefined ? [] : [addressOf(name, change.was)];
    const texts = [addressOf(name, key), ...former, idText({ kind: name, id })];
    return change.fields.flatMap(one => {
      const [path = ''] = one.path;
      const field = kind?.shape.fields.get(path);
      if (one.type !== 'members' || !field?.shared || one.removed.length === 0) return [];
      // If the files manage the whole set, members in the base of another folder do not count.
      const isExact = !(path in action.members);
      const all = [...this.#index.inFiles(texts), ...(isExact ? [] : this.#index.inBases(texts))];
      return this.#taken(action, field, one.removed.map(String), all);
    });
  }

  #taken(
    { id: action, address }: ShownAction,
    { name: field, shape }: Field,
    members: readonly string[],
    all: readonly Elsewhere[],
  ): Taken[] {
    const items = shape.type === 'list' ? shape.items : undefined;
    const ref = items?.type === 'scalar' ? items.ref : undefined;
    const meant = (member: string) => (ref ? this.#meant(ref, member) : member);
    for (const one of all) {
      const value = one.object.fields[field];
      const theirs = new Set((isList(value) ? value : []).map(member => meant(String(member))));
      const removed = members.filter(member => theirs.has(meant(member)));
      if (removed.length > 0)
        return [{ ...one, action, address, by: 'members', members: { field, removed } }];
    }
    return [];
  }

  #meant(kind: KindName, key: string): string {
    return idInKey(key) ?? this.#ids.get(`${kind} ${key}`) ?? key;
  }
}
