// The declarations by which unfinished applies created objects, or may have updated them: no base has these declarations.
import type { KindTable } from '../kinds/kind.ts';
import { earlierRun } from '../model/journal.ts';
import { addressOf } from '../model/key.ts';
import type { LeftRun, RunDeclaration } from '../model/leftObjects.ts';
import type { RemoteId } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { declaredObject } from './recordedObjects.ts';

/** The declarations of these applies; `inParts` splits objects as the server does. */
export const declaredByRuns = (
  runs: readonly LeftRun[],
  kinds: KindTable,
  inParts: (objects: readonly Desired[]) => readonly Desired[],
): readonly RunDeclaration[] => runs.flatMap(run => declaredBy(run, kinds, inParts));

function declaredBy(
  { run, plan, entries, created, isLost }: LeftRun,
  kinds: KindTable,
  inParts: (objects: readonly Desired[]) => readonly Desired[],
): readonly RunDeclaration[] {
  const at = { file: `run ${run}`, line: 1, column: 1 };
  const objects = (plan.base?.content?.objects ?? []).flatMap(object => {
    const kind = kinds.get(object.kind);
    return kind ? [declaredObject(object, kind, at)] : [];
  });
  const byAddress = new Map(inParts(objects).map(one => [addressOf(one.kind, one.key), one]));
  const { done, sent, begun } = earlierRun(entries);
  const updated = plan.actions.flatMap(action =>
    action.verb === 'update' &&
    (isLost || done.has(action.id) || sent.has(action.id) || begun.has(action.id))
      ? [{ kind: action.kind, key: action.key, id: action.remoteId }]
      : [],
  );
  const before = (id: RemoteId) => plan.changes.find(change => change.id === id)?.before ?? {};
  return [...created, ...updated].flatMap(({ kind, key, id }): RunDeclaration[] => {
    const object = byAddress.get(addressOf(kind, key));
    return object ? [{ id, object, before: before(id) }] : [];
  });
}
