// The account after all machines are approved and all old agents are updated, and after a machine joined each group of routing
// machines that had none. People do all of this without changing the files and without looking at the rules.
import { understandsRanges } from '../posture/agentVersion.ts';
import { assumingRouters } from '../routed/assumedRouters.ts';
import { without } from '../sets/traffic.ts';
import type { AccessState, Machine } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/** The state with all machines approved, and with agents of an unknown, newer version in place of old agents. */
export function stateWhenReady(state: AccessState): AccessState {
  return { ...state, machines: state.machines.map(readyMachine) };
}

/** The same state, with a machine in each group of routing machines. */
export const stateWhenRouted = (state: AccessState): AccessState => ({
  ...stateWhenReady(state),
  areRoutersAssumed: true,
});

function readyMachine(machine: Machine): Machine {
  if (!machine.awaitsApproval && understandsRanges(machine.facts)) return machine;
  const { version, ...others } = machine.facts;
  const facts = version === undefined || understandsRanges(machine.facts) ? machine.facts : others;
  return { ...machine, facts, awaitsApproval: false };
}

/** Whether machines that join groups of routing machines can make a difference to access. */
export const mayBecomeRouted = (world: World): boolean => assumingRouters(world) !== world;

/** Whether approvals or updates of agents can make a difference to access. */
export function mayBecomeReady({ state, policies }: World): boolean {
  const { machines } = state;
  if (machines.some(({ awaitsApproval }) => awaitsApproval)) return true;
  return (
    machines.some(({ facts }) => !understandsRanges(facts)) &&
    policies
      .flatMap(({ rules }) => rules)
      .some(({ traffic, trafficOfOldAgents }) => without(traffic, trafficOfOldAgents).length > 0)
  );
}
