// Converts references of the account and of a plan to ids. The same key may denote one object in
// the account and another object in the plan.
import { idKey } from '../../model/key.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';

/** Converts a reference to `id:<value>`; a key without an id stays as it is. */
type ToId = (kind: string, key: string) => string;

export interface ReferenceIds {
  /** Converts keys in the account's objects. */
  readonly ofLive: ToId;
  /** Converts keys in the plan's actions. */
  readonly ofPlan: ToId;
}

/** The conversions for an account and for a plan of it. */
export function referenceIdsOf(
  live: readonly Live[],
  { actions, pins }: Pick<Plan, 'actions' | 'pins'>,
): ReferenceIds {
  const ids = new Map(live.map(({ kind, key, id }) => [`${kind} ${key}`, id]));
  const created = new Set(
    actions.flatMap(({ verb, kind, key }) => (verb === 'create' ? [`${kind} ${key}`] : [])),
  );
  const pinned = new Map(pins.map(({ kind, key, id }) => [`${kind} ${key}`, id]));
  const of = (kind: string, key: string, known: readonly ReadonlyMap<string, Live['id']>[]) => {
    const name = `${kind} ${key}`;
    const id = known.map(map => map.get(name)).find(found => found !== undefined);
    return id === undefined ? key : idKey(id);
  };
  return {
    ofLive: (kind, key) => of(kind, key, [ids]),
    ofPlan: (kind, key) => (created.has(`${kind} ${key}`) ? key : of(kind, key, [pinned, ids])),
  };
}
