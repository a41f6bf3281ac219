// The outcome of an apply as a comment on a pull request. Failures and notes come first, then the applied plan.
import type { KindTable } from '../../kinds/kind.ts';
import { isRestoredFully, type RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { planWithLabels, resultWithLabels } from '../plan/planWithLabels.ts';
import { resultLine, runText } from '../run/runText.ts';
import { PLAIN } from '../text/style.ts';
import { bytesOf, textWithin } from './budget.ts';
import { factsLine, planFacts } from './facts.ts';
import { foldedParts } from './planComment.ts';
import { findingsPart, visibleParts } from './planParts.ts';

const VISIBLE_BYTES = 36_000;
const OUTCOME_BYTES = 12_000;

/** A plan and the result of its run. */
export interface RunReport {
  readonly plan: Plan;
  readonly digest: string;
  readonly result: RunResult;
  readonly kinds: KindTable;
  readonly isAlreadyApplied: boolean;
}

/** The outcome as a comment. */
export function runComment(report: RunReport): string {
  const { digest, kinds, isAlreadyApplied } = report;
  const result = resultWithLabels(report.plan, report.result);
  const plan = planWithLabels(report.plan);
  const complete =
    result.outcomes.every(({ status }) => status === 'done') && isRestoredFully(result);
  const line = isAlreadyApplied
    ? 'Already applied: the account has every change of this plan.'
    : resultLine(plan, result);
  const hasOutcomes = plan.actions.length > 0 || result.earlier !== undefined;
  const outcome = textWithin(runText(plan, result, PLAIN), OUTCOME_BYTES, 'see the log of the job');
  const seen = [
    factsLine({ report: 'apply', complete, ...planFacts(plan), digest }),
    '### meshform apply',
    '',
    `**${line}**`,
    ...(hasOutcomes && !isAlreadyApplied ? ['', outcome] : []),
    ...visibleParts(plan, kinds, VISIBLE_BYTES),
    ...findingsPart(plan),
  ];
  const used = bytesOf(seen.join('\n'));
  return [...seen, ...foldedParts({ plan, kinds, digest }, used), ''].join('\n');
}
