// The findings about new access, for a run that must not grant any.
import type { AccessFinding } from '../../model/access/accessGates.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import { without } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import { type ConditionOf, withGainsWhenReady } from './accessWhenReady.ts';
import { unreadNames, unreadWords } from './dependence.ts';
import type { Evaluation, StatesWhenReady } from './evaluation.ts';
import { sidesOf } from './movedAccess.ts';

/**
 * All new access and rights, including access of future members. If an unread list may hide new
 * access, a finding says so.
 */
export function newAccessFindings(evaluation: Evaluation): readonly AccessFinding[] {
  const {
    states,
    access: { rights = [] },
  } = evaluation;
  const gate = { gate: 'no_new_access' } as const;
  const gains = withGainsWhenReady(evaluation, gainsIn);
  const given = rights.map(
    ({ object, message }): AccessFinding => ({
      ...gate,
      what: 'right',
      who: object,
      detail: message,
      causes: [object],
    }),
  );
  const unread = unreadNames(states.stateBefore);
  if (unread.length === 0) return [...gains, ...given];
  return [...gains, ...given, { ...gate, what: 'unread', detail: unreadWords(unread), causes: [] }];
}

function gainsIn(
  { states, causesOf }: StatesWhenReady,
  conditionOf: ConditionOf,
): readonly AccessFinding[] {
  const namer = memberSetNamer(states.after.world);
  return states
    .changes()
    .changes.filter(({ gains: isGain }) => isGain)
    .map((change): AccessFinding => {
      const condition = conditionOf(change);
      const ports = portsText(change);
      return {
        gate: 'no_new_access',
        what: 'gained',
        ...sidesOf(namer, change.sources, change.targets),
        detail: condition === undefined ? ports : `${ports}, as ${condition}`,
        causes: causesOf(change, 'gained'),
      };
    })
    .sort((one, other) => compareTexts(textOf(one), textOf(other)));
}

const textOf = ({ who, where, detail }: AccessFinding): string => [who, where, detail].join(' ');

function portsText({ protocol, usable, before, after }: AccessChange): string {
  const added = usable ? without(usable.after, usable.before) : [];
  if (added.length > 0) return trafficWords(added).join(' ');
  const granted = before && after ? without(after.granted, before.granted) : [];
  if (granted.length > 0) return trafficWords(granted).join(' ');
  return protocol === 'all' ? 'under other conditions' : `${protocol} under other conditions`;
}
