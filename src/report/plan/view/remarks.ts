// Remarks on new objects of any kind that a person must see: an object with a remark is never collapsed.
import type { ShownChange } from '../../../model/change.ts';
import type { Span } from '../../../model/diagnostic.ts';
import type { Address } from '../../../model/names.ts';
import type { Plan } from '../../../model/plan.ts';
import { isHosted } from '../../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../../model/secrets/secret.ts';
import type { Shown } from '../../../model/secrets/shown.ts';
import { namesOf } from '../../../model/spoken.ts';
import { largest } from '../../../model/text/many.ts';
import { quoted } from '../../../model/text/visible.ts';
import { isList, isObject } from '../../../model/value.ts';

/** Everything in a plan about its objects besides their fields. */
export interface Remarks {
  /** By address, the codes of the hazards of its actions. */
  readonly hazards: ReadonlyMap<Address, readonly string[]>;
  /** Objects with a finding of the plan. */
  readonly found: ReadonlySet<Address>;
}

/** The remarks of a plan. */
export function remarksOf({ actions, changes, diagnostics }: Plan): Remarks {
  const hazards = new Map<Address, readonly string[]>();
  for (const { address, hazards: own } of actions)
    if (own.length > 0)
      hazards.set(address, [...(hazards.get(address) ?? []), ...own.map(({ code }) => code)]);
  const inBackticks = diagnostics.flatMap(({ message }) => message.match(/`[^`]*`/g) ?? []);
  const named = new Set(inBackticks);
  const places = diagnostics.flatMap(({ at }) => at ?? []);
  const declared = places.length === 0 ? [] : declaredAt(changes, places);
  const spoken = changes.filter(change => namesOf(change).some(name => named.has(quoted(name))));
  return { hazards, found: new Set([...declared, ...spoken].map(({ address }) => address)) };
}

// A finding may be at the position of a field: its object is the last one that begins before it.
function declaredAt(
  changes: readonly ShownChange[],
  places: readonly Span[],
): readonly ShownChange[] {
  const byFile = Map.groupBy(changes, ({ at }) => at?.file);
  return places.flatMap(({ file, line }) => {
    const before = (byFile.get(file) ?? []).filter(({ at }) => (at?.line ?? 0) <= line);
    const nearest = largest(
      0,
      before.map(({ at }) => at?.line ?? 0),
    );
    return before.filter(({ at }) => at?.line === nearest);
  });
}

/** Whether a new object has a remark: a hazard, a finding, a note, a secret, or that somebody had deleted it. */
export function isRemarkable(change: ShownChange, { hazards, found }: Remarks): boolean {
  const { address, notes, since, after = {} } = change;
  return (
    hazards.has(address) ||
    found.has(address) ||
    notes.length > 0 ||
    (since !== undefined && since !== 'pending') ||
    holdsSecret(after)
  );
}

function holdsSecret(value: Shown): boolean {
  if (isSecret(value) || isHosted(value)) return true;
  if (isList(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}
