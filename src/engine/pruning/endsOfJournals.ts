// Objects that applies created with an end time, and that no file declares any more. Without a base, only the journals of these
// applies contain the end time.
import { endTime } from '../../model/ending.ts';
import type { ProvablyCreated } from '../../model/leftObjects.ts';
import type { Live } from '../../model/object.ts';
import type { PlanInput } from '../scope/planInput.ts';

/** An object of the account that an apply created with an end time. */
export interface EndOfJournal {
  readonly live: Live;
  readonly made: ProvablyCreated;
  /** The end time, in milliseconds. */
  readonly until: number;
}

/** The unpaired objects that an apply created with an end time, according to the journals. */
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
