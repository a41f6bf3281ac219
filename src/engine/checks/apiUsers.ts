// The effects of a run on users that call the API. A run may lock out its own user, or leave an
// account without an admin.
import type { Address, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { nameText } from '../../model/text/visible.ts';
import { isOwnUser, OWN_USER } from '../pruning/ownUser.ts';
import type { AccountState, StateObject } from '../types/accountState.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ChangeInAccount, PlanInAccount } from '../types/planInAccount.ts';

/** The hazards of each change for users that call the API, by the address of the changed object. */
export function apiUserHazards(plan: PlanInAccount): FoundHazards {
  const { changes, before, after, context } = plan;
  const isOwn = ({ live }: StateObject) =>
    live !== undefined && isOwnUser(context.kind(live.kind), live);
  const own = new Set(
    [...before.objects.values()].flatMap(one => (one.live && isOwn(one) ? one.live.id : [])),
  );
  const isNobodyLeft = adminsIn(after, plan).size === 0;
  const admins = adminsIn(before, plan);
  return new Map(
    changes.map(object => {
      const { address } = object.change;
      return [
        address,
        [
          ...cutting(object, own, plan),
          ...(isNobodyLeft && admins.has(address) ? [leavingNobody(object)] : []),
        ],
      ];
    }),
  );
}

function cutting(
  object: ChangeInAccount,
  own: ReadonlySet<RemoteId>,
  plan: PlanInAccount,
): FoundHazard[] {
  const { before, context } = plan;
  const { change } = object;
  const live = before.objects.get(change.address)?.live;
  if (!live) return [];
  const loss = own.has(live.id)
    ? lostRights(object, plan)
    : isTokenOf(live, own, context) && change.type !== 'update'
      ? `${change.address} is a token of ${OWN_USER}, and may be the token in use`
      : undefined;
  return loss === undefined ? [] : [{ code: 'CUTS_OWN_ACCESS', message: loss }];
}

function lostRights(
  { change }: ChangeInAccount,
  { after, context: { kind } }: PlanInAccount,
): string | undefined {
  const { principal } = kind(change.kind);
  const who = `${change.address} is ${OWN_USER}`;
  if (principal === undefined || change.type !== 'update') return `${who}, and is deleted`;
  const fields = after.objects.get(change.address)?.fields;
  if (fields?.[principal.blocked] === true) return `${who}, and is blocked`;
  const isOther = change.fields.some(({ path }) => path[0] === principal.role);
  return isOther
    ? `${who}, and its role becomes ${nameText(String(fields?.[principal.role]))}`
    : undefined;
}

// Whether an object is a token of the user: a child of the user whose secret is shown only once.
function isTokenOf(
  { kind: name, parentId }: Live,
  own: ReadonlySet<RemoteId>,
  { kind }: PlanInAccount['context'],
): boolean {
  return parentId !== undefined && own.has(parentId) && kind(name).oneTimeSecret !== undefined;
}

// The users whose role allows them to manage access, by address. A user that is not in the account
// yet cannot call the API.
const adminsIn = ({ objects }: AccountState, { context }: PlanInAccount): ReadonlySet<Address> =>
  new Set(
    [...objects].flatMap(([address, { kind: name, fields, live }]) => {
      const { principal } = context.kind(name);
      const isAdmin =
        live !== undefined &&
        principal?.admin !== undefined &&
        fields[principal.role] === principal.admin &&
        fields[principal.blocked] !== true;
      return isAdmin ? [address] : [];
    }),
  );

function leavingNobody({ change }: ChangeInAccount): FoundHazard {
  const message = `${change.address} is the last admin: afterwards only the owner can manage access`;
  return { code: 'REMOVES_LAST_ADMIN', message };
}
