// The changes that a plan makes on purpose to the members of a set. These changes are never reverted.
import type { Kind } from '../../../kinds/kind.ts';
import type { KindName, RemoteId } from '../../../model/names.ts';
import type { Plan, ShownAction } from '../../../model/plan.ts';
import { isList, type Json } from '../../../model/value.ts';
import type { RunNames } from '../turns/runNames.ts';
import { removedMembers, wantedMembers } from '../turns/sentMembers.ts';

/** The declared members of a set, as `id:<value>`. */
interface DeclaredMembers {
  /** Whether the files list all members, so that nobody else may join. */
  readonly isWhole: boolean;
  /** Whether an update sends all members, because the files list them. */
  readonly isExact: boolean;
  readonly wanted: ReadonlySet<string>;
  /** The members that the files add. The plan did not see them in the set. */
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Returns the members that a plan declares for a set of an object. */
export type DeclaredIn = (kind: Kind, id: RemoteId, field: string) => DeclaredMembers;

/** The actions of a plan on one object, in their order. */
export type ActionsOn = (kind: KindName, id: RemoteId) => readonly ShownAction[];

/** Groups the actions of a plan by object, with the ids that the run has found. */
export function actionsByObject({ actions }: Plan, names: RunNames): ActionsOn {
  const about = Map.groupBy(actions, action => objectName(action.kind, idOf(action, names)));
  return (kind, id) => about.get(objectName(kind, id)) ?? [];
}

/** The members that the actions of a plan declare. */
export function declaredMembers({ actions }: Plan, on: ActionsOn, names: RunNames): DeclaredIn {
  const restored = new Set(
    actions.flatMap(action =>
      (action.verb === 'update' ? (action.restores ?? []) : []).map(
        ({ kind, key, field }) => `${objectName(kind, names.find(kind, key))} ${field}`,
      ),
    ),
  );
  return (kind, id, field) => {
    const own = on(kind.name, id);
    const idsOf = (keys: (action: ShownAction) => readonly string[]) =>
      wantedMembers(kind, field, own.flatMap(keys), names);
    const isRestored = restored.has(`${objectName(kind.name, id)} ${field}`);
    const isExact = !isRestored && own.some(action => isWritten(action, field));
    return {
      isWhole: isRestored || isExact,
      isExact,
      wanted: idsOf(action => wantedKeys(action, field)),
      added: idsOf(action => (action.verb === 'update' ? (action.members[field]?.add ?? []) : [])),
      removed: new Set(own.flatMap(action => removedIds(kind, action, field, names))),
    };
  };
}

const objectName = (kind: KindName, id: RemoteId | undefined): string => `${kind} ${id}`;

const idOf = (action: ShownAction, names: RunNames): RemoteId | undefined =>
  action.verb === 'create' ? names.find(action.kind, action.key) : action.remoteId;

// Whether an update replaces a set. It does if its fields contain the set. Members of a set that
// others also own are listed separately.
const isWritten = (action: ShownAction, field: string): boolean =>
  action.verb === 'update' && action.fields[field] !== undefined;

function wantedKeys(action: ShownAction, field: string): string[] {
  if (action.verb === 'delete') return [];
  if (action.verb === 'create') return textsIn(action.fields[field]);
  const { add = [], keep = [] } = action.members[field] ?? {};
  return [...add, ...keep];
}

function removedIds(kind: Kind, action: ShownAction, field: string, names: RunNames): string[] {
  if (action.verb !== 'update') return [];
  return textsIn(removedMembers(kind, action.members, names)[field]);
}

const textsIn = (value: Json | undefined): string[] => (isList(value) ? value.map(String) : []);
