// The flows of which it is unknown what admitted them when they took place.
import { flowText } from '../../access/admitted/admission.ts';
import type { Observed } from '../observed.ts';
import { attribute } from './attributedFlows.ts';

/**
 * Those of some flows, by their texts, that nothing admits in the states that held then, although they took place. An attempt between
 * two ends of the account is not among them: it may have been refused.
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
