// The counts of a plan and of a run, in OpenTofu's wording, which other tools search for.
import type { Change } from '../../model/change.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';

export interface Counts {
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
}

/** The numbers of created, changed and deleted objects. A replacement counts as created and as deleted. */
export function countChanges(changes: readonly Change[]): Counts {
  const count = (...types: Change['type'][]) =>
    changes.filter(({ type }) => types.includes(type)).length;
  return {
    add: count('create', 'replace'),
    change: count('update'),
    destroy: count('delete', 'replace'),
  };
}

/** The summary line of a plan. */
export function planLine({ changes }: Plan): string {
  const { add, change, destroy } = countChanges(changes);
  if (changes.length === 0) return 'No changes.';
  return `Plan: ${add} to add, ${change} to change, ${destroy} to destroy.`;
}

/** The number of outcomes by status. */
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

/** A number out of a total, with the verb that agrees: `1 of 3 actions is`, `0 of 1 action is`. */
export function countedOf(
  part: number,
  whole: number,
  word: string,
  [one, many]: readonly [one: string, many: string],
): string {
  return `${part} of ${counted(whole, word)} ${part === 1 || whole === 1 ? one : many}`;
}
