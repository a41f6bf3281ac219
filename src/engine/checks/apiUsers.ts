// The effects of a run on users that call the API: it may lock out its own user, or leave an account without an admin.
import type { Kind } from '../../kinds/kind.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { nameText } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import { resultingFields } from '../pairing/planContext.ts';
import { isOwnUser, OWN_USER } from '../pruning/ownUser.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/** The hazards of each change for the callers of the API, by the address of the changed object. */
export function apiUserHazards(
  changes: readonly ObjectChange[],
  live: readonly Live[],
  context: PlanContext,
): FoundHazards {
  const own = live.filter(object => isOwnUser(context.kind(object.kind), object));
  const ownIds = new Set(own.map(({ id }) => id));
  const { leaving, isNobodyLeft } = adminsAfter(changes, live, context);
  return new Map(
    changes.map(object => [
      object.change.address,
      [
        ...cutting(object, ownIds, context),
        ...(isNobodyLeft && leaving.has(object) ? [leavingNobody(object)] : []),
      ],
    ]),
  );
}

function cutting(
  object: ObjectChange,
  own: ReadonlySet<RemoteId>,
  context: PlanContext,
): FoundHazard[] {
  const { change, live } = object;
  if (!live) return [];
  const loss = own.has(live.id)
    ? lostRights(object, context)
    : isTokenOf(live, own, context) && change.type !== 'update'
      ? `${change.address} is a token of ${OWN_USER}, and may be the token in use`
      : undefined;
  return loss === undefined ? [] : [{ code: 'CUTS_OWN_ACCESS', message: loss }];
}

function lostRights({ change }: ObjectChange, { kind }: PlanContext): string | undefined {
  const { principal } = kind(change.kind);
  const who = `${change.address} is ${OWN_USER}`;
  if (principal === undefined || change.type !== 'update') return `${who}, and is deleted`;
  if (change.after?.[principal.blocked] === true) return `${who}, and is blocked`;
  const isOther = change.fields.some(({ path }) => path[0] === principal.role);
  return isOther
    ? `${who}, and its role becomes ${nameText(String(change.after?.[principal.role]))}`
    : undefined;
}

// Whether an object is a credential of the user: a child of the user that is shown only once.
function isTokenOf(
  { kind: name, parentId }: Live,
  own: ReadonlySet<RemoteId>,
  { kind }: PlanContext,
): boolean {
  return parentId !== undefined && own.has(parentId) && kind(name).oneTimeSecret !== undefined;
}

// The changes after which a user is no longer an admin, and whether any admin remains.
function adminsAfter(
  changes: readonly ObjectChange[],
  live: readonly Live[],
  context: PlanContext,
): { readonly leaving: ReadonlySet<ObjectChange>; readonly isNobodyLeft: boolean } {
  const admins = live.filter(one => isAdminBy(context.kind(one.kind), context.fieldsOf(one)));
  const changed = new Map(changes.map(object => [object.live, object]));
  const leaving = admins.flatMap(one => {
    const object = changed.get(one);
    return object && !isAdminAfter(object, context) ? [object] : [];
  });
  const isJoined = changes.some(object => isAdminAfter(object, context));
  return {
    leaving: new Set(leaving),
    isNobodyLeft: leaving.length === admins.length && !isJoined,
  };
}

const isAdminBy = ({ principal }: Kind, fields: Fields): boolean =>
  principal?.admin !== undefined &&
  fields[principal.role] === principal.admin &&
  fields[principal.blocked] !== true;

// Whether a user who can call the API now is an admin after the change.
function isAdminAfter({ change, live }: ObjectChange, context: PlanContext): boolean {
  const kind = context.kind(change.kind);
  if (!kind.principal?.admin || !live || change.type !== 'update') return false;
  return isAdminBy(kind, resultingFields(kind, change.after ?? {}, live, context));
}

function leavingNobody({ change }: ObjectChange): FoundHazard {
  const message = `${change.address} is the last admin: afterwards only the owner can manage access`;
  return { code: 'REMOVES_LAST_ADMIN', message };
}
