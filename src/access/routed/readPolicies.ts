// Determines which policies the server reads for a machine because of network resources. A machine
// receives only a part of the account.
import { type Bits, bitsOf, has } from '../sets/bits.ts';
import type { Policy } from '../state/accessState.ts';
import type { CompiledPolicy } from '../world/compiledPolicies.ts';
import type { World } from '../world/world.ts';
import { distributedTo, routingOf } from './networkRouting.ts';

/** Whether a member passes the checks of a policy. */
export type Fits = (policy: Policy, index: number) => boolean;

/** A policy that concerns a resource, as the server reads it for a machine. */
interface ReadPolicy {
  readonly policy: CompiledPolicy;
  /** Whether the server sends the groups of its rules to the machine. */
  readonly isLoaded: boolean;
  /** The members whose posture the server evaluates. */
  readonly evaluated: Bits;
}

/**
 * The policies that the server reads for a machine. For a router of the network, these are all
 * policies that concern the resource. For another machine, these are the first policy that delivers
 * the resource to the machine, and all later policies.
 */
export function* readPolicies(world: World, machine: number, fits: Fits): Generator<ReadPolicy> {
  for (const network of world.state.networks) {
    const isRouting = has(routingOf(world, network).routing, machine);
    for (const resource of network.resources) {
      if (!resource.isEnabled) continue;
      let isLoaded = isRouting;
      for (const policy of world.resourcePolicies(resource)) {
        const sources = distributedTo(policy.rules);
        const isEveryone = isLoaded;
        if (!isLoaded && !has(sources, machine)) continue;
        isLoaded ||= fits(policy.policy, machine);
        const evaluated = isEveryone ? sources : bitsOf([machine]);
        yield { policy, isLoaded, evaluated };
      }
    }
  }
}
