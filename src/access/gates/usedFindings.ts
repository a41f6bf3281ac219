// Findings about access that a plan removes although it is in use.
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { flowsOfText } from '../../model/usageWords.ts';
import {
  type Admission,
  type Admitted,
  type AskedFlow,
  admissionsIn,
  isStopped,
} from '../admitted/admission.ts';
import { flowEndNames } from '../admitted/flowEndNames.ts';
import { flowEndText } from '../admitted/flowEnds.ts';
import { isWhollyRead } from '../admitted/whollyRead.ts';
import type { Target } from '../flows/targets.ts';
import { add, type Bits, noBits } from '../sets/bits.ts';
import type { AccessState, Policy, Rule } from '../state/accessState.ts';
import { unreadNames, unreadWords } from './dependence.ts';
import type { Evaluation } from './evaluation.ts';
import { flowEndsAfter } from './flowEndsAfter.ts';

/** A flow that was used, and how often. */
interface UsedFlow extends AskedFlow {
  readonly times: number;
}

/** The flows that were used, each once, and since when flows were observed. */
export interface UsedTraffic {
  readonly flows: readonly UsedFlow[];
  /** The date since which flows were observed. */
  readonly since: string;
  /** The observed account, by the id of its built-in group of all peers; absent if only exported logs were read. */
  readonly account?: string;
}

/** The maximum number of pairs of a source and a destination that a hazard lists. */
const LISTED = 20;

/** Whether the files declare that a rule, or a part of it, expires. */
export type IsEnding = (policy: Policy, rule: Rule) => boolean;

/**
 * The finding about used flows that the account admits before the plan, but after it not at all, or only by rules that expire.
 * `evaluation` does not contain expired objects.
 */
export function usedFindings(
  evaluation: Evaluation,
  { flows, since }: UsedTraffic,
  isEnding: IsEnding = () => false,
): readonly AccessFinding[] {
  const { states, access } = evaluation;
  if (access.status === 'new-account' || states.isSame()) return [];
  const gate = { gate: 'use', code: 'CUTS_USED_ACCESS' } as const;
  if (!isWhollyRead(states.stateBefore)) {
    const detail = unreadWords(unreadNames(states.stateBefore));
    return [{ ...gate, what: 'unread', detail, pairs: 0, causes: [] }];
  }
  const { stopped, sources, targets } = stoppedFlows(flows, states, isEnding);
  if (stopped.length === 0) return [];
  const times = stopped.reduce((sum, flow) => sum + flow.times, 0);
  const machines = new Set(stopped.map(({ source }) => flowEndText(source))).size;
  const detail = `${flowsOfText(times, machines)} since ${since}`;
  const causes = evaluation.causesOf({ sources, targets }, 'lost');
  const pairs = pairsOf(stopped, states.stateBefore);
  const listed = pairs.slice(0, LISTED);
  return listed.map((pair, at) => ({
    ...gate,
    what: 'lost',
    ...pair,
    detail,
    // The first listed pair also stands for the pairs that are not listed.
    pairs: at === 0 ? pairs.length - listed.length + 1 : 1,
    causes,
  }));
}

/** The flows that a plan stops, and the machines and targets between which they were admitted. */
interface Stopped {
  readonly stopped: readonly UsedFlow[];
  readonly sources: Bits;
  readonly targets: readonly Target[];
}

function stoppedFlows(
  flows: readonly UsedFlow[],
  states: Evaluation['states'],
  isEnding: IsEnding,
): Stopped {
  const { admissionsOf } = admissionsIn(states.before);
  const isKept = keptAfter(states, isEnding);
  const stopped: UsedFlow[] = [];
  const sources = noBits();
  const targets = new Set<Target>();
  for (const flow of flows) {
    const admitted = admissionsOf(flow);
    if (admitted.source === undefined || admitted.admissions.length === 0) continue;
    if (isKept(flow, admitted)) continue;
    stopped.push(flow);
    add(sources, admitted.source);
    for (const { targets: some } of admitted.admissions) for (const one of some) targets.add(one);
  }
  return { stopped, sources, targets: [...targets] };
}

// Returns whether the account still admits a flow after the plan, and not only by rules that expire.
function keptAfter(
  { stateBefore, stateAfter, after }: Evaluation['states'],
  isEnding: IsEnding,
): (flow: UsedFlow, before: Admitted) => boolean {
  const { admissionsOf } = admissionsIn(after);
  const placeAfter = flowEndsAfter(stateBefore, stateAfter);
  const lasts = ({ compiled }: Admission): boolean =>
    compiled === undefined || !isEnding(compiled.policy, compiled.rule);
  return (flow, before) => {
    const destination = placeAfter(flow.destination);
    if (destination === null) return false;
    const left = admissionsOf({ ...flow, destination });
    if (isStopped(before, left)) return false;
    if (left.isAgainstPosture && !before.isAgainstPosture) return false;
    return before.admissions.some(lasts) ? left.admissions.some(lasts) : left.admissions.length > 0;
  };
}

/** The sources and destinations of flows by name, each pair once, in order. */
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
