// Converts flags that name an object, with any form of its address, to the form in which names are
// compared.
import { isAccessHazard } from '../../access/gates/acceptedAccess.ts';
import { unknownNames } from '../../engine/checks/unknownNames.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { kindNamedIn } from '../../kinds/lookup.ts';
import { LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { canonicalName } from '../../model/objectName.ts';
import type { Plan } from '../../model/plan.ts';
import type { PlanFlags } from './flags.ts';

type ObjectFlags = Pick<PlanFlags, 'allow' | 'resolve' | 'rotate'>;

/**
 * Returns the flags with every object as `kind/key`. Hazards of access name a target instead of an
 * object; targets are unchanged.
 */
export function objectFlags<T extends ObjectFlags>(flags: T, kinds: KindTable) {
  const kindNamed = kindNamedIn(kinds);
  const named = <E extends { readonly object?: string }>(entry: E): E =>
    entry.object === undefined
      ? entry
      : { ...entry, object: canonicalName(entry.object, kindNamed) };
  const { allow = [], resolve = [], rotate = [] } = flags;
  return {
    ...flags,
    allow: allow.map(entry => (isAccessHazard(entry.code) ? entry : named(entry))),
    resolve: resolve.map(named),
    rotate: rotate.map(text => canonicalName(text, kindNamed)),
  };
}

/** The objects that `--allow` and `--resolve` name, each with the flag that names it. */
export function namedObjects({
  allow = [],
  resolve = [],
}: ObjectFlags): NonNullable<PlanSettings['named']> {
  const ofObjects = allow.filter(({ code }) => !isAccessHazard(code) && code !== LOOSENS_GUARDS);
  return [...namedBy('--allow', ofObjects), ...namedBy('--resolve', resolve)];
}

const namedBy = (flag: string, entries: readonly { readonly object?: string }[]) =>
  entries.flatMap(({ object }) => (object === undefined ? [] : [{ flag, object }]));

/** Warnings for objects that flags name and the saved plan does not change. */
export function namedOutsidePlan(
  { actions, changes }: Plan,
  flags: ObjectFlags,
  kinds: KindTable,
): Diagnostic[] {
  const objects = [...actions, ...changes].flatMap(({ kind, key, partOf }) => [
    { kind, key },
    ...(partOf === undefined ? [] : [{ kind, key: partOf }]),
  ]);
  return unknownNames(namedObjects(objectFlags(flags, kinds)), objects, kinds);
}
