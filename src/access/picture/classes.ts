// Classes of equivalent members: every set on which access depends contains either all members of a
// class or none of them.
import { targetsBeside } from '../ask/destinations.ts';
import { LAYERS, signatureAt } from '../ask/flows.ts';
import type { Reaches } from '../flows/reaches.ts';
import { routedTargets, rowAt } from '../flows/targets.ts';
import { add, type Bits, indexesIn, isEmpty, noBits } from '../sets/bits.ts';
import type { World } from '../world/world.ts';

/** Splits `scope` into classes by the sets. Classes are ordered by their first members. */
function splitBy(sets: Iterable<Bits>, scope: Bits, size: number): readonly Bits[] {
  const classOf = new Int32Array(size);
  const seen = new Set<Bits>();
  let next = 1;
  for (const set of sets) {
    if (seen.has(set)) continue;
    seen.add(set);
    // The part of a class inside the set gets a new number; the rest keeps the old number.
    const inside = new Map<number, number>();
    for (const index of indexesIn(set)) {
      const known = classOf[index] ?? 0;
      const moved = inside.get(known) ?? next++;
      inside.set(known, moved);
      classOf[index] = moved;
    }
  }
  const classes = new Map<number, Bits>();
  for (const index of indexesIn(scope)) {
    const number = classOf[index] ?? 0;
    const bits = classes.get(number) ?? noBits();
    add(bits, index);
    classes.set(number, bits);
  }
  return [...classes.values()];
}

/**
 * Divides `scope` into classes of members that are equivalent in all states: as sources, as destinations, and in the rules that
 * grant their access.
 */
export function classesIn(states: readonly Reaches[], scope: Bits): readonly Bits[] {
  const size = states[0]?.world.size ?? 0;
  const sets = states.flatMap(reaches => [...decidingSets(reaches)]);
  return states.reduce<readonly Bits[]>(
    (classes, reaches) => classes.flatMap(bits => byIncoming(reaches, bits)),
    splitBy(sets, scope, size),
  );
}

function* decidingSets(reaches: Reaches): Generator<Bits> {
  const { world } = reaches;
  yield world.today;
  yield world.awaiting;
  yield world.loggedOut;
  yield world.takesRanges;
  for (const { policy, rules } of world.policies) {
    for (const { sources, destinations } of rules) {
      yield sources;
      yield destinations;
    }
    if (world.verdicts.checksOf(policy).length === 0) continue;
    const { pass, passOrUnknown } = world.verdicts.passing(policy);
    yield pass;
    yield passOrUnknown;
  }
  // Adds the sets of sources at routed targets, because rules alone do not show which sources
  // receive what from which router.
  for (const target of routedTargets(world))
    for (const reading of LAYERS)
      for (const { sources } of rowAt(reaches.under(reading), target)) yield sources;
  yield* machinesAtAddresses(world);
  if (!isEmpty(world.awaiting)) yield* incomingSets(reaches);
}

// The machines to whose overlay addresses a network resource or a route leads.
function* machinesAtAddresses(world: World): Generator<Bits> {
  const machines = [...indexesIn(world.today)];
  const byTarget = new Map<string, Bits>();
  if (targetsBeside(world, { type: 'machine', index: -1 }, machines).length === 0) return;
  for (const index of machines)
    for (const { id } of targetsBeside(world, { type: 'machine', index }, [index])) {
      const bits = byTarget.get(id) ?? noBits();
      add(bits, index);
      byTarget.set(id, bits);
    }
  yield* byTarget.values();
}

// The sets of sources of incoming access. They can differ between machines with the same rules,
// because each machine may know other machines that await approval.
function* incomingSets({ world, under }: Reaches): Generator<Bits> {
  const seen = new Set<string>();
  const { machines } = under('granted');
  for (let index = 0; index < world.size; index++) {
    const signature = machines.signatureAt(index);
    if (seen.has(signature)) continue;
    seen.add(signature);
    for (const { sources } of machines.rowAt(index)) yield sources;
  }
}

// Splits machines of one class by their incoming access, which may differ because of, for example,
// a machine that awaits approval.
function byIncoming(reaches: Reaches, bits: Bits): readonly Bits[] {
  const parts = new Map<string, Bits>();
  for (const index of indexesIn(bits)) {
    const signature = signatureAt(reaches, index);
    const part = parts.get(signature) ?? noBits();
    add(part, index);
    parts.set(signature, part);
  }
  return [...parts.values()];
}

/** A member of a class other than `index`; undefined if there is none. */
export function memberBut(bits: Bits, index: number): number | undefined {
  for (const one of indexesIn(bits)) if (one !== index) return one;
  return undefined;
}
