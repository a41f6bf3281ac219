// Objects that swap unique names. One of them gets a temporary name during the swap (docs/design.md#pairing).
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { segmentsOf } from '../../model/key.ts';
import { type ActionId, actionId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { UpdateAction } from '../../model/plan.ts';
import type { Preconditions } from '../actions/preconditions.ts';
import { readUniqueConstraint } from '../actions/uniqueConstraints.ts';
import { temporaryName } from '../pairing/temporaryName.ts';
import type { Draft } from '../types/draft.ts';

/** An update that gives an object another name. */
interface Renaming {
  readonly draft: Draft;
  readonly action: UpdateAction;
  readonly live: Live;
  readonly kind: Kind;
  /** The field that contains the name. */
  readonly field: string;
}

/**
 * Returns the drafts, with one update of the circle split into two steps, so that its object
 * releases its name before it takes the other name. Null if this does not break the circle.
 */
export function withNameSwap(
  drafts: readonly Draft[],
  circle: readonly ActionId[],
  kinds: KindTable,
  preconditions: Preconditions,
): Draft[] | null {
  const renamings = drafts
    .filter(({ action }) => circle.includes(action.id))
    .flatMap(draft => renamingIn(draft, kinds) ?? [])
    .sort((a, b) => (a.action.id < b.action.id ? -1 : 1));
  const [first] = renamings;
  if (!first) return null;
  const others = drafts.filter(draft => draft !== first.draft);
  return [...others, ...inTwoSteps(first, preconditions)];
}

function renamingIn(draft: Draft, kinds: KindTable): Renaming | null {
  const { action, change, live, firstHalf } = draft;
  const kind = kinds.get(action.kind);
  const [field] = kind ? namingFields(kind) : [];
  const isFreeing = [...draft.freedValues].some(isName);
  if (!kind?.unique || !live || field === undefined || action.verb !== 'update') return null;
  return isFreeing && firstHalf === undefined && !isMoved(kind, change.was, action.parent)
    ? { draft, action, live, kind, field }
    : null;
}

const isName = (constraint: string): boolean => 'name' in readUniqueConstraint(constraint);

// Whether the object also moves. If it does, the first step writes it under the new parent, and the
// second step reads it there.
function isMoved(kind: Kind, was: string | undefined, parent: string | undefined): boolean {
  return kind.parent !== undefined && segmentsOf(was ?? '', kind.depth)?.[0] !== parent;
}

function inTwoSteps(
  { draft, action, live, kind, field }: Renaming,
  { ofUpdate }: Preconditions,
): [Draft, Draft] {
  const names = new Set([...draft.freedValues].filter(isName));
  const between = { [field]: temporaryName(String(action.fields[field])) };
  const renamed = { fields: between, members: {} };
  const first: UpdateAction = {
    ...action,
    ...renamed,
    id: actionId(`rename ${action.address}`),
    precondition: ofUpdate(kind, live.idFields, renamed),
  };
  const last = {
    ...action,
    precondition: ofUpdate(kind, { ...live.idFields, ...between }, action),
  };
  const none: ReadonlySet<never> = new Set();
  return [
    {
      ...draft,
      action: first,
      change: { ...draft.change, fields: [] },
      freedValues: names,
      allTargets: none,
      newTargets: none,
      lostTargets: none,
      neededValues: none,
      newlyHeldValues: none,
    },
    {
      ...draft,
      action: last,
      freedValues: draft.freedValues.difference(names),
      firstHalf: first.id,
    },
  ];
}
