// Unique values that another object has and does not release. The server would refuse the write.
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { jsonString, quoted } from '../../model/text/visible.ts';
import type { Reaches } from '../actions/reach.ts';
import { readUniqueConstraint, uniqueConstraintsOf } from '../actions/uniqueConstraints.ts';
import { byEach, excludes } from '../ordering/hardConstraints.ts';
import { parentKey } from '../pairing/naming.ts';
import type { DeclaredBy } from '../pruning/declaredElsewhere.ts';
import type { Draft, UniqueConstraint } from '../types/draft.ts';
import type { PlanContext } from '../types/planContext.ts';
import { BEFORE_UNDO, createdIn, mayHaveMoved, nameElsewhere } from './nameElsewhere.ts';

/** A unique value that two objects need, and the object that has it. */
export interface UniqueClash {
  readonly change: Change;
  readonly constraint: UniqueConstraint;
  readonly holder: Address;
  /** The object that has the value; absent if only the plan creates the object. */
  readonly live?: Live;
}

/** The unique constraints that an apply would violate. */
export function uniqueClashes(
  drafts: readonly Draft[],
  live: readonly Live[],
  context: PlanContext,
  { after }: Reaches,
): UniqueClash[] {
  if (drafts.every(({ neededValues }) => neededValues.size === 0)) return [];
  const stay = stayingHolders(drafts, live, context, after);
  const made = drafts.filter(({ outcome }) => outcome !== null);
  const rivals = byEach(made, ({ newlyHeldValues }) => newlyHeldValues);
  return made.flatMap(draft => {
    const { needed } = outcomeConstraints(draft, context, after);
    return [...needed.intersection(draft.neededValues)].flatMap(constraint => {
      const isRival = (other: Draft) =>
        other !== draft &&
        excludes(draft, other) &&
        outcomeConstraints(other, context, after).held.has(constraint);
      const rival = (rivals.get(constraint) ?? []).find(isRival);
      // An object does not conflict with itself, because its own update changes its values.
      const live = stay.get(constraint)?.find(one => !isOf(draft, one));
      const holder = live ? context.addressOf(live) : rival?.change.address;
      if (holder === undefined) return [];
      return [{ change: draft.change, constraint, holder, ...(live && { live }) }];
    });
  });
}

function outcomeConstraints(
  { outcome, action }: Draft,
  context: PlanContext,
  after: Reaches['after'],
) {
  const { fields = {}, parent } = outcome ?? {};
  return uniqueConstraintsOf(context.kind(action.kind), fields, parent, after);
}

const isOf = ({ change }: Draft, { kind, id }: Live): boolean =>
  change.kind === kind && change.id === id;

// The objects that have unique values and do not release them. Several objects may have the same
// value if they do not exclude each other, such as records.
function stayingHolders(
  drafts: readonly Draft[],
  live: readonly Live[],
  context: PlanContext,
  after: Reaches['after'],
): ReadonlyMap<UniqueConstraint, readonly Live[]> {
  const leavers = byEach(drafts, ({ freedValues }) => freedValues);
  const isReleased = (constraint: UniqueConstraint, object: Live): boolean =>
    (leavers.get(constraint) ?? []).some(
      draft => isOf(draft, object) || draft.removes.has(context.addressOf(object)),
    );
  return byEach(live, object => {
    const kind = context.kind(object.kind);
    const parent = parentKey(kind, object, context.naming);
    const { held } = uniqueConstraintsOf(kind, context.fieldsOf(object), parent, after);
    return [...held].filter(constraint => !isReleased(constraint, object));
  });
}

/**
 * Errors for violated unique constraints, one for each pair of objects. The run must not start,
 * because the server would refuse a later write. `unpaired`: the live objects without a
 * declaration. `alike`: created objects whose names are already reported.
 */
export function uniqueConflictFaults(
  found: readonly UniqueClash[],
  {
    drafts,
    unpaired,
    alike,
    declaredBy,
  }: {
    readonly drafts: readonly Draft[];
    readonly unpaired: readonly Live[];
    readonly alike: ReadonlySet<Address>;
    readonly declaredBy: DeclaredBy;
  },
  context: PlanContext,
): Diagnostic[] {
  const created = createdIn(drafts);
  const pairs = Map.groupBy(found, ({ change, holder }) => `${change.address} ${holder}`);
  return [...pairs.values()].flatMap(clashing => {
    const [first] = clashing.sort((a, b) => (a.constraint < b.constraint ? -1 : 1));
    if (!first) return [];
    const { change, live } = first;
    const isNamesake = 'name' in readUniqueConstraint(first.constraint);
    if (isNamesake && alike.has(change.address)) return [];
    const isCandidate = isNamesake && live !== undefined && unpaired.includes(live);
    return isCandidate && mayHaveMoved(change, context)
      ? [nameElsewhere({ change, created, unpaired }, live, context)]
      : [renamedElsewhere(first, declaredBy) ?? takenFault(first, context)];
  });
}

// The finding if another folder declares the object with the value under another name. Neither
// folder can restore the name alone, because each would have to rename an object of the other
// folder.
function renamedElsewhere(
  { change: { address, at }, constraint, live }: UniqueClash,
  declaredBy: DeclaredBy,
): Diagnostic | undefined {
  const owner = live && declaredBy(live);
  if (!owner || owner.id !== live.id || owner.key === live.key) return undefined;
  if (!('name' in readUniqueConstraint(constraint))) return undefined;
  const holder = addressOf(live.kind, owner.key);
  return {
    code: 'OBJECT_NAME_TAKEN',
    severity: 'error',
    message: `the name of ${address} is taken by ${holder} of ${quoted(owner.name)}, which was renamed in the account: its id is ${live.id}`,
    ...(at && { at }),
    hint: `rename that object to ${quoted(owner.key)} in the account, and then apply again; if ${quoted(owner.key)} is taken, first give another name to the object that has it`,
  };
}

function takenFault(clash: UniqueClash, context: PlanContext): Diagnostic {
  const { change, constraint, holder, live } = clash;
  const { isUndo } = context;
  const { address, at, type } = change;
  const what = readUniqueConstraint(constraint);
  const span = at && { at };
  if ('name' in what) {
    return {
      code: 'OBJECT_NAME_TAKEN',
      severity: 'error',
      message: `the name of ${address} is taken by ${holder} in the account, and it must be unique`,
      ...span,
      hint: isUndo ? BEFORE_UNDO : 'rename or delete that object, or choose another name',
    };
  }
  if ('apart' in what)
    return {
      code: 'OBJECT_IN_THE_WAY',
      severity: 'error',
      message: apartMessage(clash, context, what.apart),
      ...span,
      hint: 'choose another value for one of the two, or delete the other object first',
    };
  if ('alone' in what)
    return {
      code: 'OBJECT_IN_THE_WAY',
      severity: 'error',
      message: `the server rejects ${address} while ${holder} exists: one of the two must be the only one`,
      ...span,
      hint:
        live && type === 'create'
          ? `delete ${holder} in the account, or add ${quoted(`lifecycle: { id: ${jsonString(live.id)} }`)} to this declaration: an apply then updates ${holder} to match it`
          : 'delete one of the two',
    };
  return {
    code: 'OBJECT_IN_THE_WAY',
    severity: 'error',
    message: `the server rejects ${address} while ${holder} exists: both lead to ${what.way} through ${what.by}`,
    ...span,
    hint: 'bind that object with lifecycle.id to change it, delete it, or use another routing peer or group',
  };
}

// The message about a value that two kinds must not share. If the values differ only in case, the server accepts them, so the
// message gives another reason.
function apartMessage(
  { change, holder, live }: UniqueClash,
  context: PlanContext,
  value: string,
): string {
  const { field = '', other = '' } = context.kind(change.kind).differsFrom ?? {};
  const own = change.after?.[field];
  const theirs = live && context.fieldsOf(live)[other];
  return theirs === undefined || own === theirs
    ? `the server rejects ${change.address} while ${holder} exists: both have ${quoted(value)}`
    : `the ${quoted(field)} of ${change.address} and the ${quoted(other)} of ${holder}, ${quoted(String(theirs))}, differ only in case: both would answer for the same names`;
}

/**
 * Deletes that run before a create of an object with the same unique value. The key is the address
 * of the deleted object; the value is the address of the created object.
 */
export function deletesThatRunFirst(drafts: readonly Draft[]): ReadonlyMap<Address, Address> {
  const takers = new Map(
    drafts
      .filter(({ action }) => action.verb === 'create')
      .flatMap(({ neededValues, change }) =>
        [...neededValues].map(constraint => [constraint, change.address] as const),
      ),
  );
  return new Map(
    drafts
      .filter(({ change }) => change.type === 'delete')
      .flatMap(({ freedValues, change }) => {
        const heirs = [...freedValues].flatMap(constraint => takers.get(constraint) ?? []).sort();
        return heirs[0] === undefined ? [] : [[change.address, heirs[0]] as const];
      }),
  );
}
