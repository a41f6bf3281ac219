// The desired state at the time of a plan. A program may have loaded the files without a clock, or
// long before it plans them.

import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { timeText } from '../../model/ending.ts';
import { quoted } from '../../model/text/visible.ts';
import { endedAt } from '../../source/endings/endedAt.ts';
import { folderAt } from '../../source/endings/folderAt.ts';
import type { StateToPlan } from './planRequest.ts';

/**
 * The state without everything that has ended by `now`, in milliseconds, in its files and in the
 * other folders of the account. If `now` is absent, the state is unchanged, and `clockMissing`
 * refuses the plan.
 */
export function stateAtTime<T extends StateToPlan>(
  state: T,
  kinds: KindTable,
  now: number | undefined,
): T {
  if (now === undefined) return state;
  const { desired, endings } = endedAt(state.desired, kinds, now);
  const { others } = state;
  return {
    ...state,
    desired,
    ...(endings.length > 0 && { endings }),
    ...(others && { others: others.map(other => folderAt(other, kinds, now)) }),
  };
}

/**
 * The error for a plan without a time whose files have end times. Without a time, access that has
 * ended would count as declared.
 */
export function clockMissing(
  { endings = [] }: Pick<StateToPlan, 'endings'>,
  now: number | undefined,
): readonly Diagnostic[] {
  const [first] = endings;
  if (now !== undefined || first === undefined) return [];
  const { kind, key, member, until, at } = first;
  const what = member === undefined ? '' : `${quoted(member)} in `;
  return [
    {
      code: 'CLOCK_MISSING',
      severity: 'error',
      message: `${what}${kind} ${quoted(key)} ends at ${timeText(until)}, and the program that plans the files gives no time`,
      at,
      hint: 'give `now`, in milliseconds, to `planDesired`',
    },
  ];
}
