// Findings about the files as they are after the edits of earlier findings.
import type { AccessState } from '../../access/state/accessState.ts';
import type {
  NarrowedObject,
  TightenedObject,
  TightenFinding,
  Tightening,
} from '../../model/tightening.ts';
import type { Observed } from '../observed.ts';

/**
 * The findings; those that are certain only after the edits take the place of what was said of the same part, or come last among the
 * findings of their object.
 */
export function withLater(found: Tightening, later: Tightening): Tightening {
  const all = found.objects.flatMap(({ findings }) => findings);
  const known = new Set(all.filter(isCertain).map(nameOf));
  const more = later.objects.flatMap((one): readonly TightenedObject[] => {
    const fresh = one.findings.filter(each => isCertain(each) && !known.has(nameOf(each)));
    return fresh.length > 0 ? [{ ...one, findings: fresh.map(afterOthers) }] : [];
  });
  const replaced = new Set(more.flatMap(({ findings }) => findings.map(nameOf)));
  const byObject = new Map(more.map(one => [objectName(one.object), one]));
  const objects = found.objects.map(one => {
    const { findings = [] } = byObject.get(objectName(one.object)) ?? {};
    byObject.delete(objectName(one.object));
    const left = one.findings.filter(each => !replaced.has(nameOf(each)));
    return { ...one, findings: [...left, ...findings] };
  });
  return { ...found, objects: [...objects, ...byObject.values()] };
}

/** A finding that other edits make true, as it is said of the files before all edits. */
export function afterOthers(finding: TightenFinding): TightenFinding {
  const { type, observed } = finding;
  return type === 'duplicate-rule'
    ? { ...finding, observed: `${observed} after the other edits` }
    : finding;
}

const isCertain = ({ state }: TightenFinding): boolean => state === 'certain';

/** A text that is the same for findings about the same object or rule. */
export const objectName = ({ kind, key, rule = '' }: NarrowedObject): string =>
  JSON.stringify([kind, key, rule]);

// A whole rule is one part, for whatever reason it is removed.
const nameOf = ({ object, type, what, edit }: TightenFinding): string =>
  JSON.stringify([objectName(object), WHOLE.has(type) ? 'whole' : [what, edit]]);

const WHOLE: ReadonlySet<TightenFinding['type']> = new Set([
  'unused-policy',
  'unused-rule',
  'duplicate-rule',
]);

/** The observations, with the account after edits that removed policies and routes: these admit nothing any more. */
export function afterEdits(observed: Observed, left: AccessState): Observed {
  const { states, window } = observed;
  const last = states.at(-1)?.state;
  if (last === undefined) return observed;
  const ids = new Set([...left.policies, ...left.routes].map(({ id }) => id));
  const isLeft = ({ id }: { readonly id?: string }) => ids.has(id);
  const policies = last.policies.filter(isLeft);
  const routes = last.routes.filter(isLeft);
  const state = { ...last, policies, routes };
  return { ...observed, states: [...states, { from: window.to, state }] };
}
