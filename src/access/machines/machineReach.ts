// Reach between machines. A rule lets its destinations receive traffic from its sources. If the rule is bidirectional, its
// sources also receive the same traffic from its destinations. A machine receives only what it admits.
import { and, type Bits, has, minus, or, orAndInto } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import type { PooledEntry, RowPool } from '../sets/rowPool.ts';
import type { Policy } from '../state/accessState.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { type CountedMembers, countedMembersIn, type Posture } from '../world/reading.ts';
import type { World } from '../world/world.ts';
import { knownAwaiting } from './knownAwaiting.ts';

/** A rule as one machine applies it. */
export interface Inbound {
  readonly compiled: CompiledRule;
  /**
   * Whether the machine is a source of the rule and receives the traffic from the rule's
   * destinations.
   */
  readonly isReverse: boolean;
  readonly entry: PooledEntry;
}

export interface MachineReach {
  /** The rules that apply at a machine. */
  readonly inboundAt: (index: number) => readonly Inbound[];
  /** The entries of these rules. */
  readonly entriesAt: (index: number) => readonly PooledEntry[];
  /**
   * The row of a machine: its sources and their traffic. In the row of a current machine, ignore
   * the machine itself. In the row of a future member, the entry for the member itself shows
   * whether machines that join in the same way reach each other.
   */
  readonly rowAt: (index: number) => Row;
  /** A string that is the same for machines with the same row. */
  readonly signatureAt: (index: number) => string;
}

/** A rule, and its possible entries at a machine. */
interface Active {
  readonly compiled: CompiledRule;
  /** The sources that count, including machines that await approval. */
  readonly sources: Bits;
  /**
   * The entries for connected sources: forward and reverse, each for new and for old agents. All
   * machines share these entries.
   */
  readonly inbound: readonly Inbound[];
}

/** The reach between machines, for one way to evaluate posture. */
export function machineReach(world: World, reading: Posture, pool: RowPool): MachineReach {
  const { connected, takesRanges, sides } = world;
  const counting = countedMembersIn(world, reading);
  const countingOthers = countedMembersIn(world, reading, 'ofOthers');
  const known = knownAwaiting(world, countingOthers);
  const ofReading: Active[] = [];
  const ofAll = withoutChecks(world, pool);
  const activeOf = (compiled: CompiledRule): Active => {
    const { rule, policy, number } = compiled;
    const isChecked = rule.source.type === 'groups' && world.verdicts.checksOf(policy).length > 0;
    const actives = isChecked ? ofReading : ofAll;
    actives[number] ??= activated(compiled, world, counting, pool);
    return actives[number];
  };
  // In a reverse entry, the machine is the source of the rule, but not the sender of the traffic.
  const countsAsSource = ({ policy, rule, sources }: CompiledRule, index: number) => {
    if (rule.source.type !== 'groups') return has(sources, index);
    const { opens, closes } = countingOthers(policy);
    return has(sources, index) && has(rule.isDrop ? closes : opens, index);
  };
  const inbounds: (readonly Inbound[])[] = [];
  const inboundAt = (index: number): readonly Inbound[] => {
    inbounds[index] ??= foundAt(index);
    return inbounds[index];
  };
  const foundAt = (index: number): Inbound[] => {
    const inbound: Inbound[] = [];
    if (!has(connected, index)) return inbound;
    const isOld = !has(takesRanges, index);
    const knows = known.get(index);
    const count = (active: Active, isReverse: boolean) =>
      inbound.push(inboundOf(active, { isReverse, isOld, knows }, world, pool));
    for (const compiled of sides.asDestination(index)) count(activeOf(compiled), false);
    for (const compiled of sides.asSource(index)) {
      if (!compiled.rule.isBidirectional) continue;
      const active = activeOf(compiled);
      if (countsAsSource(compiled, index)) count(active, true);
    }
    return inbound;
  };
  const entriesAt = (index: number) => inboundAt(index).map(({ entry }) => entry);
  return {
    inboundAt,
    entriesAt,
    rowAt: index => pool.row(entriesAt(index)),
    signatureAt: index => pool.signature(entriesAt(index)),
  };
}

// The rules whose sources do not depend on posture checks. They are the same for every way to evaluate posture.
function withoutChecks(world: World, pool: RowPool): Active[] {
  const ofWorld = unchecked.get(world) ?? new WeakMap<RowPool, Active[]>();
  unchecked.set(world, ofWorld);
  const found = ofWorld.get(pool) ?? [];
  ofWorld.set(pool, found);
  return found;
}

const unchecked = new WeakMap<World, WeakMap<RowPool, Active[]>>();

/**
 * The sources of a rule, if its destinations are machines. Members of a group must pass posture checks; a single machine need
 * not.
 */
function countingSources(
  { policy, rule, sources }: CompiledRule,
  world: World,
  counting: (policy: Policy) => CountedMembers,
): Bits {
  if (rule.source.type !== 'groups') return sources;
  const { opens, closes } = counting(policy);
  // If a machine knows a machine that awaits approval, it treats the posture of the waiting machine
  // as passed.
  const counted = and(sources, rule.isDrop ? closes : opens);
  orAndInto(counted, sources, world.awaiting);
  return counted;
}

function activated(
  compiled: CompiledRule,
  world: World,
  counting: (policy: Policy) => CountedMembers,
  pool: RowPool,
): Active {
  const { rule, traffic, trafficOfOldAgents, destinations } = compiled;
  const sources = countingSources(compiled, world, counting);
  const inbound = [sources, destinations].flatMap((from, side) => {
    const usual = minus(minus(from, world.awaiting), world.loggedOut);
    return [traffic, trafficOfOldAgents].map(what => ({
      compiled,
      isReverse: side === 1,
      entry: pool.entry(rule.isDrop, what, usual),
    }));
  });
  return { compiled, sources, inbound };
}

interface Standpoint {
  readonly isReverse: boolean;
  readonly isOld: boolean;
  readonly knows: Bits | undefined;
}

function inboundOf(
  { compiled, sources, inbound }: Active,
  { isReverse, isOld, knows }: Standpoint,
  { awaiting, loggedOut }: World,
  pool: RowPool,
): Inbound {
  const usual = inbound[(isReverse ? 2 : 0) + (isOld ? 1 : 0)] as Inbound;
  if (knows === undefined) return usual;
  const { isDrop, traffic } = usual.entry;
  // The sources may include the internet, which needs no approval.
  const absent = or(minus(awaiting, knows), loggedOut);
  const from = minus(isReverse ? compiled.destinations : sources, absent);
  return { ...usual, entry: pool.entry(isDrop, traffic, from) };
}
