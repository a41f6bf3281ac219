// The account after all machines are approved, all old agents are updated, and a machine has joined
// each group of routing machines that had none. All of this can happen without a change of the
// files, and without anybody looking at the rules.
import { understandsRanges } from '../posture/agentVersion.ts';
import { assumingRouters } from '../routed/assumedRouters.ts';
import { without } from '../sets/traffic.ts';
import type { AccessState, Machine } from '../state/accessState.ts';
import type { World } from '../world/world.ts';

/**
 * The state with all machines approved, and all old agents replaced by agents of an unknown, newer
 * version.
 */
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

/** Whether access may change when machines join groups of routing machines. */
export const mayBecomeRouted = (world: World): boolean => assumingRouters(world) !== world;

/** Whether access may change when machines are approved or agents are updated. */
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
