// Finds the suggested renames that cause no errors in the plan. The rename of one object can cause
// a fault of another: a route through a renamed group collides with the same route under a new
// name.
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { RefusedRename, SuggestedRename } from '../../model/suggestedRename.ts';

/** The findings of the plan for other declarations. */
export type FindingsFor = (desired: readonly Desired[]) => readonly Diagnostic[];

interface Plan {
  readonly desired: readonly Desired[];
  readonly diagnostics: readonly Diagnostic[];
  readonly findingsFor: FindingsFor;
}

/**
 * Splits suggestions into two groups: those that cause no new errors in the plan, and the others.
 */
export function acceptedRenames(
  suggested: readonly SuggestedRename[],
  plan: Plan,
): { readonly suggested: readonly SuggestedRename[]; readonly refused: readonly RefusedRename[] } {
  const { desired, diagnostics, findingsFor } = plan;
  const known = new Set(diagnostics.map(textOf));
  const accepted: SuggestedRename[] = [];
  const refused: RefusedRename[] = [];
  // Halves the suggestions until each suggestion that adds an error is alone. Most plans accept all
  // suggestions at once.
  const take = (some: readonly SuggestedRename[]): void => {
    const [rename] = some;
    if (rename === undefined) return;
    const found = findingsFor(withEntries(desired, [accepted, some].flat()));
    const error = found.find(one => hasErrors([one]) && !known.has(textOf(one)));
    if (error === undefined) for (const one of some) accepted.push(one);
    else if (some.length === 1) refused.push({ rename, because: error.message });
    else {
      const half = Math.ceil(some.length / 2);
      take(some.slice(0, half));
      take(some.slice(half));
    }
  };
  take(suggested);
  return { suggested: accepted, refused };
}

const textOf = ({ code, message }: Diagnostic): string => `${code} ${message}`;

function withEntries(
  desired: readonly Desired[],
  renames: readonly SuggestedRename[],
): readonly Desired[] {
  const entries = new Map(renames.map(one => [addressOf(one.kind, one.key), one.entry]));
  return desired.map(object => {
    const entry = entries.get(addressOf(object.kind, object.key));
    if (entry === undefined) return object;
    return { ...object, lifecycle: { ...object.lifecycle, [entry.name]: entry.value } };
  });
}
