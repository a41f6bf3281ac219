// The outcomes of posture checks that can show access to a machine out of bounds. Most combinations
// of conditions show nothing beyond what a combination of fewer conditions shows.

import type { Reaches } from '../flows/reaches.ts';
import type { MachineTarget } from '../flows/targets.ts';
import type { Inbound } from '../machines/machineReach.ts';
import { perWorld } from '../routed/computedOnce.ts';
import { has, intersect, isEmpty } from '../sets/bits.ts';
import type { CompiledRule } from '../world/compiledPolicies.ts';
import { ALL_HOLD, type Outcome, type Required } from '../world/outcome.ts';
import type { World } from '../world/world.ts';
import { combined, type Demand, type KnownOutcomes, textOf } from './outcomes.ts';
import { undecidedBy } from './undecided.ts';

/** An intermediate state, and the first and the last state. */
export interface ComparedStates {
  readonly step: Reaches;
  readonly first: Reaches;
  readonly last: Reaches;
}

/**
 * A rule at a machine, with its conditions. `tells`: the rule makes a machine that awaits approval
 * known to this machine.
 */
interface Conditional extends Demand {
  readonly effect: 'accepts' | 'drops' | 'tells';
  /** A string that is the same for rules that count in the same way in every outcome. */
  readonly name: string;
}

/** The maximum number of outcomes that are examined. */
const MOST = 1_000;

/**
 * The outcomes to examine; null if there are too many. If only the intermediate state has some access, one of its accept rules
 * must be in force there, and a drop rule must remove the access in the first and in the last state. If only the intermediate
 * state lacks some access, there must be an accept rule in the first and in the last state, and a drop rule in the intermediate
 * state. So it is enough to examine the outcomes in which only these rules are in force.
 */
export function machineOutcomes(
  compared: ComparedStates,
  target: MachineTarget,
  outcomesOf: KnownOutcomes,
): readonly Outcome[] | null {
  const step = conditionalsAt(compared.step, target);
  const first = conditionalsAt(compared.first, target);
  const last = conditionalsAt(compared.last, target);
  const lists = [step, first, last];
  const names = [compared.step, compared.first, compared.last].map(reaches =>
    conditionNames(reaches, target),
  );
  const isMoved = ({ name }: Conditional) => !names.every(set => set.has(name));
  // Drop rules that are the same in all states remove the same access in all of them.
  const isPlain = !lists.flat().some(one => one.effect !== 'accepts' && isMoved(one));
  const of = (list: readonly Conditional[], effect: Conditional['effect']) =>
    distinct(
      list.filter(one => one.effect === effect && (!isPlain || effect === 'tells' || isMoved(one))),
    );
  const orNone = (list: readonly Conditional[], effect: Conditional['effect']) => [
    NOTHING,
    ...of(list, effect),
  ];
  const openings = combined(
    [of(step, 'accepts'), orNone(step, 'tells'), orNone(first, 'drops'), orNone(last, 'drops')],
    MOST,
  );
  const gaps = combined(
    [
      of(first, 'accepts'),
      orNone(first, 'tells'),
      of(last, 'accepts'),
      orNone(last, 'tells'),
      orNone(step, 'drops'),
    ],
    MOST,
  );
  if (openings === null || gaps === null) return null;
  const outcomes = [...openings, ...gaps].map(held =>
    outcomesOf.outcomesOf(held.ofSource, held.ofOthers),
  );
  return [...new Set(outcomes)];
}

const NOTHING: Demand = { role: 'ofSource', required: [] };

/**
 * Strings that are the same in two states if the same sources reach a machine in the same way in
 * every outcome.
 */
export const conditionNames = (reaches: Reaches, target: MachineTarget): ReadonlySet<string> =>
  conditionsAt(reaches, target).names;

const conditionalsAt = (reaches: Reaches, target: MachineTarget): readonly Conditional[] =>
  conditionsAt(reaches, target).list;

interface Conditions {
  readonly list: readonly Conditional[];
  readonly names: ReadonlySet<string>;
}

const known = new WeakMap<Reaches, Map<number, Conditions>>();

function conditionsAt(reaches: Reaches, target: MachineTarget): Conditions {
  const ofState = known.get(reaches) ?? new Map<number, Conditions>();
  known.set(reaches, ofState);
  const found = ofState.get(target.index) ?? conditionsIn(reaches, target);
  ofState.set(target.index, found);
  return found;
}

function conditionsIn(reaches: Reaches, target: MachineTarget): Conditions {
  const list = conditionalsIn(reaches, target);
  return { list, names: new Set(list.map(({ name }) => name)) };
}

function conditionalsIn(reaches: Reaches, { index }: MachineTarget): readonly Conditional[] {
  const { world } = reaches;
  const inbound = reaches.under(ALL_HOLD).machines.inboundAt(index);
  const rules = inbound.map(one => ruleAt(reaches, one, isConditional(world, one, index)));
  const telling = tellingAt(world, index)
    .filter(({ compiled }) => has(undecidedBy(world, compiled.policy), index))
    .map(
      ({ name, required }): Conditional => ({ role: 'ofOthers', required, effect: 'tells', name }),
    );
  return [...rules, ...telling];
}

/** Whether unknown posture decides which sources of a rule count at a machine. */
function isConditional(
  world: World,
  { compiled: { rule, policy, sources }, isReverse }: Inbound,
  index: number,
): boolean {
  if (rule.source.type !== 'groups') return false;
  const undecided = undecidedBy(world, policy);
  return isReverse ? has(undecided, index) : intersect(sources, undecided);
}

// Cached, because the same rule counts at thousands of machines.
function ruleAt(reaches: Reaches, inbound: Inbound, isUndecided: boolean): Conditional {
  const known = rulesOf(reaches)[isUndecided ? 'undecided' : 'decided'];
  const found = known.get(inbound) ?? ruleOf(reaches.world, inbound, isUndecided);
  known.set(inbound, found);
  return found;
}

const rulesOf = perWorld((_: Reaches) => ({
  undecided: new Map<Inbound, Conditional>(),
  decided: new Map<Inbound, Conditional>(),
}));

function ruleOf(
  { verdicts }: World,
  { compiled: { rule, policy }, isReverse, entry }: Inbound,
  isUndecided: boolean,
): Conditional {
  const required = isUndecided ? verdicts.requiredBy(policy) : [];
  return {
    role: isReverse ? 'ofOthers' : 'ofSource',
    required,
    effect: rule.isDrop ? 'drops' : 'accepts',
    name: `${entry.id} ${required.length > 0 && isReverse} ${textOf(required)}`,
  };
}

/** A rule that makes a machine awaiting approval known to a machine that passes posture checks. */
interface Telling {
  readonly compiled: CompiledRule;
  readonly required: Required;
  /** A string that is the same for rules with the same effect in every outcome. */
  readonly name: string;
}

/**
 * The rules that make machines awaiting approval known to a machine, with the conditions of these
 * rules.
 */
export function tellingAt(world: World, index: number): readonly Telling[] {
  const { verdicts, awaiting, sides, machineOf } = world;
  if (isEmpty(awaiting)) return [];
  return sides.asSource(index).flatMap((compiled): Telling[] => {
    const { source, destination } = compiled.rule;
    const told = destination.type === 'machine' ? machineOf(destination.machine) : undefined;
    if (source.type !== 'groups' || told === undefined || !has(awaiting, told)) return [];
    const required = verdicts.requiredBy(compiled.policy);
    const name = `tells ${told} ${textOf(required)}`;
    return required.length === 0 ? [] : [{ compiled, required, name }];
  });
}

function distinct<T extends Demand>(demands: readonly T[]): readonly T[] {
  return [...new Map(demands.map(one => [`${one.role} ${textOf(one.required)}`, one])).values()];
}
