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
 * All findings. Those that are certain only after the edits come last among the findings of their
 * object.
 */
export function withLater(found: Tightening, later: Tightening): Tightening {
  const known = new Set(found.objects.flatMap(({ findings }) => findings.map(nameOf)));
  const isNew = (finding: TightenFinding) =>
    finding.state === 'certain' && !known.has(nameOf(finding));
  const more = later.objects.flatMap((one): readonly TightenedObject[] => {
    const findings = one.findings.filter(isNew);
    return findings.length > 0 ? [{ ...one, findings }] : [];
  });
  const byObject = new Map(more.map(one => [objectName(one.object), one]));
  const objects = found.objects.map(one => {
    const { findings = [] } = byObject.get(objectName(one.object)) ?? {};
    byObject.delete(objectName(one.object));
    return { ...one, findings: [...one.findings, ...findings] };
  });
  return { ...found, objects: [...objects, ...byObject.values()] };
}

/** A text that is the same for findings about the same object or rule. */
export const objectName = ({ kind, key, rule = '' }: NarrowedObject): string =>
  JSON.stringify([kind, key, rule]);

const nameOf = ({ object, what, edit }: TightenFinding): string =>
  JSON.stringify([objectName(object), what, edit]);

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
