// What keys stand for during a run: what the plan pinned, and what the run itself has made since.
import { InvariantError, present } from '../../model/errors.ts';
import { idInKey } from '../../model/key.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { Fields, Json, JsonObject } from '../../model/value.ts';

/** The ids behind keys, growing as objects are made. */
export interface RunNames {
  /** The id of an object. Throws an `InvariantError` for a key that the plan neither pinned nor made. */
  readonly idOf: (kind: KindName, key: string) => RemoteId;
  /** The same; undefined for what the run has not created yet. */
  readonly find: (kind: KindName, key: string) => RemoteId | undefined;
  /** What the server alone sets of an object, as last seen; undefined where it was not seen. */
  readonly fieldOf: (kind: KindName, key: string, field: string) => Json | undefined;
  /** Whether the plan speaks of a live object, or the run made it. */
  readonly isKnown: (kind: KindName, id: RemoteId) => boolean;
  /** Whether the run, or the earlier one that it continues, has written it. */
  readonly isOwn: (kind: KindName, id: RemoteId) => boolean;
  /** Remembers an object that was just written. */
  readonly learn: (kind: KindName, key: string, id: RemoteId, body: JsonObject) => void;
}

/** The names that a plan begins with. */
export function runNames(plan: Plan): RunNames {
  const ids = new Map<string, RemoteId>();
  const seen = new Map<string, Fields>();
  for (const { kind, key, id, serverFields } of plan.pins) {
    ids.set(`${kind} ${key}`, id);
    seen.set(`${kind} ${id}`, serverFields ?? {});
  }
  const spoken = [...plan.changes, ...plan.leftAlone, ...plan.pins];
  const known = new Set(spoken.map(({ kind, id }) => `${kind} ${id}`));
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
      // A key that was pinned may come to stand for the object's replacement; one of ours never changes again.
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
