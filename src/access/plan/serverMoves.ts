// Simulates the side effects of an update. If the references of an owner change, the server moves
// members of sets. If an owner is blocked, the server ends the logins on the owner's machines.
// After the owner is unblocked, the owner can log in again.
import { cascadingTo } from '../../kinds/dialect/cascades.ts';
import { belongingsByOwner, propagatorsOf } from '../../kinds/dialect/propagation.ts';
import type { Belonging, Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { idKey } from '../../model/key.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { type Fields, type Json, listOf } from '../../model/value.ts';
import { type Draft, draftName, targetName, withFields } from './draft.ts';

/** An update that was just applied. References are ids, or keys of objects that have no id yet. */
export interface Update {
  readonly kind: Kind;
  readonly id: RemoteId;
  readonly before: Fields;
  readonly after: Fields;
}

interface Account {
  readonly kinds: KindTable;
  readonly live: readonly Live[];
}

/**
 * Applies to the drafts what the server moves after an update. Returns the names of the drafts that
 * it changes.
 */
export function applyServerMoves(
  drafts: Map<string, Draft>,
  update: Update,
  account: Account,
): readonly string[] {
  const { kind, before, after } = update;
  const changed = propagated(drafts, update, account);
  for (const { name, shape, movesMembers, endsLogins } of kind.shape.fields.values()) {
    if (endsLogins && (after[name] === true) !== (before[name] === true))
      for (const one of belongings(endsLogins, update, account)) {
        if (after[name] === true) endLogin(drafts, one);
        changed.push(draftName(one.kind, one.id));
      }
    if (!movesMembers) continue;
    const own = belongings(movesMembers, update, account).map(({ id }) => idKey(id));
    if (own.length === 0) continue;
    const targets = (fields: Fields) =>
      new Set(refsIn(shape, fields[name]).map(ref => targetName(ref.kind, ref.key)));
    const old = targets(before);
    const fresh = targets(after);
    if (!isPropagated(drafts, kind, account)) continue;
    for (const set of old.symmetricDifference(fresh)) {
      const draft = drafts.get(set);
      if (!draft) continue;
      const members = fresh.has(set)
        ? joined(draft.object.fields[movesMembers.into], own)
        : left(draft.object.fields[movesMembers.into], own);
      drafts.set(set, withFields(draft, { [movesMembers.into]: members }));
      changed.push(set);
    }
  }
  return changed;
}

// If a setting that propagates members is enabled, adds the members of every owner to their sets. Returns the names of the drafts
// that it changes.
function propagated(
  drafts: Map<string, Draft>,
  { kind: { propagates }, before, after }: Update,
  { kinds, live }: Account,
): string[] {
  const owner = propagates && kinds.get(propagates.kind);
  if (!owner || after[propagates.field] !== true || before[propagates.field] === true) return [];
  const changed = new Set<string>();
  for (const { name, shape, movesMembers } of owner.shape.fields.values()) {
    const child = movesMembers && kinds.get(movesMembers.kind);
    if (!child) continue;
    const { into } = movesMembers;
    for (const [id, own] of belongingsByOwner(movesMembers, owner.name, child, live)) {
      const fields = drafts.get(draftName(owner.name, id))?.object.fields ?? {};
      for (const ref of refsIn(shape, fields[name])) {
        const set = targetName(ref.kind, ref.key);
        const draft = drafts.get(set);
        const keys = own.map(one => idKey(one.id));
        if (!draft || keys.every(key => listOf(draft.object.fields[into]).includes(key))) continue;
        drafts.set(set, withFields(draft, { [into]: joined(draft.object.fields[into], keys) }));
        changed.add(set);
      }
    }
  }
  return [...changed];
}

// Whether members move. They move unless an object of the account has a setting that prevents it.
function isPropagated(
  drafts: ReadonlyMap<string, Draft>,
  { name }: Kind,
  { kinds, live }: Account,
): boolean {
  const propagators = propagatorsOf(kinds, new Set([name]));
  return !propagators.some(({ name: said, propagates }) =>
    live.some(
      one =>
        one.kind === said &&
        propagates !== undefined &&
        drafts.get(draftName(said, one.id))?.object.fields[propagates.field] === false,
    ),
  );
}

function belongings(
  { kind: name, by }: Belonging,
  { kind: owner, id }: Update,
  { kinds, live }: Account,
): readonly Live[] {
  const kind = kinds.get(name);
  if (!kind) return [];
  const cascade = { kind: name, by, onlyInCascade: false };
  return live.filter(
    one => one.kind === name && cascadingTo(cascade, owner.name, kind, one).includes(id),
  );
}

function endLogin(drafts: Map<string, Draft>, { kind, id }: Live): void {
  const name = draftName(kind, id);
  const draft = drafts.get(name);
  if (!draft) return;
  const serverFields = { ...draft.object.serverFields, login_expired: true };
  drafts.set(name, { ...draft, object: { ...draft.object, serverFields } });
}

const joined = (value: Json | undefined, own: readonly string[]): readonly Json[] => [
  ...new Set([...listOf(value), ...own]),
];

function left(value: Json | undefined, own: readonly string[]): readonly Json[] {
  const gone = new Set<Json>(own);
  return listOf(value).filter(item => !gone.has(item));
}
