// The live objects that applies of these files created, found by their declared names. Somebody may have given the name of one
// object to another object.
import { addressOf } from '../../model/key.ts';
import type { ProvablyCreated } from '../../model/leftObjects.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Pair } from '../types/pairing.ts';

/** Lookups of objects that applies created. */
export interface CreatedByApplies {
  /**
   * The created object of a pair; undefined if no apply created the live object for this
   * declaration.
   */
  readonly asDeclared: (pair: Pair) => ProvablyCreated | undefined;
  /** Whether an apply created an object for a declaration, even if that object no longer exists. */
  readonly isCreated: (desired: Desired) => boolean;
  /**
   * The live object that an apply last created for a declaration, whatever its current name;
   * undefined if that object no longer exists.
   */
  readonly byDeclaration: (desired: Desired) => Live | undefined;
}

/**
 * Returns lookups of the objects that applies created, newest first. For a file of grants, only
 * objects that were created with an end time count.
 */
export function createdByApplies(
  made: readonly ProvablyCreated[],
  live: readonly Live[] = [],
): CreatedByApplies {
  const byId = new Map(made.map(one => [`${one.kind} ${one.id}`, one]));
  const byName = Map.groupBy(made, ({ kind, key, partOf = key }) => addressOf(kind, partOf));
  const isFor = (
    { kind, key, partOf = key, hasEnd }: ProvablyCreated,
    desired: Desired,
  ): boolean => {
    const { part, lifecycle, isGrant } = desired;
    const isNamed = key === desired.key || [part?.whole, lifecycle.was].includes(partOf);
    return kind === desired.kind && isNamed && (hasEnd || !isGrant);
  };
  const idsFor = (desired: Desired): ReadonlySet<string> => {
    const { kind, key, part } = desired;
    const named = byName.get(addressOf(kind, part?.whole ?? key)) ?? [];
    const found = named.filter(one => isFor(one, desired));
    // If an object consists of parts, each part is a separate object.
    const own = found.filter(one => one.key === key);
    return new Set((own.length > 0 ? own : found).map(({ id }) => id));
  };
  return {
    asDeclared: ({ desired, live: { kind, id } }) => {
      const found = byId.get(`${kind} ${id}`);
      return found && isFor(found, desired) ? found : undefined;
    },
    isCreated: desired => idsFor(desired).size > 0,
    byDeclaration: desired => {
      const ids = idsFor(desired);
      return ids.size === 0
        ? undefined
        : live.find(one => one.kind === desired.kind && ids.has(one.id));
    },
  };
}
