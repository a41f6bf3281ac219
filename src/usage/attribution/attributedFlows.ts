// Finds the rules and routes that admit each flow in the states of its time, and counts the flow as
// a use of the same rules and routes in one state.

import { admissionsIn } from '../../access/admitted/admission.ts';
import { isWhollyRead } from '../../access/admitted/whollyRead.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import { stateOf } from '../../access/state/stateOf.ts';
import type { Observed, ObservedFlow } from '../observed.ts';
import {
  type AdmittedBy,
  type FoundRoute,
  type FoundRule,
  finderIn,
  policiesIn,
} from './admittedBy.ts';
import { translatingInto } from './sameObjects.ts';
import { isOnlyBySource, usedDaysAmong } from './usedDays.ts';
import type {
  Attribution,
  Contradiction,
  RoutedUse,
  RouteUse,
  RuleUse,
  Unexplained,
  Use,
} from './uses.ts';

/** The state whose rules and routes get the uses by default: the last observed state. */
export const lastState = ({ states }: Observed): AccessState => states.at(-1)?.state ?? stateOf([]);

/** The uses of the rules and routes of a state by the observed flows. */
export function attribute(
  observed: Observed,
  current: AccessState = lastState(observed),
): Attribution {
  const flows = observed.flows.filter(usedDaysAmong(observed.flows).isUsed);
  const ledger = new Ledger(current);
  const statesOf = knownStates(observed);
  const known = new Map<ObservedFlow, AdmittedBy[]>();
  for (const [at, some] of byState(flows, statesOf)) {
    const find = findIn(observed.states[at]?.state ?? current, ledger);
    // A flow is settled once its last state has been examined, and the state is then released from memory.
    for (const flow of some) {
      const found = known.get(flow) ?? [];
      found.push(find(flow));
      if (found.length < statesOf(flow).length) known.set(flow, found);
      else {
        known.delete(flow);
        ledger.settle(flow, found);
      }
    }
  }
  const without = flows.filter(flow => statesOf(flow).length === 0);
  if (without.length > 0) {
    const find = findIn(lastKnown(observed, current), ledger);
    for (const flow of without) ledger.doubt(flow, find(flow));
  }
  return { observed, current, ...ledger.closed() };
}

type StatesOf = (flow: ObservedFlow) => readonly number[];

/** Returns the positions of the known states of a flow. Most flows share their list of states. */
function knownStates({ states }: Observed): StatesOf {
  const isKnown = states.map(({ state }) => isWhollyRead(state));
  const lists = new Map<readonly number[], readonly number[]>();
  return ({ states: all }) => {
    const list = lists.get(all) ?? all.filter(at => isKnown[at]);
    lists.set(all, list);
    return list;
  };
}

function lastKnown({ states }: Observed, current: AccessState): AccessState {
  return states.findLast(({ state }) => isWhollyRead(state))?.state ?? current;
}

function byState(
  flows: readonly ObservedFlow[],
  statesOf: StatesOf,
): ReadonlyMap<number, readonly ObservedFlow[]> {
  const found = new Map<number, ObservedFlow[]>();
  for (const flow of flows)
    for (const at of statesOf(flow)) {
      const some = found.get(at);
      if (some) some.push(flow);
      else found.set(at, [flow]);
    }
  return found;
}

// The last result is kept, because both ends report a flow, one after the other.
function findIn(state: AccessState, { translate }: Ledger): (flow: ObservedFlow) => AdmittedBy {
  const find = finderIn(admissionsIn(state), translate(state));
  let last: { readonly flow: ObservedFlow; readonly found: AdmittedBy } | undefined;
  return flow => {
    if (last === undefined || !isSameFlow(last.flow, flow)) last = { flow, found: find(flow) };
    return last.found;
  };
}

const isSameFlow = (one: ObservedFlow, other: ObservedFlow): boolean =>
  one.source === other.source &&
  one.destination === other.destination &&
  one.protocol === other.protocol &&
  one.port === other.port &&
  // What a flow may have used depends on who reported it.
  one.reporters.length === other.reporters.length &&
  one.reporters.every(id => other.reporters.includes(id));

/** Collects the uses of the rules and routes of a state, and the flows that no state explains. */
class Ledger {
  readonly translate: ReturnType<typeof translatingInto>;
  readonly #rules: readonly OpenUse<RuleUse, Use>[];
  readonly #routes: readonly OpenUse<RouteUse, RoutedUse>[];
  readonly #ofPolicy: ReadonlyMap<string | undefined, readonly OpenUse<RuleUse, Use>[]>;
  readonly #unexplained: Unexplained[] = [];
  readonly #contradictions: Contradiction[] = [];

  constructor(current: AccessState) {
    this.translate = translatingInto(current);
    this.#rules = current.policies.flatMap(policy =>
      policy.rules.map((rule, position) => ({ policy, rule, position, uses: [], unknown: [] })),
    );
    this.#routes = current.routes.map(route => ({ route, uses: [], unknown: [] }));
    this.#ofPolicy = Map.groupBy(this.#rules, ({ policy }) => policy.id);
  }

  /** Records a flow, given the result for each of its states. */
  settle(flow: ObservedFlow, found: readonly AdmittedBy[]): void {
    for (const { at, isReverse, sourceGroups, destinationGroups } of mergedRules(found))
      this.#rules[at]?.uses.push({ flow, isReverse, sourceGroups, destinationGroups });
    for (const { at, accessControl } of mergedRoutes(found))
      this.#routes[at]?.uses.push({ flow, accessControl });
    const admitting = found.filter(isAdmitted);
    if (admitting.length === 0) this.#explain(flow, reasonOf(flow, found));
    // The source of an attempt does not know whether the attempt was refused. If a state contains
    // both ends, the other end would have reported an admitted flow.
    const isRefused = isOnlyBySource(flow) && found.some(hasBothEnds);
    if (admitting.length > 0 || !isRefused)
      this.#suppose(flow, admitting.length > 0 ? admitting : found);
    this.#compare(flow, found);
  }

  /** Records a flow whose state is unknown. `found`: the result that another state gives. */
  doubt(flow: ObservedFlow, found: AdmittedBy): void {
    for (const at of new Set(found.rules.map(one => one.at))) this.#rules[at]?.unknown.push(flow);
    for (const { at } of found.routes) this.#routes[at]?.unknown.push(flow);
    if (!isAdmitted(found)) this.#explain(flow, 'no-state');
    this.#suppose(flow, [found]);
    for (const policy of flow.policies) this.#doubtPolicy(flow, policy);
  }

  closed(): Pick<Attribution, 'rules' | 'routes' | 'unexplained' | 'contradictions'> {
    return {
      rules: this.#rules,
      routes: this.#routes,
      unexplained: this.#unexplained,
      contradictions: this.#contradictions,
    };
  }

  #suppose(flow: ObservedFlow, found: readonly AdmittedBy[]): void {
    for (const at of new Set(found.flatMap(({ possible }) => possible.rules)))
      addTo(this.#rules[at]?.unknown, flow);
    for (const at of new Set(found.flatMap(({ possible }) => possible.routes)))
      addTo(this.#routes[at]?.unknown, flow);
  }

  #explain(flow: ObservedFlow, reason: Unexplained['reason']): void {
    this.#unexplained.push({ flow, reason, isAttempt: isOnlyBySource(flow) });
  }

  // Compares the policies that the server names with those that admit the flow.
  #compare(flow: ObservedFlow, found: readonly AdmittedBy[]): void {
    for (const policy of flow.policies) {
      if (found.some(one => isAmong(policy, one))) continue;
      this.#contradictions.push({ flow, policy, admitted: [...policiesIn(found)] });
      this.#doubtPolicy(flow, policy);
    }
  }

  #doubtPolicy(flow: ObservedFlow, policy: string): void {
    for (const { unknown } of this.#ofPolicy.get(policy) ?? []) addTo(unknown, flow);
  }
}

// All doubts about a flow come before those about the next flow, so comparing with the last entry finds duplicates.
function addTo(unknown: ObservedFlow[] | undefined, flow: ObservedFlow): void {
  if (unknown?.at(-1) !== flow) unknown?.push(flow);
}

/** A rule or route whose uses are being collected. */
type OpenUse<T, U> = Omit<T, 'uses' | 'unknown'> & {
  readonly uses: U[];
  readonly unknown: ObservedFlow[];
};

const isAmong = (policy: string, { admissions }: AdmittedBy): boolean =>
  admissions.some(({ compiled }) => compiled?.policy.id === policy);

const isAdmitted = ({ admissions }: AdmittedBy): boolean => admissions.length > 0;

const hasBothEnds = ({ isSourceKnown, isDestinationKnown }: AdmittedBy): boolean =>
  isSourceKnown && isDestinationKnown;

function reasonOf({ source }: ObservedFlow, found: readonly AdmittedBy[]): Unexplained['reason'] {
  if (source.type !== 'machine') return 'no-machine';
  return found.some(hasBothEnds) ? 'no-rule' : 'unknown-object';
}

// Two states may both admit a flow, through different groups.
function mergedRules(found: readonly AdmittedBy[]): readonly FoundRule[] {
  const [only, ...others] = found;
  if (only && others.length === 0) return only.rules;
  const all = found.flatMap(({ rules }) => rules);
  return [...Map.groupBy(all, ({ at, isReverse }) => `${at} ${isReverse}`).values()].flatMap(
    same => {
      const [first] = same;
      return first
        ? [
            {
              at: first.at,
              isReverse: first.isReverse,
              sourceGroups: union(same.map(one => one.sourceGroups)),
              destinationGroups: union(same.map(one => one.destinationGroups)),
            },
          ]
        : [];
    },
  );
}

function mergedRoutes(found: readonly AdmittedBy[]): readonly FoundRoute[] {
  const [only, ...others] = found;
  if (only && others.length === 0) return only.routes;
  const all = found.flatMap(({ routes }) => routes);
  return [...Map.groupBy(all, ({ at }) => at)].map(([at, same]) => ({
    at,
    accessControl: union(same.map(one => one.accessControl)),
  }));
}

const union = (lists: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(lists.flat()),
];
