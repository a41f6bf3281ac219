// Access that machines may gain when they leave groups that an integration checks. Nothing in the
// account shows which of these machines the check rejects, so each of them counts as a machine
// without access before.
import { accessChanges } from '../diff/accessChanges.ts';
import { reachesOf } from '../flows/reaches.ts';
import { comparison, type PlannedAccount } from '../plan/comparison.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState, Group } from '../state/accessState.ts';
import { mayBeOpen } from '../state/internetPorts.ts';
import { frameOf } from '../world/world.ts';
import { unreadNames } from './dependence.ts';

/**
 * Takes the ids of all groups that one check covers. Returns the ids of the groups whose machines
 * may gain access by leaving. This requires that the machines have access after the plan, and that
 * no other covered group contains them then.
 */
export type UncheckedAccess = (checked: ReadonlySet<string>) => ReadonlySet<string>;

/** Evaluates the account before and after a plan. What could not be read counts as access. */
export function uncheckedAccess(account: PlannedAccount): UncheckedAccess {
  const { stateBefore, stateAfter } = comparison(account);
  const isOpen = mayBeOpen([...account.live, ...account.plan.actions]);
  const mayHaveAccess = (machines: ReadonlySet<string>) =>
    unreadNames(stateAfter).length > 0 || haveAccess(stateAfter, machines, isOpen);
  return checked => {
    const covered = ({ groups }: AccessState) =>
      groups.filter(({ id }) => id !== undefined && checked.has(id));
    const kept = membersOf(stateAfter, covered(stateAfter));
    const giving = covered(stateBefore).filter(group => {
      const left = membersOf(stateBefore, [group]).difference(kept);
      return left.size > 0 && mayHaveAccess(left);
    });
    return new Set(giving.flatMap(({ id }) => id ?? []));
  };
}

function membersOf({ machines }: AccessState, groups: readonly Group[]): ReadonlySet<string> {
  if (groups.some(({ isAll }) => isAll)) return new Set(machines.map(({ key }) => key));
  return new Set(groups.flatMap(group => group.machines));
}

// Whether there is more access with these machines than without them. The server lists a machine that a check rejects as one that
// awaits approval.
function haveAccess(state: AccessState, some: ReadonlySet<string>, isOpen: boolean): boolean {
  const isOne = ({ key }: { readonly key: string }) => some.has(key);
  const without = { ...state, machines: state.machines.filter(one => !isOne(one)) };
  const admitted = state.machines.map(one =>
    isOne(one) ? { ...one, awaitsApproval: false } : one,
  );
  const { first, last } = frameOf(without, { ...state, machines: admitted }, isOpen);
  const pool = rowPool();
  const { changes } = accessChanges(reachesOf(first, pool), reachesOf(last, pool));
  return changes.some(({ gains }) => gains);
}
