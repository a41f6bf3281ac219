// Finds the flows for which it is unknown what admitted them.
import { flowText } from '../../access/admitted/admission.ts';
import type { Observed } from '../observed.ts';
import { attribute } from './attributedFlows.ts';

/**
 * The texts of those flows that took place although nothing admits them in the states of their
 * time. An attempt between two ends of the account is left out, because it may have been refused.
 */
export function unexplainedAmong(
  observed: Observed,
  texts: ReadonlySet<string>,
): ReadonlySet<string> {
  const flows = observed.flows.filter(flow => texts.has(flowText(flow)));
  const { unexplained } = attribute({ ...observed, flows });
  return new Set(
    unexplained
      .filter(({ reason, isAttempt }) => reason !== 'no-rule' || !isAttempt)
      .map(({ flow }) => flowText(flow)),
  );
}
