// Changes that are hazards because their kind declares the changed fields as dangerous. Each hazard
// contains the number of affected objects.
import type { Danger, Kind, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { hasMoved } from '../../kinds/values/moves.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, kindName } from '../../model/names.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, type Json, listOf } from '../../model/value.ts';
import { isOwnUser } from '../pruning/ownUser.ts';
import type { AccountState, StateObject } from '../types/accountState.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ChangeInAccount, PlanInAccount } from '../types/planInAccount.ts';

/** The hazards of the changes, by the address of the changed object. */
export function dangerousChanges(plan: PlanInAccount): FoundHazards {
  return new Map(
    plan.changes.flatMap((object): [Address, FoundHazard[]][] => {
      const kind = plan.context.kind(object.change.kind);
      const found = kind.dangers.flatMap(danger => hazardOf(danger, object, plan));
      return found.length === 0 ? [] : [[object.change.address, found]];
    }),
  );
}

function hazardOf(
  danger: Danger,
  { change: { address, fields: changed } }: ChangeInAccount,
  { before, after, context }: PlanInAccount,
): FoundHazard[] {
  const { field, code, says, counts } = danger;
  if (!changed.some(({ path }) => path[0] === field)) return [];
  const from = before.objects.get(address);
  const to = after.objects.get(address);
  if (!from || !to || !hasMoved(danger, from.fields[field], to.fields[field])) return [];
  // If the conditions were not met before, each change that meets them is a separate hazard.
  const sides = danger.when === 'changes' ? [from, to] : [to];
  if (!sides.every(({ fields }) => isInEffect(danger, fields))) return [];
  const found = countedBy(danger, { from, to, before, after }, context);
  if (found?.length === 0 && danger.evenNone !== true) return [];
  const kind = context.kind(kindName(counts.kind));
  const who = whoIn(found, kind, counts.names === true);
  const sentence = `${quoted(field)} of ${address} changes: ${says}`;
  const hazard = { code, message: `${sentence} (${who})`, says: sentence };
  if (found === undefined) return [hazard];
  const sets = setsToCome(danger, from, to, context).map(set => idOf(set, before.objects.get(set)));
  return [{ ...hazard, concerned: [...concernedIn(found), ...sets] }];
}

// The sets whose future members the change also affects.
function setsToCome(
  { counts, field, when }: Danger,
  from: StateObject,
  to: StateObject,
  { kind }: PlanInAccount['context'],
): readonly Address[] {
  if (counts.through === undefined || when === 'loses') return [];
  const list = counts.in ?? field;
  const shape = kind(from.kind).shape.fields.get(list)?.shape;
  const old = counts.in ? [] : addressesIn(shape, from.fields[list]);
  return addressesIn(shape, to.fields[list])
    .filter(set => !old.includes(set))
    .sort();
}

const idOf = (address: Address, object: StateObject | undefined): string =>
  object?.live ? `${object.live.kind}/${object.live.id}` : address;

/** The affected objects in the form that a hazard stores: `peer/<id>`. */
export const concernedIn = (found: readonly StateObject[]): readonly string[] =>
  found.flatMap(({ live }) => (live ? `${live.kind}/${live.id}` : [])).sort();

/** Whether the fields on which a hazard depends are true or contain entries. */
export const isInEffect = (danger: Danger, fields: Fields): boolean =>
  [danger.while ?? []].flat().every(name => hasValue(fields[name]));

/** The number of objects, and up to five of their names. If the caller is among them, its name is always included. */
export function whoIn(
  found: readonly StateObject[] | undefined,
  kind: Kind,
  areNamed: boolean,
): string {
  const { noun, plural } = kind;
  if (found === undefined) return `an unknown number of ${plural}`;
  if (found.length === 0) return `none of the ${plural} that the account has now`;
  const count = `${found.length} ${found.length === 1 ? noun : plural}`;
  if (!areNamed) return count;
  const [own = [], others = []] = [true, false].map(isOwn =>
    found
      .flatMap(({ live }) => (live && isOwnUser(kind, live) === isOwn ? nameText(live.key) : []))
      .sort(),
  );
  const names = [...own.map(name => `you as ${name}`), ...others];
  const more = names.length - MOST_NAMES;
  return `${count}: ${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const MOST_NAMES = 5;

// The objects that the change affects; undefined if the account does not show them.
function countedBy(
  danger: Danger,
  {
    from,
    to,
    before,
    after,
  }: { from: StateObject; to: StateObject; before: AccountState; after: AccountState },
  { kind: kindOf }: PlanInAccount['context'],
): readonly StateObject[] | undefined {
  const { counts, field, when } = danger;
  const name = kindName(counts.kind);
  if (before.unread.has(name)) return undefined;
  const { through } = counts;
  const all = [...before.objects].filter(([, one]) => one.kind === name);
  if (through === undefined) {
    const { principal } = kindOf(name);
    return all
      .map(([, one]) => one)
      .filter(one => !principal || fieldsOf(one)[principal.blocked] !== true)
      .filter(one => isCounted(fieldsOf(one), counts, to.fields));
  }
  const shape = kindOf(from.kind).shape.fields.get(counts.in ?? field)?.shape;
  const list = counts.in ?? field;
  const old = membersIn(before, addressesIn(shape, from.fields[list]), through);
  const now = membersIn(after, addressesIn(shape, to.fields[list]), through);
  // A change of the field affects every member of the list `counts.in`.
  const moved = counts.in ? now : when === 'loses' ? old.difference(now) : now.difference(old);
  const byAddress = new Map(all);
  return [...moved].flatMap(key => byAddress.get(addressOf(name, key as Key)) ?? []);
}

/** The addresses of the objects to which a value refers. */
export const addressesIn = (
  shape: Shape | undefined,
  value: Json | undefined,
): readonly Address[] =>
  (shape ? refsIn(shape, value) : []).map(({ kind, key }) => addressOf(kind, key as Key));

/** The members of sets in their field `through`. */
export const membersIn = (
  { objects }: AccountState,
  sets: readonly Address[],
  through: string,
): Set<string> =>
  new Set(sets.flatMap(set => listOf(objects.get(set)?.fields[through]).map(String)));

function isCounted(
  fields: Fields,
  { having = [], where, outside }: Danger['counts'],
  changed: Fields,
): boolean {
  const value = where && fields[where.field];
  // An object without the field counts, because the value of the field is unknown.
  const isThere =
    !where ||
    isEmpty(value) ||
    (where.equals === undefined ? value !== where.not : value === where.equals);
  const names = outside ? new Set(listOf(fields[outside.field])) : new Set();
  const isOutside = !outside || !listOf(changed[outside.of]).some(one => names.has(one));
  return isThere && isOutside && having.every(name => hasValue(fields[name]));
}

const fieldsOf = ({ fields, live }: StateObject): Fields => ({ ...live?.serverFields, ...fields });

/** Whether a field is true or has entries. */
const hasValue = (value: Json | undefined): boolean =>
  value === true || (value !== false && !isEmpty(value));
