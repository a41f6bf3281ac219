// What the server reads for one machine because of network resources: a machine is sent a part of the account only.
import { type Bits, bitsOf, has } from '../sets/bits.ts';
import type { Policy } from '../state/accessState.ts';
import type { CompiledPolicy } from '../world/policies.ts';
import type { World } from '../world/world.ts';
import { distributedTo, routingOf } from './networks.ts';

/** Whether a member passes the checks of a policy. */
export type Fits = (policy: Policy, index: number) => boolean;

/** A policy that concerns a resource, as the server reads it for a machine. */
interface ReadPolicy {
  readonly policy: CompiledPolicy;
  /** Whether the machine gets the groups of its rules. */
  readonly isLoaded: boolean;
  /** Whose posture is evaluated. */
  readonly evaluated: Bits;
}

/**
 * The policies that the server reads for a machine. For a router of the network these are all that concern the resource. For
 * another machine it is the first that delivers the resource to it, and all after that.
 */
export function* readPolicies(world: World, machine: number, fits: Fits): Generator<ReadPolicy> {
  for (const network of world.state.networks) {
    const isRouting = has(routingOf(world, network).routing, machine);
    for (const resource of network.resources) {
      if (!resource.isEnabled) continue;
      let isLoaded = isRouting;
      for (const policy of world.concerning(resource)) {
        const sources = distributedTo(policy.rules, world.size);
        const isEveryone = isLoaded;
        if (!isLoaded && !has(sources, machine)) continue;
        isLoaded ||= fits(policy.policy, machine);
        const evaluated = isEveryone ? sources : bitsOf(world.size, [machine]);
        yield { policy, isLoaded, evaluated };
      }
    }
  }
}
