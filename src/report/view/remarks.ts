// Finds new objects with a remark that a person must see. Such an object is never collapsed.
import type { ShownChange } from '../../model/change.ts';
import type { Span } from '../../model/diagnostic.ts';
import { flagNamesOf } from '../../model/flagNames.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject } from '../../model/value.ts';

/** The facts in a plan about its objects, apart from their fields. */
export interface Remarks {
  /** The codes of the hazards of an object's actions, by address. */
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
  // For a finding in a template, the place of the object that uses the template.
  const places = diagnostics.flatMap(({ at }) => at?.use?.places.at(-1) ?? at ?? []);
  const declared = places.length === 0 ? [] : declaredAt(changes, places);
  const marked = changes.filter(change =>
    flagNamesOf(change).some(name => named.has(quoted(name))),
  );
  return { hazards, found: new Set([...declared, ...marked].map(({ address }) => address)) };
}

// The object that a finding is about. A finding may be at the position of a field, so its object is the last object that begins
// before this position.
function declaredAt(
  changes: readonly ShownChange[],
  places: readonly Span[],
): readonly ShownChange[] {
  const byFile = Map.groupBy(changes, ({ at }) => at?.file);
  const linesByFile = Map.groupBy(places, ({ file }) => file);
  return [...linesByFile].flatMap(([file, own]) => {
    const byLine = Map.groupBy(byFile.get(file) ?? [], ({ at }) => at?.line ?? 0);
    const starts = [...byLine.keys()].sort((a, b) => a - b);
    const lines = [...new Set(own.map(({ line }) => line))].sort((a, b) => a - b);
    return startsBefore(lines, starts).flatMap(start => byLine.get(start) ?? []);
  });
}

// For each line, the last start that is not after the line; both lists are sorted.
function startsBefore(lines: readonly number[], starts: readonly number[]): readonly number[] {
  const found = new Set<number>();
  let at = 0;
  for (const line of lines) {
    while ((starts[at] ?? Number.POSITIVE_INFINITY) <= line) at += 1;
    const start = starts[at - 1];
    if (start !== undefined) found.add(start);
  }
  return [...found];
}

/**
 * Whether a new object has a remark: a hazard, a finding, a note, a secret, or the fact that somebody deleted the object before.
 */
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
