// The objects that an apply created, and whether each of them expires according to the plan of the apply.
import { declaredObject } from '../../base/recordedObjects.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { isInGrants } from '../../model/grantLimits.ts';
import { addressOf } from '../../model/key.ts';
import type { ProvablyCreated } from '../../model/leftObjects.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { ReadJournal } from '../../report/run/journalLines.ts';

/** Returns the objects that a run created, and what the plan of the run declares about them. */
export type CreatedObjects = (
  journal: Pick<ReadJournal, 'plan' | 'chain'>,
  created: readonly RecordedId[],
) => readonly ProvablyCreated[];

/**
 * Looks up the created objects in the plan of the run, and in the base that the run would have
 * recorded.
 */
export const createdObjects =
  (kinds: KindTable): CreatedObjects =>
  ({ plan, chain }, created) => {
    const recorded = declaredInBase(plan, new Set(created.map(({ kind }) => kind)), kinds);
    const ended = recorded.filter(({ lifecycle }) => lifecycle.until !== undefined);
    const ends = endsIn(plan).union(new Set(ended.map(({ kind, key }) => addressOf(kind, key))));
    const wholes = new Map(plan.actions.map(({ address, partOf }) => [address, partOf] as const));
    const untils = untilsIn(plan);
    const run = chain?.run ?? '';
    return created.map(one => {
      const address = addressOf(one.kind, one.key);
      const partOf = wholes.get(address);
      const until = untils.get(address);
      return {
        ...one,
        run,
        ...(partOf !== undefined && { partOf }),
        hasEnd: ends.has(address),
        ...(until !== undefined && { until }),
      };
    });
  };

/**
 * For each object of some kinds, by address, whether it expires according to the plan. For an
 * update, the plan shows only the file of the declaration. Everything in a file of grants expires,
 * so an object in such a file expires.
 */
export function declaredEnds(
  plan: Plan,
  named: ReadonlySet<KindName>,
  kinds: KindTable,
): ReadonlyMap<string, boolean> {
  const created = endsIn(plan);
  const changed = plan.changes.flatMap(({ type, address, at }) =>
    type === 'delete' || at === undefined ? [] : [[address, created.has(address)] as const],
  );
  const recorded = declaredInBase(plan, named, kinds).map(
    ({ kind, key, lifecycle }) => [addressOf(kind, key), lifecycle.until !== undefined] as const,
  );
  return new Map([...changed, ...recorded]);
}

const untilsIn = ({ actions }: Plan): ReadonlyMap<string, string> =>
  new Map(
    actions.flatMap(action =>
      action.verb === 'create' && action.until !== undefined
        ? [[action.address, action.until] as const]
        : [],
    ),
  );

// The addresses of the objects that the plan created with an expiry time. The plan of an older
// version shows only the files that declared the objects.
function endsIn({ actions, changes }: Plan): ReadonlySet<string> {
  const created = actions.filter(action => action.verb === 'create' && action.until !== undefined);
  const granted = changes.filter(({ at }) => at !== undefined && isInGrants(at.file));
  return new Set([...created, ...granted].map(({ address }) => address));
}

// The objects of some kinds that the base of the plan declares, both as wholes and as parts.
const declaredInBase = (
  plan: Plan,
  named: ReadonlySet<KindName>,
  kinds: KindTable,
): readonly Desired[] =>
  (plan.base?.content?.objects ?? []).flatMap(object => {
    const kind = named.has(object.kind) ? kinds.get(object.kind) : undefined;
    if (!kind) return [];
    const declared = declaredObject(object, kind, NOWHERE);
    return [declared, ...inEveryDialect(declared, kinds)];
  });

const NOWHERE = { file: '', line: 1, column: 1 };

/** The parts in which servers store an object, for each dialect. */
export const inEveryDialect = (declared: Desired, kinds: KindTable): readonly Desired[] =>
  DIALECTS.flatMap(dialect => inParts([declared], kinds, dialect));
