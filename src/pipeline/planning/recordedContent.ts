// Adds the content of the next base to a plan, including what the files adopt.

import type { BaseBefore } from '../../base/nextBase.ts';
import { withContent } from '../../engine/plan/baseContent.ts';
import type { Planned } from '../../engine/plan/plan.ts';
import { bases, type PlanInput } from '../../engine/scope/planInput.ts';
import { recordedWithout, withoutHeld } from '../../engine/waiting/waits.ts';
import { withAdopted } from '../../export/adoption/adopted.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { UnstoredValue } from '../../model/recordedBase.ts';
import type { KnownNames } from '../names/knownNames.ts';

/** The inputs of the next base in addition to the plan. */
interface Recording extends Pick<KnownNames, 'ids' | 'isUnknown' | 'written'> {
  readonly before: BaseBefore | undefined;
  /**
   * Declared values that the server did not store, and the part of them that the plan leaves out.
   */
  readonly unstored: readonly UnstoredValue[];
  readonly held: readonly UnstoredValue[];
}

/** The plan with the content of the next base, and with what the files adopt. */
export function withRecordedContent(
  { plan, waits, idOf, foreignEnds, heldEnds }: Planned,
  input: PlanInput,
  { before, written, ids, isUnknown, unstored, held }: Recording,
): Plan {
  const { kinds, others = [] } = input;
  const former = new Map(bases(input).map(one => [addressOf(one.kind, one.key), one]));
  const staying = written.flatMap(one => {
    const address = addressOf(one.kind, one.key);
    const kept = heldEnds.has(address) ? former.get(address) : undefined;
    if (kept) return kept;
    if (foreignEnds.has(address)) return [];
    return heldEnds.has(address) ? withoutMark(one) : one;
  });
  const declared = recordedWithout(staying, waits, kinds);
  const known = { before, others, isUnknown, unstored, held };
  const content = { desired: declared, bases: bases(input), ...known };
  const settings = withoutHeld(input.settings, waits);
  return withContent(withAdopted(plan, input), content, { kinds, settings, idOf, ids });
}

// An object that has ended is marked for deletion and counts as deleted. If the plan does not
// delete it, the base keeps its former content. Otherwise, the next run would treat the new end
// time as applied.
function withoutMark(object: Desired): Desired {
  const { delete: _, ...lifecycle } = object.lifecycle;
  return { ...object, lifecycle };
}
