// Pairs of states that pictures are compared on: drawn accounts under posture checks too, with renamed objects, and with ports and
// services that are open to the internet in one of them.
import type { AccessState, InternetPort } from '../../../src/access/state/accessState.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';
import { posturePair } from '../generatedPosture.ts';
import { stateOf } from '../names.ts';
import type { Account } from '../slow/account.ts';

export type States = readonly [before: AccessState, after: AccessState];

const accounts = fc.oneof(
  { arbitrary: generatedPair, weight: 3 },
  ...(['between', 'awaiting', 'routed'] as const).map(emphasis => ({
    arbitrary: posturePair(emphasis),
    weight: 1,
  })),
);

/** The same account with other names; an object keeps its id. */
function renamed(account: Account): Account {
  const named = <T extends { readonly name: string }>(one: T): T => ({
    ...one,
    name: one.name === 'All' ? one.name : `new ${one.name}`,
  });
  return {
    ...account,
    groups: account.groups.map(named),
    policies: account.policies.map(named),
    networks: account.networks.map(named),
  };
}

const opening = (machine: string): InternetPort => ({
  key: `${machine} port`,
  machine,
  to: { name: 'internet', are: 'anybody' },
  by: [],
  openings: [{ protocol: 'tcp', range: { start: 443, end: 443 } }],
});

function withOpening(state: AccessState, isOpen: boolean): AccessState {
  const [machine] = state.machines;
  return isOpen && machine ? { ...state, internetPorts: [opening(machine.key)] } : state;
}

/** Two states of an account. */
export const comparedStates: fc.Arbitrary<States> = fc
  .tuple(accounts, fc.boolean(), fc.boolean(), fc.boolean())
  .map(
    ([[before, after], isRenamed, wasOpen, isOpen]): States => [
      withOpening(stateOf(before), wasOpen),
      withOpening(stateOf(isRenamed ? renamed(after) : after), isOpen),
    ],
  );

/** An account, and the same with other names. */
export const renamedStates: fc.Arbitrary<States> = accounts.map(
  ([account]): States => [stateOf(account), stateOf(renamed(account))],
);
