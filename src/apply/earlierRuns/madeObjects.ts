// Objects that an apply created, with what its plan says of their ends.
import { declaredObject } from '../../base/objects.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { addressOf } from '../../model/key.ts';
import type { MadeObject } from '../../model/leftObjects.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { ReadJournal } from '../../report/run/journalLines.ts';

/** What a run created, with what its plan says of the objects. */
export type MadeObjects = (
  journal: Pick<ReadJournal, 'plan' | 'chain'>,
  created: readonly RecordedId[],
) => readonly MadeObject[];

/** Looks the created objects up in the base that the run was to record. */
export const madeObjects =
  (kinds: KindTable): MadeObjects =>
  ({ plan, chain }, created) => {
    const ends = endsIn(plan, created, kinds);
    const run = chain?.run ?? '';
    return created.map(one => {
      const hasEnd = ends.get(addressOf(one.kind, one.key));
      return { ...one, run, ...(hasEnd !== undefined && { hasEnd }) };
    });
  };

// By address, whether the object was declared with an end.
function endsIn(
  plan: Plan,
  created: readonly RecordedId[],
  kinds: KindTable,
): ReadonlyMap<string, boolean> {
  const named = new Set(created.map(({ kind }) => kind));
  const objects = plan.base?.content?.objects ?? [];
  return new Map(
    objects.flatMap(object => {
      const kind = named.has(object.kind) ? kinds.get(object.kind) : undefined;
      if (!kind) return [];
      const declared = declaredObject(object, kind, NOWHERE);
      return inEveryDialect(declared, kinds).map(
        ({ kind: name, key }) =>
          [addressOf(name, key), declared.lifecycle.until !== undefined] as const,
      );
    }),
  );
}

const NOWHERE = { file: '', line: 1, column: 1 };

/** The parts in which servers of each dialect keep an object. */
export const inEveryDialect = (declared: Desired, kinds: KindTable): readonly Desired[] =>
  DIALECTS.flatMap(dialect => inParts([declared], kinds, dialect));
