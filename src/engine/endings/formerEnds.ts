// The end times in the base of a plan. The files may no longer contain them, but an undo of the
// plan needs them.
import type { IdOf } from '../../model/comparedAccount.ts';
import { endTime, timeText } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { FormerEnd, Plan } from '../../model/plan.ts';
import type { PlanInput } from '../scope/planInput.ts';
import { memberEnds } from './givenEnds.ts';

/**
 * The end times in the bases of a plan or, without a base, in journals; empty if the plan removes
 * nothing.
 */
export function formerEnds(
  {
    kinds,
    base,
    recorded,
    recordedIds,
    withEnds = [],
  }: Pick<PlanInput, 'kinds' | 'base' | 'recorded' | 'recordedIds' | 'withEnds'>,
  { actions }: Pick<Plan, 'actions'>,
  idOf: IdOf,
): readonly FormerEnd[] {
  if (actions.every(({ verb }) => verb === 'create')) return [];
  const objects = new Map(
    [...(recorded?.objects ?? []), ...base].map(one => [addressOf(one.kind, one.key), one]),
  );
  const inJournals = withEnds.flatMap(({ kind, key, id, until: text }): FormerEnd[] => {
    const until = endTime(text);
    return until === undefined ? [] : [{ kind, key, id, until: timeText(until) }];
  });
  const inBases = [...objects.values()].flatMap(object => {
    const { kind: name, key, lifecycle, ends = [] } = object;
    const until = endTime(lifecycle.until);
    if (!kinds.has(name) || (until === undefined && ends.length === 0)) return [];
    const id = recordedIds?.get(addressOf(name, key)) ?? idOf(name, key);
    const own = { kind: name, key, ...(id !== undefined && { id }) };
    const members = memberEnds(object, { kinds, recordedIds, idOf });
    return [...(until === undefined ? [] : [{ ...own, until: timeText(until) }]), ...members];
  });
  return [...inBases, ...inJournals];
}
