// The access after each action of an apply, as the difference from the access before the apply.
import type { AccessStep, AccessStepChange } from '../../model/access/accessPicture.ts';
import { present } from '../../model/errors.ts';
import type { ShownAction } from '../../model/plan.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import { accessChanges } from '../diff/accessChanges.ts';
import { reachesOf } from '../flows/reaches.ts';
import { type ComparedAccess, entryOf } from '../plan/changeEntry.ts';
import { rowPool } from '../sets/rowPool.ts';
import { without } from '../sets/traffic.ts';
import { mayBeOpen } from '../state/internetPorts.ts';
import { frameOf } from '../world/world.ts';
import { changeEnds } from './changeEnds.ts';
import { planStates, type Replayed } from './planStates.ts';
import { namesBeforeAndAfter, namesDuringApply, renamed } from './shownStates.ts';

/** The maximum of members times states. Computing more would take too long for a page. */
const MOST = 100_000;

/** The steps that change access, in the order of `actions`. Undefined if there are too many states to evaluate. */
export function accessSteps(
  account: Replayed,
  actions: readonly ShownAction[],
): readonly AccessStep[] | undefined {
  const { states, steps } = planStates(account, actions);
  const [keysBefore, keysAfter] = namesBeforeAndAfter(account);
  const isOpen = mayBeOpen([...account.live, ...actions]);
  const first = renamed(states[0], keysBefore);
  const last = renamed(states.at(-1) ?? states[0], keysAfter);
  const frame = frameOf(first, last, isOpen);
  if (frame.first.size * steps.length > MOST) return undefined;
  const keysBetween = namesDuringApply(account);
  const pool = rowPool();
  const before = reachesOf(frame.first, pool);
  const namers = { before: memberSetNamer(frame.first), after: memberSetNamer(frame.last) };
  // The state is computed again for each use, because keeping all states would need too much
  // memory.
  const afterStep = (at: number) => {
    const state = present(states[at + 1], 'the state after a step');
    return reachesOf(frame.between(renamed(state, keysBetween)), pool);
  };
  const ends = changeEnds(steps.map((_, at) => accessChanges(before, afterStep(at)).changes));
  return steps.map(({ position }, at) => {
    const after = afterStep(at);
    const compared: ComparedAccess = { before, after, namers, involved: [], causes: withoutCauses };
    const changes = (ends[at] ?? []).flatMap(({ change, endsWith }): AccessStepChange[] => {
      const entry = entryOf(change, compared);
      if (endsWith === undefined) return [entry];
      // A destination to which no machine routes is reachable for nobody, so access to it is never
      // temporarily missing or open.
      if (entry.no_router) return gainOf(change).map(gain => entryOf(gain, compared));
      return [{ ...entry, until_step: present(steps[endsWith], 'a later step').position }];
    });
    const { id } = present(actions[position - 1], 'the action of a step');
    return { position, action: id, changes };
  });
}

// The access that a change gives in addition to a loss.
function gainOf(change: AccessChange): readonly AccessChange[] {
  const { kind, usable } = change;
  if (kind !== 'changed' || usable === undefined) return [];
  const { before, after } = usable;
  const kept = without(before, without(before, after));
  if (without(after, kept).length === 0) return [];
  return [{ ...change, kind: 'gained', loses: false, usable: { ...usable, before: kept } }];
}

// Causes are left out, because all actions up to the step are causes.
const withoutCauses: ComparedAccess['causes'] = () => ({ addresses: [], isOneOf: false });
