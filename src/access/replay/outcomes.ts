// The outcomes of posture checks that can show access out of bounds. Every condition of a check may hold or not for members of
// whom that is not known, and a check that a plan redefines has other conditions before than after. Most combinations of them
// show nothing that a combination in which fewer conditions hold does not show.
import type { Reaches } from '../flows/reaches.ts';
import type { MachineTarget, Target } from '../flows/targets.ts';
import { implies } from '../posture/judge.ts';
import { isOfRouter } from '../routed/counted.ts';
import { routingOf } from '../routed/networks.ts';
import { servedRoutes } from '../routed/servedRoutes.ts';
import { type Bits, has, intersect, isEmpty, noBits, orInto } from '../sets/bits.ts';
import { ALL_HOLD, type Holding, type Outcome, type Required } from '../world/outcome.ts';
import type { World } from '../world/world.ts';

/** A state on the way, and the first and the last one. */
export interface Compared {
  readonly step: Reaches;
  readonly first: Reaches;
  readonly last: Reaches;
}

/** Conditions that must hold together, for the source or for another machine. */
interface Demand {
  readonly role: keyof Outcome;
  readonly required: Required;
}

/** A rule at a machine with what it demands. `tells`: a rule through which the machine knows one that awaits approval. */
interface Conditional extends Demand {
  readonly effect: 'accepts' | 'drops' | 'tells';
  /** A text that is equal for rules that count in the same way under every outcome. */
  readonly name: string;
}

/** Above, outcomes are too many to be looked at. */
const MOST = 600;

/** Finds the outcomes to look at. The same outcome is the same object at every target. */
export interface Outcomes {
  /** None if the state is like one of the ends under every outcome; null if there are too many. */
  readonly at: (target: Target) => readonly Outcome[] | null;
}

/** The outcomes for one state on the way. `known`: keeps one object for each outcome. */
export function outcomesOf(compared: Compared, known: KnownOutcomes): Outcomes {
  const reaches = [compared.step, compared.first, compared.last];
  let forRouted: readonly Outcome[] | null | undefined;
  return {
    at: target => {
      if (target.type === 'machine') return outcomesAt(compared, target, known);
      if (!reaches.some(({ hasPosture }) => hasPosture)) return [ALL_HOLD];
      forRouted ??= routedOutcomes(reaches, known);
      return forRouted;
    },
  };
}

/** Outcomes by their names, so that what was computed for one can be found again. */
export interface KnownOutcomes {
  readonly of: (demands: readonly Demand[]) => Outcome;
}

/** No outcomes so far. */
export function knownOutcomes(): KnownOutcomes {
  const holdings = new Map<string, Holding>();
  const outcomes = new Map<string, Outcome>();
  const holdingOf = (demands: readonly Demand[], role: keyof Outcome) => {
    const own = demands.filter(one => one.role === role).flatMap(({ required }) => required);
    const name = [...new Set(own.map(({ text }) => text))].sort().join('\n');
    const found = holdings.get(name) ?? {
      has: other => own.some(one => implies(one, other)),
    };
    holdings.set(name, found);
    return { name, holding: found };
  };
  return {
    of: demands => {
      const source = holdingOf(demands, 'ofSource');
      const others = holdingOf(demands, 'ofOthers');
      const name = `${source.name}\n\n${others.name}`;
      const found = outcomes.get(name) ?? { ofSource: source.holding, ofOthers: others.holding };
      outcomes.set(name, found);
      return found;
    },
  };
}

// For access that only the state on the way has, one of its accept rules must count, and a drop rule of each end that takes it
// away there; for access that only the state on the way lacks, an accept rule of each end, and one of its own drop rules. If
// these conditions hold and no others, it shows.
function outcomesAt(
  compared: Compared,
  target: MachineTarget,
  known: KnownOutcomes,
): readonly Outcome[] | null {
  const step = conditionalsAt(compared.step, target);
  const first = conditionalsAt(compared.first, target);
  const last = conditionalsAt(compared.last, target);
  const lists = [step, first, last];
  const names = lists.map(list => new Set(list.map(({ name }) => name)));
  const [now = new Set(), was = now, is = now] = names;
  if (now.symmetricDifference(was).size === 0 || now.symmetricDifference(is).size === 0) return [];
  const isMoved = ({ name }: Conditional) => !names.every(set => set.has(name));
  // Drop rules that are the same everywhere take away the same everywhere.
  const isPlain = !lists.flat().some(one => one.effect !== 'accepts' && isMoved(one));
  const of = (list: readonly Conditional[], effect: Conditional['effect']) =>
    distinct(
      list.filter(one => one.effect === effect && (!isPlain || effect === 'tells' || isMoved(one))),
    );
  const orNone = (list: readonly Conditional[], effect: Conditional['effect']) => [
    NOTHING,
    ...of(list, effect),
  ];
  const openings = combined([
    of(step, 'accepts'),
    orNone(step, 'tells'),
    orNone(first, 'drops'),
    orNone(last, 'drops'),
  ]);
  const gaps = combined([
    of(first, 'accepts'),
    orNone(first, 'tells'),
    of(last, 'accepts'),
    orNone(last, 'tells'),
    orNone(step, 'drops'),
  ]);
  if (openings === null || gaps === null) return null;
  return [...new Set([...openings, ...gaps].map(known.of))];
}

const NOTHING: Demand = { role: 'ofSource', required: [] };

function conditionalsAt(reaches: Reaches, { index }: MachineTarget): readonly Conditional[] {
  const { world } = reaches;
  const { verdicts, awaiting, sides, machineOf } = world;
  const inbound = reaches.under(ALL_HOLD).machines.inboundAt(index);
  const rules = inbound.map(({ compiled, isReverse, entry }): Conditional => {
    const { rule, policy } = compiled;
    const required = rule.source.type === 'groups' ? verdicts.requiredBy(policy) : [];
    return {
      role: isReverse ? 'ofOthers' : 'ofSource',
      required,
      effect: rule.isDrop ? 'drops' : 'accepts',
      name: `${entry.id} ${required.length > 0 && isReverse} ${textOf(required)}`,
    };
  });
  if (isEmpty(awaiting)) return rules;
  const telling = sides.asSource(index).flatMap(({ rule, policy }): Conditional[] => {
    const { source, destination } = rule;
    const told = destination.type === 'machine' ? machineOf(destination.machine) : undefined;
    if (source.type !== 'groups' || told === undefined || !has(awaiting, told)) return [];
    const required = verdicts.requiredBy(policy);
    const name = `tells ${told} ${textOf(required)}`;
    return required.length === 0 ? [] : [{ role: 'ofOthers', required, effect: 'tells', name }];
  });
  return [...rules, ...telling];
}

const textOf = (required: Required): string =>
  [...new Set(required.map(({ text }) => text))].sort().join('\n');

function distinct<T extends Demand>(demands: readonly T[]): readonly T[] {
  return [...new Map(demands.map(one => [`${one.role} ${textOf(one.required)}`, one])).values()];
}

// One of each list. Null if there are too many combinations.
function combined(lists: readonly (readonly Demand[])[]): readonly (readonly Demand[])[] | null {
  const size = lists.reduce((product, list) => product * list.length, 1);
  if (size > MOST) return null;
  return lists.reduce<readonly (readonly Demand[])[]>(
    (found, list) => found.flatMap(demands => list.map(one => [...demands, one])),
    [[]],
  );
}

/** The number of sets of conditions up to which all their unions are looked at; of more, those of two. */
const FEW = 3;

// An address is reached if rules deliver it, connect its source with the routing machine and accept the traffic.
function routedOutcomes(
  reaches: readonly Reaches[],
  known: KnownOutcomes,
): readonly Outcome[] | null {
  const worlds = reaches.map(({ world }) => world);
  const sources = distinct(worlds.flatMap(world => demandsOn('ofSource', world)));
  const others = distinct(worlds.flatMap(world => demandsOn('ofOthers', world, routersIn(world))));
  const ofSource = unionsOf(sources);
  const ofOthers = unionsOf(others);
  if (ofSource.length * ofOthers.length > MOST) return null;
  const outcomes = ofSource.flatMap(one => {
    // A routing machine is a source as well, and then its own other end.
    const itself = one.map(({ required }): Demand => ({ role: 'ofOthers', required }));
    return [[...one, ...itself], ...ofOthers.map(other => [...one, ...other])].map(known.of);
  });
  return [...new Set(outcomes)];
}

function demandsOn(role: keyof Outcome, { policies, verdicts }: World, among?: Bits): Demand[] {
  return policies.flatMap(({ policy, rules }) => {
    const required = verdicts.requiredBy(policy);
    const isAsked = rules.some(
      ({ sources, isActive }) => isActive && (among === undefined || intersect(sources, among)),
    );
    return isAsked && required.length > 0 ? [{ role, required }] : [];
  });
}

// The machines on the way whose own posture matters.
function routersIn(world: World): Bits {
  const routers = noBits();
  for (const { serving } of servedRoutes(world)) orInto(routers, serving);
  if (world.policies.some(policy => isOfRouter(world, policy)))
    for (const network of world.state.networks) orInto(routers, routingOf(world, network).routing);
  return routers;
}

function unionsOf(demands: readonly Demand[]): readonly (readonly Demand[])[] {
  if (demands.length <= FEW)
    return demands.reduce<readonly (readonly Demand[])[]>(
      (found, one) => found.flatMap(some => [some, [...some, one]]),
      [[]],
    );
  const pairs = demands.flatMap((one, at) => demands.slice(at).map(other => [one, other]));
  return [[], ...pairs, demands];
}
