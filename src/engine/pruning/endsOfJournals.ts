// Objects that applies created with an end and that no file declares any more. Without a base, only the journals of these applies
// have the end.
import { endTime } from '../../model/ending.ts';
import type { ProvablyCreated } from '../../model/leftObjects.ts';
import type { Live } from '../../model/object.ts';
import type { PlanInput } from '../scope/planInput.ts';

/** An object in the account that an apply created with an end. */
export interface EndOfJournal {
  readonly live: Live;
  readonly made: ProvablyCreated;
  /** In milliseconds. */
  readonly until: number;
}

/** Those of the objects that no declaration is paired with that an apply created with an end, by the journals. */
export function endsOfJournals(
  unpaired: readonly Live[],
  { withEnds = [] }: Pick<PlanInput, 'withEnds'>,
): readonly EndOfJournal[] {
  const byId = new Map(withEnds.map(one => [`${one.kind} ${one.id}`, one]));
  return unpaired.flatMap(live => {
    const made = byId.get(`${live.kind} ${live.id}`);
    const until = endTime(made?.until);
    return made && until !== undefined && live.reserved === undefined
      ? [{ live, made, until }]
      : [];
  });
}
