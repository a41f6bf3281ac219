// What a plan adopts: live objects that the files declare and that are not in the base.
import { pairObjects } from '../../engine/pairing/pairObjects.ts';
import { markedForDeletion } from '../../engine/scope/markedForDeletion.ts';
import type { PlanInput } from '../../engine/scope/planInput.ts';
import { waitingInput } from '../../engine/waiting/waits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Plan } from '../../model/plan.ts';

const NOTE = 'adopted: the account had it before the files did';

/**
 * The plan, with a note on every change of an adopted object, and a finding that names the unchanged ones. Without a
 * base, adopted objects cannot be detected.
 */
export function withAdopted(plan: Plan, input: PlanInput): Plan {
  if (input.base.length === 0) return plan;
  const { kinds, desired, base, snapshot, settings, meant, recordedIds } = waitingInput(input);
  const isMarkedForDeletion = markedForDeletion(desired, kinds);
  const { now } = settings;
  const rules = { isMarkedForDeletion, now, meant, recordedIds };
  const pairing = pairObjects({ kinds, desired, live: snapshot.objects, base }, rules);
  const adopted = new Set(
    pairing.pairs
      // A file of grants adopts nothing.
      .filter(({ desired: one }) => !isMarkedForDeletion(one) && !one.isGrant)
      .map(pair => addressOf(pair.desired.kind, pair.desired.key))
      .filter(address => !pairing.base.has(address)),
  );
  if (adopted.size === 0) return plan;
  const changes = plan.changes.map(change =>
    adopted.has(change.address) ? { ...change, notes: [NOTE, ...change.notes] } : change,
  );
  const asDeclared = adopted.difference(new Set(changes.map(({ address }) => address)));
  return { ...plan, changes, diagnostics: [...plan.diagnostics, ...finding([...asDeclared])] };
}

function finding(addresses: readonly string[]): Diagnostic[] {
  if (addresses.length === 0) return [];
  const message = `adopted as they are, because the base did not declare them: ${addresses.join(', ')}`;
  return [{ code: 'OBJECT_ADOPTED', severity: 'note', message }];
}
