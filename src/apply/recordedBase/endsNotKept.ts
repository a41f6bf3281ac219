// Hazards of an undo that restores access whose expiry is not stored anywhere. Such access would
// never expire.
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { Hazard, Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';

/**
 * Where the expiry of what an undo restores is stored. The journal of the undo stores only the
 * expiry of whole objects.
 */
export type EndKeeper = 'base' | 'journal' | 'nothing';

/**
 * The plan of an undo, with a hazard for each action that restores something and loses its expiry.
 */
export function withEndsNotKept<P extends Pick<Plan, 'actions'>>(
  plan: P,
  desired: readonly Desired[],
  keeper: EndKeeper,
): P {
  if (keeper === 'base') return plan;
  const declared = new Map(desired.map(one => [addressOf(one.kind, one.key), one]));
  const actions = plan.actions.map(action => {
    const own = declared.get(addressOf(action.kind, action.key));
    const lost = own ? endsLost(own, keeper) : [];
    if (lost.length === 0) return action;
    const hazard: Hazard = {
      code: 'LOSES_END',
      message: `${action.address} is restored, but these expiry times are lost: ${lost.join(', ')}`,
      allowed: false,
    };
    return { ...action, hazards: [...action.hazards, hazard] };
  });
  return { ...plan, actions };
}

function endsLost(
  { lifecycle: { until }, ends = [] }: Desired,
  keeper: EndKeeper,
): readonly string[] {
  const whole = until === undefined || keeper === 'journal' ? [] : [`itself at ${until}`];
  const members = ends.map(
    ({ member, list, until: end }) => `${quoted(member)} in ${quoted(list.at(-1) ?? '')} at ${end}`,
  );
  return [...whole, ...members];
}
