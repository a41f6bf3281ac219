// Checks whether the objects to which an action refers still exist. A server may accept the id of a
// missing object and store the object without it.
import type { ObjectId } from '../../../api/account/objectClient.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { refsIn } from '../../../kinds/values/refs.ts';
import { addressOf, keyOf, segmentsOf } from '../../../model/key.ts';
import type { Key, KindName } from '../../../model/names.ts';
import type { CreateAction, UpdateAction } from '../../../model/plan.ts';
import { listedOrNothing } from '../recovery/notFound.ts';
import { stale } from '../refused.ts';
import type { CheckContext } from './context.ts';

/**
 * Returns whether an object that is missing in a recent list is really absent. The run may have
 * created it after the list was read.
 */
type IsAbsent = (kind: Kind, at: ObjectId) => Promise<boolean>;

/**
 * Throws a `Refused` if the parent of an action, or an object to which it refers, no longer exists.
 * Members of shared sets do not count, because a set is written without missing members. Objects
 * that the run creates later do not count either.
 */
export async function refuseGoneReferences(
  action: CreateAction | UpdateAction,
  context: CheckContext,
  isAbsent: IsAbsent = () => Promise.resolve(true),
): Promise<void> {
  const { kinds, names } = context;
  for (const { kind: name, key } of referredBy(action, context)) {
    const kind = kinds.get(name);
    const id = names.find(name, key);
    if (!kind || id === undefined || kind.cardinality !== 'collection') continue;
    const parentId = parentIdOf(kind, key, context);
    if (kind.parent !== undefined && parentId === undefined) continue;
    const listed = await listedOrNothing(context.lists.list(kind, parentId));
    if (listed.some(one => one.id === id)) continue;
    if (await isAbsent(kind, { id, ...(parentId !== undefined && { parentId }) }))
      throw stale(
        action,
        `refers to ${addressOf(name, key as Key)}, which was deleted from the account since the plan was made`,
      );
  }
}

interface Referred {
  readonly kind: KindName;
  readonly key: string;
}

function referredBy(
  { verb, parent, fields }: CreateAction | UpdateAction,
  { kind }: CheckContext,
): readonly Referred[] {
  const home = kind.parent !== undefined && parent !== undefined && verb === 'create';
  const own = Object.entries(fields).filter(([name]) => !kind.shape.fields.get(name)?.shared);
  return [
    ...(home && kind.parent !== undefined ? [{ kind: kind.parent, key: parent }] : []),
    ...refsIn(kind.shape, Object.fromEntries(own)),
  ];
}

function parentIdOf({ parent, depth }: Kind, key: string, { names }: CheckContext) {
  const home = segmentsOf(key, depth)?.slice(0, -1);
  return parent === undefined || home === undefined ? undefined : names.find(parent, keyOf(home));
}
