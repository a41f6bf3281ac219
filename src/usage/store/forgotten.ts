// The mark that a store keeps of a machine whose traffic was deleted. It shows which access the
// machine may have used, but nothing that the machine did.
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import type { Forgotten, Time } from '../observed.ts';
import { digestOf } from './manifest.ts';
import { type LoggedState, statesIn } from './stateLog.ts';

/** The digest of the id of a machine. */
const machineDigest = (id: string): string => digestOf(`machine ${id}`).slice(0, 32);

/** The mark of a machine that is forgotten now; its groups are taken from the states. */
export function forgottenMark(states: readonly LoggedState[], id: string, until: Time): Forgotten {
  const groups = new Set<string>();
  for (const { account } of statesIn(states)) {
    const answered = stateOfAnswers(account);
    if ('faults' in answered) continue;
    const { machines, groups: all } = answered.state;
    const key = machines.find(one => one.id === id)?.key;
    for (const group of all)
      if (key !== undefined && group.machines.includes(key)) groups.add(group.id ?? group.key);
  }
  return { machine: machineDigest(id), groups: [...groups], until };
}

/** Whether a mark belongs to the machine with an id. */
export const isMarkOf = ({ machine }: Forgotten, id: string): boolean =>
  machine === machineDigest(id);
