// Objects that an apply created, with what its plan says of their ends.
import { declaredObject } from '../../base/objects.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { isInGrants } from '../../model/grantLimits.ts';
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

/** Looks the created objects up in the plan of the run, and in the base that it was to record. */
export const madeObjects =
  (kinds: KindTable): MadeObjects =>
  ({ plan, chain }, created) => {
    const ends = endsIn(plan).union(endsInBase(plan, created, kinds));
    const wholes = new Map(plan.actions.map(({ address, partOf }) => [address, partOf] as const));
    const run = chain?.run ?? '';
    return created.map(one => {
      const address = addressOf(one.kind, one.key);
      const partOf = wholes.get(address);
      return { ...one, run, ...(partOf !== undefined && { partOf }), hasEnd: ends.has(address) };
    });
  };

// What the plan created with an end. The plan of an older version only says in which files it was declared.
function endsIn({ actions, changes }: Plan): ReadonlySet<string> {
  const created = actions.filter(action => action.verb === 'create' && action.until !== undefined);
  const granted = changes.filter(({ at }) => at !== undefined && isInGrants(at.file));
  return new Set([...created, ...granted].map(({ address }) => address));
}

// What the base declares with an end.
function endsInBase(
  plan: Plan,
  created: readonly RecordedId[],
  kinds: KindTable,
): ReadonlySet<string> {
  const named = new Set(created.map(({ kind }) => kind));
  const objects = plan.base?.content?.objects ?? [];
  return new Set(
    objects.flatMap(object => {
      const kind = named.has(object.kind) ? kinds.get(object.kind) : undefined;
      if (!kind) return [];
      const declared = declaredObject(object, kind, NOWHERE);
      if (declared.lifecycle.until === undefined) return [];
      return inEveryDialect(declared, kinds).map(({ kind: name, key }) => addressOf(name, key));
    }),
  );
}

const NOWHERE = { file: '', line: 1, column: 1 };

/** The parts in which servers of each dialect keep an object. */
export const inEveryDialect = (declared: Desired, kinds: KindTable): readonly Desired[] =>
  DIALECTS.flatMap(dialect => inParts([declared], kinds, dialect));
