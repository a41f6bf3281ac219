// The answer to an access question as text: each flow with the rules that grant it, then missing access with the reasons.
import type { AccessAnswer, AccessFlow, AccessMiss } from '../../model/access/planAccess.ts';
import { visible } from '../../model/text/visible.ts';
import { wrap } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { missText, partyText, reasonTexts } from './accessWords.ts';

/** The answer as text. It ends with its count and a line feed. */
export function accessText(answer: AccessAnswer, style: Style): string {
  const { judged, flows, misses, unread } = answer;
  const blocks = [
    ...flows.map(flow => flowLines(flow, style)),
    ...(misses ?? []).map(miss => missLines(miss, style)),
  ];
  const notes = unread.map(text => visible(`Not read: ${text}`));
  const last = [...notes, `${countLine(answer)} Evaluated: ${visible(judged)}.`, ''];
  return [...blocks.map(lines => `${lines.join('\n')}\n`), last.join('\n')].join('\n');
}

/** `3 flows.`, `No access.` */
export function countLine({ flows, misses }: AccessAnswer): string {
  const found = flows.length === 0 ? 'No access.' : `${counted(flows.length, 'flow')}.`;
  if (misses === undefined || misses.length === 0) return found;
  return `${found} ${counted(misses.length, 'reason')} for missing access.`;
}

function flowLines(flow: AccessFlow, style: Style): string[] {
  const { from, to, ports } = flow;
  const head = [`${partyText(from)} → ${partyText(to)}`, ports.join(' ')];
  return [
    ...wrap(head, style.width).map(style.strong),
    ...reasonTexts(flow).flatMap(reason => wrap(`    ${reason}`, style.width)),
  ];
}

function missLines(miss: AccessMiss, style: Style): string[] {
  const head = `${partyText(miss.from)} ↛ ${partyText(miss.to)}`;
  return [
    ...wrap(head, style.width).map(style.strong),
    ...wrap(`    ${missText(miss)}`, style.width),
  ];
}
