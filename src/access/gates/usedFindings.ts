// Access that a plan removes and that is in use.
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { flowsOfText } from '../../model/usageWords.ts';
import { type Admission, type AskedFlow, admissionsIn } from '../admitted/admission.ts';
import { flowEndNames } from '../admitted/flowEndNames.ts';
import { flowEndText } from '../admitted/flowEnds.ts';
import { isWhollyRead } from '../admitted/whollyRead.ts';
import type { Target } from '../flows/targets.ts';
import { add, noBits } from '../sets/bits.ts';
import type { Policy, Rule } from '../state/accessState.ts';
import { unreadNames, unreadWords } from './dependence.ts';
import type { Evaluation } from './evaluation.ts';
import { flowEndsAfter } from './flowEndsAfter.ts';

/** A flow that was in use, and how often. */
interface UsedFlow extends AskedFlow {
  readonly times: number;
}

/** The flows that were in use, each once, and since when they were observed. */
export interface UsedTraffic {
  readonly flows: readonly UsedFlow[];
  /** The date since which flows were observed. */
  readonly since: string;
}

/** The pairs of a source and a destination that a hazard lists. */
const LISTED = 20;

/** Whether the files declare that a rule, or a part of it, expires. */
export type IsEnding = (policy: Policy, rule: Rule) => boolean;

/**
 * The finding for used flows that the account admits before the plan, but after it either not at all or only by rules that
 * expire. `evaluation` does not contain expired objects.
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
  const before = admissionsIn(states.before);
  const after = admissionsIn(states.after);
  const placeAfter = flowEndsAfter(states.stateBefore, states.stateAfter);
  const lasts = ({ compiled }: Admission): boolean =>
    compiled === undefined || !isEnding(compiled.policy, compiled.rule);
  const isKept = (flow: UsedFlow, admitted: ReturnType<typeof before.admissionsOf>): boolean => {
    const destination = placeAfter(flow.destination);
    if (destination === null) return false;
    const left = after.admissionsOf({ ...flow, destination });
    if (left.isAgainstPosture && !admitted.isAgainstPosture) return false;
    return admitted.admissions.some(lasts)
      ? left.admissions.some(lasts)
      : left.admissions.length > 0;
  };
  const stopped: UsedFlow[] = [];
  const sources = noBits();
  const targets = new Set<Target>();
  for (const flow of flows) {
    const admitted = before.admissionsOf(flow);
    if (admitted.source === undefined || admitted.admissions.length === 0) continue;
    if (isKept(flow, admitted)) continue;
    stopped.push(flow);
    add(sources, admitted.source);
    for (const { targets: some } of admitted.admissions) for (const one of some) targets.add(one);
  }
  const names = flowEndNames(states.stateBefore);
  const pairs = new Map(
    stopped.map(flow => [
      `${flowEndText(flow.source)}|${flowEndText(flow.destination)}`,
      { who: names.place(flow.source), where: names.place(flow.destination) },
    ]),
  );
  if (pairs.size === 0) return [];
  const times = stopped.reduce((sum, flow) => sum + flow.times, 0);
  const machines = new Set(stopped.map(({ source }) => flowEndText(source))).size;
  const detail = `${flowsOfText(times, machines)} since ${since}`;
  const causes = evaluation.causesOf({ sources, targets: [...targets] }, 'lost');
  const listed = [...pairs.values()]
    .sort((one, other) => compareTexts(`${one.who} ${one.where}`, `${other.who} ${other.where}`))
    .slice(0, LISTED);
  return listed.map((pair, at) => ({
    ...gate,
    what: 'lost',
    ...pair,
    detail,
    // The first listed pair also counts for the pairs that are not listed.
    pairs: at === 0 ? pairs.size - listed.length + 1 : 1,
    causes,
  }));
}
