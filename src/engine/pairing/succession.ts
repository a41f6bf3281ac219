// The step that finds the live object which a declared object replaces.
import { canonicalFields } from '../../kinds/values/canonical.ts';
import type { Desired } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Named } from './namedObjects.ts';
import { liveFields, parentKey } from './naming.ts';
import type { PairingStage, Step } from './step.ts';

/** The unpaired objects of one kind, by parent and by the values of the deciding fields. */
interface Vacancies {
  readonly wanted: ReadonlyMap<string, readonly Desired[]>;
  readonly left: ReadonlyMap<string, readonly Named[]>;
}

const known = new WeakMap<PairingStage, Vacancies>();

/**
 * Finds the undeclared live object that a declared object replaces. The deciding fields must be equal in exactly one live and one
 * declared object.
 */
export const bySuccession: Step = (desired, stage) => {
  if (!stage.kind.succession) return [];
  const vacancies = known.get(stage) ?? vacanciesOf(stage, stage.kind.succession);
  known.set(stage, vacancies);
  const place = placeOfDesired(desired, stage, stage.kind.succession);
  const candidates = vacancies.left.get(place) ?? [];
  return vacancies.wanted.get(place)?.length === 1 && candidates.length === 1 ? candidates : [];
};

// The unpaired objects, by place. Computed once, because pairs in other places do not change the
// objects in a place.
function vacanciesOf(stage: PairingStage, names: readonly string[]): Vacancies {
  const { kind, unclaimed, waiting, naming } = stage;
  const wanted = waiting.all();
  const ours = unclaimed.all().filter(({ live }) => live.reserved === undefined);
  return {
    wanted: Map.groupBy(wanted, desired => placeOfDesired(desired, stage, names)),
    left: Map.groupBy(ours, ({ live }) =>
      placeOf(parentKey(kind, live, naming), liveFields(kind, live, naming), names),
    ),
  };
}

const placeOfDesired = (
  { parent, fields }: Desired,
  { kind }: PairingStage,
  names: readonly string[],
): string => placeOf(parent, canonicalFields(kind.shape, fields, 'desired'), names);

const placeOf = (parent: string | undefined, fields: Fields, names: readonly string[]): string =>
  JSON.stringify([parent ?? null, ...names.map(name => fields[name] ?? null)]);
