// Checks the precondition of an action just before the action. If the precondition does not hold, the action is refused as stale.
import type { ListedObject } from '../../../api/account/objectClient.ts';
import { deleteScope, isDigestOf, updateScope } from '../../../engine/diff/digest.ts';
import { sentRefs } from '../../../engine/plan/pins.ts';
import { cascadesOf, cascadingTo, isSeen } from '../../../kinds/dialect/cascades.ts';
import type { Cascade, Kind } from '../../../kinds/kind.ts';
import { canonicalFields } from '../../../kinds/values/canonical.ts';
import { hasHidden, hiddenPaths } from '../../../kinds/values/hidden.ts';
import { present } from '../../../model/errors.ts';
import { type RemoteId, remoteId } from '../../../model/names.ts';
import type {
  CreateAction,
  DeleteAction,
  SeenChildren,
  UpdateAction,
} from '../../../model/plan.ts';
import { pathName } from '../../../model/text/pathName.ts';
import { nameText } from '../../../model/text/visible.ts';
import { type Fields, isList, type JsonObject, valueAt } from '../../../model/value.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import { listedOrNothing } from '../recovery/notFound.ts';
import { CHANGED, Refused, stale } from '../refused.ts';
import { type CheckContext, parentOf, type TurnContext } from './context.ts';
import { hasIdentityOf } from './sameIdentity.ts';
import { freshMembers, removedMembers } from './sentMembers.ts';
import { fieldsNotStored, isVisible } from './storedFields.ts';
import type { Wanted } from './write.ts';

/** Throws a `Refused` if an object with this identity exists that the plan did not see. */
export async function refusePresent(action: CreateAction, context: CheckContext): Promise<void> {
  const { kind, names, lists } = context;
  const { except } = action.precondition;
  const isExpected = (id: RemoteId) => except.includes(id) || names.isOwn(kind.name, id);
  if (await isParentWithoutOthers(action, isExpected, context)) return;
  const listed = await lists.list(kind, parentOf(action, context));
  const others = listed.filter(({ id }) => !isExpected(id));
  if (others.length === 0) return;
  const isNamesake = hasIdentityOf(action, context);
  const found = others.filter(({ body }) => isNamesake(body)).map(({ id }) => id);
  if (found.length > 0) throw alreadyThere(action, found, context);
}

function alreadyThere(
  action: CreateAction,
  found: readonly RemoteId[],
  { kind, createdEarlier }: CheckContext,
): Refused {
  const ids = `(id ${found.map(nameText).join(', ')})`;
  const isOurs = found.every(id => createdEarlier?.has(id));
  // The object may have existed before, under another declaration; see `withStandIns`.
  if (!isOurs && hasHidden(kind))
    return new Refused({
      code: 'PLAN_STALE',
      message: `${action.address} has an address that the account has already ${ids}`,
      hint: 'remove the declaration, or bind it to that object with lifecycle.id; then make a new plan',
    });
  if (!isOurs) return stale(action, `was created in the account since the plan was made ${ids}`);
  return new Refused({
    code: 'PLAN_STALE',
    message: `${action.address} was created by an earlier apply of this plan ${ids}`,
    hint: 'continue that apply with `meshform apply --resume JOURNAL`',
  });
}

// Whether the parent of a create has no children other than the expected children, according to one
// list of all parents. If parents list their children, this list serves the creates in all parents.
async function isParentWithoutOthers(
  action: CreateAction,
  isExpected: (id: RemoteId) => boolean,
  context: CheckContext,
): Promise<boolean> {
  const { kind, kinds, lists } = context;
  const { childIds } = kind;
  const parent = kind.parent && kinds.get(kind.parent);
  const parentId = parentOf(action, context);
  if (childIds === undefined || !parent || lists.isAtHand(kind, parentId)) return false;
  const found = (await lists.list(parent)).find(({ id }) => id === parentId)?.body[childIds];
  return found === null || (isList(found) && found.every(id => isExpected(remoteId(String(id)))));
}

/**
 * The fields that an action will write to a live object, with the current members of shared sets.
 */
export function wantedOver(
  action: CreateAction | UpdateAction,
  body: JsonObject,
  { kind, names }: Pick<CheckContext, 'kind' | 'names'>,
): Wanted {
  const { fields } = action;
  if (action.verb === 'create') return { fields, removed: {} };
  const { members } = action;
  const live = decodeFields(kind.shape, body, byId);
  return {
    fields: { ...fields, ...freshMembers(kind, members, live, names) },
    removed: removedMembers(kind, members, names),
  };
}

/**
 * The state of an update. `open`: the object is as the plan saw it, or an earlier run sent the
 * update and a read cannot show whether its secrets were stored. An open update is sent. `done`:
 * the object already has all values of the update. Throws a `Refused` in all other cases.
 */
export function stateOfUpdate(
  action: UpdateAction,
  body: JsonObject,
  context: CheckContext & Pick<TurnContext, 'begun'>,
): 'open' | 'done' {
  const { kind, names, begun } = context;
  const live = decodeFields(kind.shape, body, byId);
  const scope = updateScope(kind, action, names.find);
  const isSeen = isDigestOf(action.precondition.digest, kind, live, scope);
  if (isSeen && isAsDeclared(action, live, kind)) return 'open';
  if (isAsWanted(action, body, context)) {
    if (isVisible(kind, wantedOver(action, body, context).fields)) return 'done';
    if (begun?.isOpen === true) return 'open';
  }
  throw stale(action, CHANGED);
}

// A field without a digest must match the files; the other fields must match the digest.
function isAsDeclared({ fields, precondition }: UpdateAction, live: Fields, kind: Kind): boolean {
  const { as_declared: paths = [] } = precondition;
  if (paths.length === 0) return true;
  const held = canonicalFields(kind.shape, live, 'live');
  const known = new Set(paths);
  return hiddenPaths(kind.shape, fields).every(
    ({ path, text }) => !known.has(pathName(path)) || valueAt(held, path) === text,
  );
}

// Whether a read shows no difference from the update. No object can refer to an object that the run
// has not created yet.
function isAsWanted(action: UpdateAction, body: JsonObject, context: CheckContext): boolean {
  const { kind, names } = context;
  const isKnown = sentRefs(kind, action).every(ref => names.find(ref.kind, ref.key));
  if (!isKnown) return false;
  return fieldsNotStored(kind, wantedOver(action, body, context), body, names).length === 0;
}

/** Reads the objects of a kind, or the objects of one parent. */
export type ListChildren = (kind: Kind, parentId?: RemoteId) => Promise<readonly ListedObject[]>;

/**
 * Throws a `Refused` if the object of a delete, or an object that the server deletes with it, is
 * not as the plan saw it.
 */
export async function refuseUnseen(
  action: DeleteAction,
  body: JsonObject,
  context: Pick<CheckContext, 'kind' | 'kinds'>,
  list: ListChildren,
): Promise<void> {
  const { kind, kinds } = context;
  const { digest: seen, children } = action.precondition;
  if (!isWholeDigest(seen, kind, body)) throw stale(action, CHANGED);
  const going = new Map([[kind, new Set([action.remoteId])]]);
  for (const { kind: name, objects } of children) {
    const childKind = present(kinds.get(name), `the kind ${name}`);
    const listed = await listAlong(childKind, going, kind, list);
    going.set(childKind, new Set(listed.map(({ id }) => id)));
    refuseOtherChildren(action, childKind, objects, listed);
  }
}

// The objects of a kind that the server deletes together with objects that are already deleted.
async function listAlong(
  child: Kind,
  going: ReadonlyMap<Kind, ReadonlySet<RemoteId>>,
  root: Kind,
  list: ListChildren,
): Promise<ListedObject[]> {
  const found = new Map<RemoteId, ListedObject>();
  for (const [taker, ids] of going) {
    const cascades = cascadesOf(taker, taker !== root).filter(
      cascade => cascade.kind === child.name && isSeen(cascade, child),
    );
    for (const cascade of cascades) {
      for (const one of await listGiven(cascade, { taker, ids, child }, list))
        found.set(one.id, one);
    }
  }
  return [...found.values()];
}

async function listGiven(
  cascade: Cascade,
  { taker, ids, child }: { taker: Kind; ids: ReadonlySet<RemoteId>; child: Kind },
  list: ListChildren,
): Promise<readonly ListedObject[]> {
  if (ids.size === 0) return [];
  if (cascade.by === undefined) {
    const lists = await Promise.all([...ids].map(id => listedOrNothing(list(child, id))));
    return lists.flat();
  }
  const listed = await list(child);
  return listed.filter(({ body }) => {
    const idFields = decodeFields(child.shape, body, byId);
    return cascadingTo(cascade, taker.name, child, { idFields, serverFields: body }).some(id =>
      ids.has(id),
    );
  });
}

// Fewer children than approved are accepted. Additional or different children are refused.
function refuseOtherChildren(
  action: DeleteAction,
  kind: Kind,
  seen: SeenChildren['objects'],
  listed: readonly ListedObject[],
): void {
  const known = new Map(seen.map(child => [child.id, child.digest]));
  const added = listed.filter(({ id }) => !known.has(id));
  if (added.length > 0)
    throw stale(action, `has ${countOf(kind, added.length)} more than when the plan was made`);
  const changed = listed.filter(({ id, body }) => !isWholeDigest(known.get(id), kind, body));
  if (changed.length > 0)
    throw stale(action, `has ${countOf(kind, changed.length)} changed since the plan was made`);
}

const isWholeDigest = (seen: string | undefined, kind: Kind, body: JsonObject): boolean =>
  isDigestOf(seen, kind, decodeFields(kind.shape, body, byId), deleteScope(kind));

const countOf = ({ noun, plural }: Kind, count: number): string =>
  `${count} ${count === 1 ? noun : plural}`;
