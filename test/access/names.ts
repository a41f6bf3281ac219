// The model's members and targets by the names that the slow evaluator gives them.
import type { Target } from '../../src/access/flows/targets.ts';
import type { AccessState } from '../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../src/access/state/stateOfAnswers.ts';
import type { World } from '../../src/access/world/world.ts';
import type { Account } from './slow/account.ts';

/** The state of an account. */
export const stateOf = (account: Account): AccessState => {
  const answered = stateOfAnswers(JSON.parse(JSON.stringify(account)));
  if ('faults' in answered) throw new Error(answered.faults.join());
  return answered.state;
};

/** The name of the member at `index` in these worlds. */
export function memberName(index: number, worlds: readonly World[]): string {
  const named = worlds.map(({ members, state, machineAt }) => {
    const { type = 'machine', key = '' } = members[index] ?? {};
    if (type === 'internet') return key;
    const { groups, enrolments } = state;
    const list = type === 'group' ? groups : type === 'machine' ? [] : enrolments;
    const named = list.find(one => one.key === key);
    // What a plan creates has no id yet.
    const id = machineAt(index)?.id ?? named?.id ?? named?.key;
    return id && `${type} ${id}`;
  });
  return named.find(name => name !== undefined) ?? '';
}

/** What can be reached, by name. */
export function targetName(target: Target, worlds: readonly World[]): string {
  if (target.type === 'machine') return memberName(target.index, worlds);
  const [resource] = target.resources;
  const address = `${target.address}${partOf(target)}`;
  return resource
    ? `resource ${resource.network.id ?? resource.network.key} ${address}`
    : `route ${target.routes[0]?.networkId} ${address}`;
}

// Where a name leads for a part of the machines: `#hidden-open` is hidden from them before, and not after.
function partOf({ leadingTarget }: Exclude<Target, { type: 'machine' }>): string {
  const [part = ''] = / (?:hidden|open) (?:hidden|open)$/.exec(leadingTarget?.place ?? '') ?? [];
  return part
    .trim()
    .replace(/^(?=.)/, '#')
    .replace(' ', '-');
}
