// Findings about access that a plan removes although it is in use.
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { flowsOfText, flowsText } from '../../model/usageWords.ts';
import {
  type Admission,
  type AskedFlow,
  admissionsIn,
  flowText,
  isStopped,
  type ReportedFlow,
} from '../admitted/admission.ts';
import { flowEndNames } from '../admitted/flowEndNames.ts';
import { flowEndText } from '../admitted/flowEnds.ts';
import { takersIn } from '../admitted/takenOver.ts';
import { isWhollyRead } from '../admitted/whollyRead.ts';
import type { Target } from '../flows/targets.ts';
import { add, type Bits, noBits, orAll } from '../sets/bits.ts';
import type { AccessState, Policy, Rule } from '../state/accessState.ts';
import { unreadNames, unreadWords } from './dependence.ts';
import { domainLossesIn, type IsKept } from './domainLosses.ts';
import type { Evaluation } from './evaluation.ts';
import { flowEndsAfter } from './flowEndsAfter.ts';
import { possibleLossesIn } from './possibleLosses.ts';

/** A flow that was used, and how often. */
interface UsedFlow extends ReportedFlow {
  readonly times: number;
}

/** The flows that were used, each once, and since when flows were observed. */
export interface UsedTraffic {
  readonly flows: readonly UsedFlow[];
  /** The date since which flows were observed. */
  readonly since: string;
  /**
   * Returns the flows, out of the given ones, for which it is unknown what admitted them when they
   * took place. Flows are given by their strings. Absent if this is known for all flows.
   */
  readonly unexplainedAmong?: (flows: ReadonlySet<string>) => ReadonlySet<string>;
  /** The observed account, by the id of its built-in group of all peers; absent if only exported logs were read. */
  readonly account?: string;
}

/** The maximum number of pairs of a source and a destination that a hazard lists. */
const LISTED = 20;

/** Whether the files declare that a rule, or a part of it, expires. */
export type IsEnding = (policy: Policy, rule: Rule) => boolean;

/**
 * The finding about used flows that the account admits before the plan, but after the plan does not
 * admit, or admits only by rules that expire. `evaluation` does not contain expired objects.
 */
export function usedFindings(
  evaluation: Evaluation,
  used: UsedTraffic,
  isEnding: IsEnding = () => false,
): readonly AccessFinding[] {
  const { states, access } = evaluation;
  if (access.status === 'new-account' || states.isSame()) return [];
  const gate = { gate: 'use', code: 'CUTS_USED_ACCESS' } as const;
  if (!isWhollyRead(states.stateBefore)) {
    const detail = unreadWords(unreadNames(states.stateBefore));
    return [{ ...gate, what: 'unread', detail, pairs: 0, causes: [] }];
  }
  const { stopped, sources, targets } = withPossible(
    stoppedFlows(used.flows, states, isEnding),
    states,
    used,
  );
  if (stopped.length === 0) return [];
  const detail = stoppedText(stopped, used.since);
  const causes = evaluation.causesOf({ sources, targets }, 'lost');
  const pairs = pairsOf(stopped, states.stateBefore);
  const listed = pairs.slice(0, LISTED);
  return listed.map((pair, at) => ({
    ...gate,
    what: 'lost',
    ...pair,
    detail,
    // The first listed pair also represents the pairs that are not listed.
    pairs: at === 0 ? pairs.length - listed.length + 1 : 1,
    causes,
  }));
}

function stoppedText(stopped: readonly StoppedFlow[], since: string): string {
  const timesOf = (flows: readonly UsedFlow[]) => flows.reduce((sum, { times }) => sum + times, 0);
  const machines = new Set(stopped.map(({ source }) => flowEndText(source))).size;
  const all = timesOf(stopped);
  const text = `${flowsOfText(all, machines)} since ${since}`;
  const possible = timesOf(stopped.filter(({ isPossible }) => isPossible));
  if (possible === 0) return text;
  const some = possible === all ? '' : `${flowsText(possible)} `;
  return `${text} (${some}possibly: it is unknown what admitted them)`;
}

/** A flow that a plan stops. */
interface StoppedFlow extends UsedFlow {
  /** Whether it is unknown what admitted the flow. The plan may not stop such a flow. */
  readonly isPossible?: boolean;
}

/**
 * The flows that a plan stops, with the machines and targets between which they are admitted before
 * the plan.
 */
interface Stopped {
  readonly stopped: readonly StoppedFlow[];
  readonly sources: Bits;
  readonly targets: readonly Target[];
}

/** The flows that a plan stops, and the flows that nothing admits before the plan. */
interface Judged extends Stopped {
  readonly unadmitted: readonly UsedFlow[];
}

function stoppedFlows(
  flows: readonly UsedFlow[],
  states: Evaluation['states'],
  isEnding: IsEnding,
): Judged {
  const was = admissionsIn(states.before);
  const isKept = keptAfter(states, isEnding);
  const lostDomainsOf = domainLossesIn(states, was, isKept);
  const stopped: StoppedFlow[] = [];
  const unadmitted: UsedFlow[] = [];
  const sources = noBits();
  const targets = new Set<Target>();
  for (const flow of flows) {
    const admitted = was.admissionsOf(flow);
    if (admitted.source === undefined || admitted.admissions.length === 0) {
      unadmitted.push(flow);
      continue;
    }
    const isPossible = isKept(flow, admitted);
    const lost = isPossible
      ? lostDomainsOf(flow)
      : admitted.admissions.flatMap(({ targets: some }) => some);
    if (isPossible && lost.length === 0) continue;
    stopped.push({ ...flow, isPossible });
    add(sources, admitted.source);
    for (const one of lost) targets.add(one);
  }
  return { stopped, unadmitted, sources, targets: [...targets] };
}

// Adds the flows that the plan may stop. What admitted a flow is looked up only if the flow may
// lose something.
function withPossible(
  { stopped, unadmitted, sources, targets }: Judged,
  { before, after }: Evaluation['states'],
  { unexplainedAmong }: UsedTraffic,
): Stopped {
  if (unexplainedAmong === undefined || unadmitted.length === 0)
    return { stopped, sources, targets };
  const lossOf = possibleLossesIn(before, after);
  const losing = unadmitted.flatMap(flow => {
    const loss = lossOf(flow);
    return loss ? { flow, loss } : [];
  });
  if (losing.length === 0) return { stopped, sources, targets };
  const unexplained = unexplainedAmong(new Set(losing.map(({ flow }) => flowText(flow))));
  const possible = losing.filter(({ flow }) => unexplained.has(flowText(flow)));
  return {
    stopped: stopped.concat(possible.map(({ flow }) => ({ ...flow, isPossible: true }))),
    sources: orAll([sources].concat(possible.map(({ loss }) => loss.sources))),
    targets: targets.concat(possible.flatMap(({ loss }) => loss.targets)),
  };
}

// Returns whether the account still admits a flow after the plan, and not only by rules that expire.
function keptAfter(states: Evaluation['states'], isEnding: IsEnding): IsKept {
  const placeAfter = flowEndsAfter(states.stateBefore, states.stateAfter);
  const { admissionsOf } = admissionsIn(states.after);
  const isEndangered = endangeredIn(states);
  const lasts = ({ compiled }: Admission): boolean =>
    compiled === undefined || !isEnding(compiled.policy, compiled.rule);
  return (flow, before) => {
    const destination = placeAfter(flow.destination);
    if (destination === null) return false;
    const moved = { ...flow, destination };
    const left = admissionsOf(moved);
    if (isStopped(before, left)) return false;
    if (left.isAgainstPosture && !before.isAgainstPosture) return false;
    if (isEndangered(flow, moved)) return false;
    return before.admissions.some(lasts) ? left.admissions.some(lasts) : left.admissions.length > 0;
  };
}

// Returns whether a plan may stop a flow that rules still admit. Either a check with an unknown
// result may stop it, or a narrower range takes the traffic to another routing machine. `moved`:
// the same flow after the plan.
function endangeredIn({
  before,
  after,
}: Evaluation['states']): (flow: AskedFlow, moved: AskedFlow) => boolean {
  const was = admissionsIn(before);
  const is = admissionsIn(after);
  const hasPosture = before.hasPosture || after.hasPosture;
  const takersBefore = takersIn(before);
  const takersAfter = takersIn(after);
  return (flow, moved) => {
    if (hasPosture && was.isCertain(flow) && !is.isCertain(moved)) return true;
    const takers = takersAfter(moved);
    if (takers.length === 0) return false;
    const former = new Set(takersBefore(flow));
    return takers.some(id => !former.has(id));
  };
}

/** The sources and destinations of flows by name, without duplicate pairs, in order. */
function pairsOf(flows: readonly UsedFlow[], state: AccessState) {
  const names = flowEndNames(state);
  const pairs = new Map(
    flows.map(flow => [
      `${flowEndText(flow.source)}|${flowEndText(flow.destination)}`,
      { who: names.place(flow.source), where: names.place(flow.destination) },
    ]),
  );
  return [...pairs.values()].sort((one, other) =>
    compareTexts(`${one.who} ${one.where}`, `${other.who} ${other.where}`),
  );
}
