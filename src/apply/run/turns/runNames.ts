// The ids for keys during a run: the ids that the plan pinned, and the ids of objects that the run
// created.
import { InvariantError, present } from '../../../model/errors.ts';
import { idInKey } from '../../../model/key.ts';
import type { KindName, RemoteId } from '../../../model/names.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Fields, Json, JsonObject } from '../../../model/value.ts';

/** The ids for keys. The run adds the objects that it creates. */
export interface RunNames {
  /**
   * Returns the id of an object. Throws an `InvariantError` for a key that the plan did not pin and
   * the run did not create.
   */
  readonly idOf: (kind: KindName, key: string) => RemoteId;
  /** Returns the id of an object; undefined if the run has not created the object yet. */
  readonly find: (kind: KindName, key: string) => RemoteId | undefined;
  /** Returns a read-only field of an object as last read; undefined if it was not read. */
  readonly fieldOf: (kind: KindName, key: string, field: string) => Json | undefined;
  /** Whether the plan pins this live object, or the run created it. */
  readonly isKnown: (kind: KindName, id: RemoteId) => boolean;
  /** Whether this run, or the earlier run that it continues, wrote the object. */
  readonly isOwn: (kind: KindName, id: RemoteId) => boolean;
  /** Stores an object that was just written. */
  readonly learn: (kind: KindName, key: string, id: RemoteId, body: JsonObject) => void;
}

/** The names at the start of a plan. */
export function runNames(plan: Plan): RunNames {
  const ids = new Map<string, RemoteId>();
  const seen = new Map<string, Fields>();
  for (const { kind, key, id, serverFields } of plan.pins) {
    ids.set(`${kind} ${key}`, id);
    seen.set(`${kind} ${id}`, serverFields ?? {});
  }
  const planned = [...plan.changes, ...plan.leftAlone, ...plan.pins];
  const known = new Set(planned.map(({ kind, id }) => `${kind} ${id}`));
  const learnt = new Map<string, RemoteId>();
  const own = new Set<string>();
  const find = (kind: KindName, key: string) => idInKey(key) ?? ids.get(`${kind} ${key}`);
  const idOf = (kind: KindName, key: string): RemoteId =>
    present(find(kind, key), `the id of ${kind} ${key}`);
  return {
    idOf,
    find,
    fieldOf: (kind, key, field) => seen.get(`${kind} ${idOf(kind, key)}`)?.[field],
    isKnown: (kind, id) => known.has(`${kind} ${id}`),
    isOwn: (kind, id) => own.has(`${kind} ${id}`),
    learn: (kind, key, id, body) => {
      // A pinned key may later refer to the replacement of its object. The key of a created object
      // never changes its object.
      const name = `${kind} ${key}`;
      if ((learnt.get(name) ?? id) !== id) throw new InvariantError(`${name} has two ids`);
      learnt.set(name, id);
      ids.set(name, id);
      known.add(`${kind} ${id}`);
      own.add(`${kind} ${id}`);
      seen.set(`${kind} ${id}`, body);
    },
  };
}
