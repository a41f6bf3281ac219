// The live objects that applies of these files created, under the names that these have for them. Somebody may have given the name of one to
// another one since.
import { addressOf } from '../../model/key.ts';
import type { MadeObject } from '../../model/leftObjects.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Pair } from '../types/pairing.ts';

/** What is known of the objects that applies created. */
export interface Made {
  /** The object of a pair, if an apply created it for this declaration. */
  readonly asDeclared: (pair: Pair) => MadeObject | undefined;
  /** The object that an apply created last for a declaration, and that is still there under any name. */
  readonly wherever: (desired: Desired) => Live | undefined;
}

/** Looks objects up in what applies created, the newest first. What a file of grants declares must have been created with an end. */
export function madeAs(made: readonly MadeObject[], live: readonly Live[] = []): Made {
  const byId = new Map(made.map(one => [`${one.kind} ${one.id}`, one]));
  const byName = Map.groupBy(made, ({ kind, key, partOf = key }) => addressOf(kind, partOf));
  const isFor = ({ kind, key, partOf = key, hasEnd }: MadeObject, desired: Desired): boolean => {
    const { part, lifecycle, isGrant } = desired;
    const isNamed = key === desired.key || [part?.whole, lifecycle.was].includes(partOf);
    return kind === desired.kind && isNamed && (hasEnd || !isGrant);
  };
  return {
    asDeclared: ({ desired, live: { kind, id } }) => {
      const found = byId.get(`${kind} ${id}`);
      return found && isFor(found, desired) ? found : undefined;
    },
    wherever: desired => {
      const { kind, key, part } = desired;
      const named = byName.get(addressOf(kind, part?.whole ?? key)) ?? [];
      const ids = new Set(named.flatMap(one => (isFor(one, desired) ? one.id : [])));
      return ids.size === 0 ? undefined : live.find(one => one.kind === kind && ids.has(one.id));
    },
  };
}
