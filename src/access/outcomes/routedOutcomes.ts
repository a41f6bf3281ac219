// The outcomes of posture checks that can show access to an address out of bounds. Only the policies that decide about the
// address matter, and only members with unknown results for these policies.
import type { Reaches } from '../flows/reaches.ts';
import { requirementsOf } from '../posture/judgePosture.ts';
import { decidingAt, membersIn } from '../routed/policiesAt.ts';
import { and, type Bits, intersect, isEmpty, noBits } from '../sets/bits.ts';
import type { CompiledPolicy } from '../world/compiledPolicies.ts';
import type { Required } from '../world/outcome.ts';
import type { World } from '../world/world.ts';
import { unionsOf } from './outcomes.ts';
import { undecidedBy } from './undecided.ts';

/** The sets of conditions that may hold for a source, and those that may hold for a routing machine. */
export interface RoutedOutcomes {
  readonly ofSource: readonly Required[];
  readonly ofOthers: readonly Required[];
  /**
   * Whether the results of some routing machines are unknown. If so, each of these machines has a
   * separate outcome.
   */
  readonly areRoutersUnknown: boolean;
}

/** The maximum number of outcomes that are examined. */
const MOST = 256;

/** The outcomes to examine for an address; null if there are too many. */
export function routedOutcomes(states: readonly Reaches[], address: string): RoutedOutcomes | null {
  const worlds = states.map(({ world }) => world);
  const demands = worlds.flatMap(world => demandsIn(world, address));
  const ofSource = unionsOf(
    demands.flatMap(one => one.ofSource),
    MOST,
  );
  const ofOthers = unionsOf(
    demands.flatMap(one => one.ofOthers),
    MOST,
  );
  if (ofSource === null || ofOthers === null || ofSource.length * ofOthers.length > MOST)
    return null;
  return { ofSource, ofOthers, areRoutersUnknown: ofOthers.length > 1 };
}

interface Demands {
  readonly ofSource: readonly Required[];
  readonly ofOthers: readonly Required[];
}

function demandsIn(world: World, address: string): readonly Demands[] {
  const { policies, routers, isByCheck } = decidingAt(world, address);
  const members = membersIn(world);
  return [...policies].map(policy => {
    const sets = isByCheck ? eachCheck(world, policy) : [world.verdicts.requiredBy(policy.policy)];
    const required = sets.filter(one => one.length > 0);
    const sources = members.get(policy)?.sources ?? noBits();
    const unknown = unknownIn(world, policy, sources, isByCheck);
    return {
      ofSource: isEmpty(unknown) ? [] : required,
      ofOthers: intersect(unknown, routers) ? required : [],
    };
  });
}

const eachCheck = ({ verdicts }: World, { policy }: CompiledPolicy): readonly Required[] =>
  verdicts.checksOf(policy).map(requirementsOf);

// The sources with an unknown result for the policy. A machine that certainly fails one check may still pass another.
function unknownIn(
  world: World,
  { policy }: CompiledPolicy,
  sources: Bits,
  isByCheck: boolean,
): Bits {
  return isByCheck ? sources : and(sources, undecidedBy(world, policy));
}
