// Handles a live object with the same unique name under another parent. It may be the declared
// object after a move, or a different object. The plan does not guess.
import { identityName } from '../../kinds/identity/identity.ts';
import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf, keyOf, segmentsOf } from '../../model/key.ts';
import type { ActionId, Address } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { readUniqueConstraint } from '../actions/uniqueConstraints.ts';
import { formerBinding } from '../renames/bindingHints.ts';
import type { Draft, UniqueConstraint } from '../types/draft.ts';
import type { PlanContext } from '../types/planContext.ts';

/** The hint for an undo. During an undo, the user cannot change files. */
export const BEFORE_UNDO = 'rename or delete that object in the account, then undo again';

/** Whether an object to be created could be a live object that moved. */
export function mayHaveMoved({ type, kind }: Change, context: PlanContext): boolean {
  return type === 'create' && context.kind(kind).parentChangeByDialect !== undefined;
}

/** The object that cannot be created, and possible reasons. */
export interface Blocked {
  readonly change: Change;
  readonly created: ReadonlySet<Address>;
  /** Live objects without a declaration. */
  readonly unpaired: readonly Live[];
}

/** The finding for an object that cannot be created because the live object `holder` has its name. */
export function nameElsewhere(blocked: Blocked, holder: Live, context: PlanContext): Diagnostic {
  const { change } = blocked;
  const { plural, noun, parent } = context.kind(change.kind);
  const home = parent ? context.kind(parent).noun : 'parent';
  const rest = `delete that object, or give this ${noun} another name`;
  const move =
    renamedHome(blocked, holder, context) ??
    `if it has moved to this ${home}, write ${quoted(`lifecycle: { ${formerBinding(holder, context)} }`)}`;
  const inFiles = holder.reserved === undefined ? `${move}; otherwise ${rest}` : rest;
  const names = `names of ${plural} are unique in the account`;
  return {
    code: 'OBJECT_IN_THE_WAY',
    severity: 'error',
    message: `${change.address} cannot be created while ${context.addressOf(holder)} exists: ${names}`,
    ...(change.at && { at: change.at }),
    hint: context.isUndo ? BEFORE_UNDO : inFiles,
  };
}

// A hint that the parent may have been renamed. Given if the plan also creates the parent, and no
// file declares the parent of the other object; otherwise undefined.
function renamedHome(
  { change, created, unpaired }: Blocked,
  { parentId }: Live,
  context: PlanContext,
): string | undefined {
  const { parent, depth } = context.kind(change.kind);
  const [home] = segmentsOf(change.key, depth) ?? [];
  const former = unpaired.find(live => live.kind === parent && live.id === parentId);
  if (parent === undefined || home === undefined || former === undefined) return undefined;
  if (former.reserved !== undefined || !created.has(addressOf(parent, keyOf([home]))))
    return undefined;
  const { noun } = context.kind(parent);
  const binding = quoted(`lifecycle: { ${formerBinding(former, context)} }`);
  return `if the ${noun} ${quoted(home)} was renamed to ${quoted(context.keyOf(former))}, rename it back in the account, or write ${binding} at the ${noun}; if only this object has moved, write the same entry with its own former name`;
}

/**
 * Findings for moves among actions that wait for each other. One action creates an object, a second
 * action deletes it under a different parent, and a third action changes a reference from the
 * deleted object to the created object.
 */
export function circularMoves(
  circle: readonly ActionId[],
  drafts: readonly Draft[],
  unpaired: readonly Live[],
  context: PlanContext,
): Diagnostic[] {
  const stuck = drafts.filter(({ action }) => circle.includes(action.id));
  const left = new Set(stuck.flatMap(({ freedValues }) => [...freedValues]));
  const created = createdIn(drafts);
  return stuck
    .filter(({ change }) => mayHaveMoved(change, context))
    .flatMap(({ change, neededValues }) => {
      const names = [...neededValues.intersection(left)].flatMap(
        constraint => nameIn(constraint) ?? [],
      );
      const kind = context.kind(change.kind);
      const isHolder = (live: Live) =>
        live.kind === kind.name && names.includes(identityName(kind, context.fieldsOf(live)) ?? '');
      const live = unpaired.find(isHolder);
      return live ? [nameElsewhere({ change, created, unpaired }, live, context)] : [];
    });
}

/** The addresses of objects that actions create. */
export const createdIn = (drafts: readonly Draft[]): ReadonlySet<Address> =>
  new Set(drafts.flatMap(({ change }) => (change.type === 'create' ? change.address : [])));

function nameIn(constraint: UniqueConstraint): string | undefined {
  const what = readUniqueConstraint(constraint);
  return 'name' in what ? what.name : undefined;
}
