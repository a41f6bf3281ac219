// Turns changes into actions. Finds the requests that the actions send, the other objects that they write, and their
// preconditions.
import type { Kind } from '../../kinds/kind.ts';
import { replacedSets } from '../../kinds/values/replacedSets.ts';
import type { Change } from '../../model/change.ts';
import { present } from '../../model/errors.ts';
import { type Address, actionId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type {
  Action,
  CreateAction,
  DeleteAction,
  Members,
  RestoredSet,
  UpdateAction,
} from '../../model/plan.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { isSharedSet } from '../diff/setChanges.ts';
import { isEndOfObject } from '../pruning/isEndOfObject.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Preconditions } from './preconditions.ts';
import { mayTakeAccess } from './takesAccess.ts';

/** The parts of an action that its change does not contain. */
export interface ActionParts {
  readonly kind: Kind;
  /** The fields to send. */
  readonly fields: Fields;
  /** The declared fields, canonical. */
  readonly declared: Fields;
  /** Other objects that the action also writes. */
  readonly through: ReadonlySet<Address>;
  readonly preconditions: Preconditions;
  /** Members that an earlier action moves into the object or out of it. */
  readonly moving?: UpdateAction['moving'];
  /** Sets to restore after the action. */
  readonly restores?: readonly RestoredSet[];
}

/** The action that creates a declared object. */
export function createAction(object: ObjectChange, parts: ActionParts): CreateAction {
  const { kind, fields } = parts;
  const followUp = [...kind.shape.fields.values()].some(field =>
    needsUpdateAfterCreate(field, fields),
  );
  const { until } = object.desired?.lifecycle ?? {};
  return {
    ...actionBase('create', object, parts),
    verb: 'create',
    ...(until !== undefined && { until }),
    fields,
    precondition: parts.preconditions.ofCreate(kind, fields, object.desired?.parent),
    requests: 1 + (followUp ? 1 : 0),
  };
}

/**
 * Whether a create may store a different value in a field than the declared value. If so, an update
 * must follow.
 */
function needsUpdateAfterCreate(
  field: { name: string; updateOnly?: string; default?: Json },
  fields: Fields,
): boolean {
  const value = fields[field.name];
  return value !== undefined && field.updateOnly !== undefined && value !== field.default;
}

/**
 * The requests to restore a set: a read; a write; a second read if the response does not show what
 * was stored; and a read that shows which members joined in the meantime.
 */
const REQUESTS_TO_RESTORE = 4;

/** The action that updates a live object. */
export function updateAction(object: ObjectChange, parts: ActionParts): UpdateAction {
  const { kind } = parts;
  const { renews } = object.change;
  const live = present(object.live, 'the live side of an update');
  const isWritten = Object.keys(parts.fields).length > 0;
  const members = isWritten ? sharedMembers(object, parts) : {};
  const silent = new Set([...Object.keys(members), ...secretsKept(kind, object.change)]);
  const fields = Object.fromEntries(
    Object.entries(parts.fields).filter(([name]) => !silent.has(name)),
  );
  const { moving = {}, restores = [] } = parts;
  const moved = Object.keys(moving).length > 0 ? { moving } : {};
  return {
    ...actionBase('update', object, parts),
    verb: 'update',
    ...placeOf(live),
    fields,
    members,
    ...moved,
    ...(renews && { renews }),
    ...(restores.length > 0 && { restores }),
    precondition: parts.preconditions.ofUpdate(kind, live.idFields, { fields, members, ...moved }),
    requests:
      1 +
      (isWritten ? 1 : 0) +
      (renews ? 1 : 0) +
      (replacedSets(kind).length > 0 ? 1 : 0) +
      (looksForGone(kind, fields) ? 1 : 0) +
      (kind.isReadAlways && mayTakeAccess(object.change, kind) ? 1 : 0) +
      REQUESTS_TO_RESTORE * restores.length,
  };
}

// Whether the update must look up references first. It must if it sends back undeclared references
// as they were read.
const looksForGone = ({ shape }: Kind, fields: Fields): boolean =>
  [...shape.fields.values()].some(({ name, withoutGone }) => withoutGone && !(name in fields));

// The secrets that an update leaves out. A partial update sends a secret only if the secret
// changes.
function secretsKept({ updateMode, shape }: Kind, { fields }: Change): string[] {
  if (updateMode !== 'partial') return [];
  const changed = new Set(fields.map(({ path }) => path[0]));
  return [...shape.fields.values()].flatMap(({ name, writeOnly }) =>
    writeOnly && !changed.has(name) ? [name] : [],
  );
}

/** The action that deletes a live object. */
export function deleteAction(object: ObjectChange, parts: ActionParts): DeleteAction {
  const live = present(object.live, 'the live side of a delete');
  const precondition = parts.preconditions.ofDelete(parts.kind, live);
  return {
    ...actionBase('delete', object, parts),
    verb: 'delete',
    ...placeOf(live),
    precondition,
    requests: 2 + parts.preconditions.cascadeReads(parts.kind, precondition),
  };
}

/**
 * The shared sets of an action: sets with declared members, and sets from which members of the base
 * are removed.
 */
function sharedMembers(
  { change, desired }: ObjectChange,
  { kind, declared }: ActionParts,
): Record<string, Members> {
  const exact = new Set(desired?.lifecycle.exact ?? []);
  const shared = [...kind.shape.fields.values()].filter(field => isSharedSet(field, exact));
  return Object.fromEntries(
    shared.flatMap(({ name }): [string, Members][] => {
      const found = memberChange(change, name);
      if (found) {
        const { added, removed, kept } = found;
        return [[name, { add: texts(added), remove: texts(removed), keep: texts(kept) }]];
      }
      const keep = texts(declared[name]);
      return declared[name] === undefined ? [] : [[name, { add: [], remove: [], keep }]];
    }),
  );
}

function memberChange({ fields }: Change, name: string) {
  const found = fields.find(({ path }) => path[0] === name);
  return found?.type === 'members' ? found : undefined;
}

const placeOf = ({ id, parentId }: Live) => ({ remoteId: id, ...(parentId && { parentId }) });

function actionBase(verb: Action['verb'], object: ObjectChange, { kind, through }: ActionParts) {
  const { change, desired } = object;
  return {
    id: actionId(`${verb} ${change.address}`),
    address: change.address,
    kind: kind.name,
    key: change.key,
    ...(change.partOf !== undefined && { partOf: change.partOf }),
    ...(desired?.parent !== undefined && { parent: desired.parent }),
    after: [],
    writes: [change.address, ...[...through].sort()],
    hazards: [],
    ...(verb === 'delete' && isEndOfObject(object, kind) && { ended: true as const }),
  };
}

const texts = (values: Json | undefined): string[] => (isList(values) ? values.map(String) : []);
