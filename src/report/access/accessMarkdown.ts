// The answer to an access question as Markdown for a review comment: tables of flows and of missing access.
import type { AccessAnswer } from '../../model/access/planAccess.ts';
import { code, prose } from '../text/markdown.ts';
import { countLine } from './accessText.ts';
import { missText, partyText, reasonTexts } from './accessWords.ts';

/** The answer as Markdown. */
export function accessMarkdown(answer: AccessAnswer): string {
  const { asked, judged, flows, misses = [], unread } = answer;
  const question = [asked.from && `from ${code(asked.from)}`, asked.to && `to ${code(asked.to)}`];
  const title = ['### Access', ...question.filter(part => part !== undefined)].join(' ');
  const rows = flows.map(flow => {
    const reasons = reasonTexts(flow).join('; ');
    return row([flow.from, flow.to].map(partyText), [flow.ports.join(' '), reasons]);
  });
  const missing = misses.map(miss => row([miss.from, miss.to].map(partyText), [missText(miss)]));
  return [
    title,
    '',
    `**${countLine(answer)}** Evaluated: ${prose(judged)}.`,
    ...unread.map(text => `\n> ⚠️ Not read: ${prose(text)}`),
    ...table('| from | to | ports | granted by |\n|---|---|---|---|', rows),
    ...table('| from | does not reach | because |\n|---|---|---|', missing),
    '',
  ].join('\n');
}

const row = (parties: readonly string[], cells: readonly string[]): string =>
  `| ${[...parties.map(code), ...cells.map(prose)].join(' | ')} |`;

function table(head: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : ['', head, ...rows];
}
