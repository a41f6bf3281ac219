// The counts of a plan and of a run, in OpenTofu's words, which other tools look for.
import type { Change } from '../../model/change.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';

export interface Counts {
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
}

/** How many objects are made, changed and deleted. A replacement is one made and one deleted. */
export function countChanges(changes: readonly Change[]): Counts {
  const count = (...types: Change['type'][]) =>
    changes.filter(({ type }) => types.includes(type)).length;
  return {
    add: count('create', 'replace'),
    change: count('update'),
    destroy: count('delete', 'replace'),
  };
}

/** The last line of a plan. */
export function planLine({ changes }: Plan): string {
  const { add, change, destroy } = countChanges(changes);
  if (changes.length === 0) return 'No changes.';
  return `Plan: ${add} to add, ${change} to change, ${destroy} to destroy.`;
}

/** How many outcomes there are of each status. */
export function countOutcomes(
  outcomes: readonly Outcome[],
): Readonly<Record<Outcome['status'], number>> {
  const count = (status: Outcome['status']) =>
    outcomes.filter(outcome => outcome.status === status).length;
  return {
    done: count('done'),
    sent: count('sent'),
    failed: count('failed'),
    skipped: count('skipped'),
    unknown: count('unknown'),
  };
}

/** `1 request`, `2 requests`. */
export function counted(count: number, word: string, plural = `${word}s`): string {
  return `${count} ${count === 1 ? word : plural}`;
}
