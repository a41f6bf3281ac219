// Phrases about the use of a rule, for pages.
import type { RuleUse } from '../../model/access/ruleUse.ts';
import { daysOfText, flowsOfText, inTheseDays } from '../../model/usageWords.ts';

/** `2026-11-14, on 41 of 45 days`, or that no use was observed. */
export const lastUseCell = (use: RuleUse): string => whenText(use) ?? noneText(use);

/** `last used 2026-11-14, on 41 of 45 days`, or that no use was observed. */
export function lastUseText(use: RuleUse): string {
  const when = whenText(use);
  return when === undefined ? noneText(use) : `last used ${when}`;
}

const whenText = ({ last, days, ofDays }: RuleUse): string | undefined =>
  last && `${last}, on ${daysOfText(days, ofDays)}`;

const noneText = ({ ofDays, isCovered }: RuleUse): string =>
  isCovered
    ? `unused ${inTheseDays(ofDays)}`
    : `no use observed ${inTheseDays(ofDays)}; not covered`;

/** `the plan would have stopped 41 flows of 3 machines since 2026-10-01`; undefined if it would have stopped none. */
export function stoppedText({ stopped, since }: RuleUse): string | undefined {
  return (
    stopped &&
    `the plan would have stopped ${flowsOfText(stopped.flows, stopped.machines)} since ${since}`
  );
}
