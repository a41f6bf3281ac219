// The end of a plan's text: unmanaged objects, access, hazards, the counts.
import type { Plan, PlanRequests } from '../../model/plan.ts';
import { accessPart } from '../access/planAccessText.ts';
import { wrap } from '../text/lines.ts';
import type { CutMark } from '../text/longList.ts';
import type { Style } from '../text/style.ts';
import { counted, planLine } from '../text/summary.ts';
import { MOST } from '../view/planView.ts';
import { endingSections } from './endingsText.ts';
import { hazardLines } from './hazardLines.ts';
import { LOOSENED_TITLE, loosenedLines } from './loosenedGuards.ts';
import { hazardsOf, neededFlags } from './neededFlags.ts';
import { guardsPart, testsPart } from './planGatesText.ts';
import type { PlanReport } from './planReport.ts';
import { durationText } from './runDuration.ts';

/** How the parts of a plan are shown. */
interface Ending {
  /** Whether long lists are cut. */
  readonly isCut: boolean;
  /** Whether a part has left something out. */
  readonly mark: CutMark;
  /** The command that shows everything. */
  readonly command: string | undefined;
}

/** A plan as text: the given parts, then the closing sections, the summary line and a line feed. */
export function withTail(
  parts: readonly string[],
  { plan, kinds, style, digest }: Pick<PlanReport, 'plan' | 'kinds' | 'style' | 'digest'>,
  { isCut, mark, command }: Ending,
): string {
  const { onCut } = mark;
  const access = accessPart(plan, {
    kinds,
    style,
    limit: { most: isCut ? MOST : Number.POSITIVE_INFINITY, onCut },
  });
  const hazards = hazardPart(plan, style, isCut ? onCut : undefined);
  const loosened = titledPart(LOOSENED_TITLE, loosenedLines(plan), style);
  const gates = [testsPart(plan, style), guardsPart(plan, style), loosened];
  const ends = endingSections(plan.endings, (title, lines) => titledPart(title, lines, style));
  const all = [...parts, ...ends, access, ...gates, hazards];
  const shortened = shortenedLines(isCut && mark.isCut(), command, style);
  const shown = all.filter(part => part !== '').join('\n\n');
  const approved = digest === undefined ? [] : [style.faint(`Digest: ${digest}`)];
  const closing = [
    ...shortened.map(style.faint),
    style.faint(requestsLine(plan)),
    ...approved,
    style.strong(planLine(plan)),
    '',
  ].join('\n');
  return shown === '' ? closing : `${shown}\n\n${closing}`;
}

/** A part of a report with a title; empty if there are no lines. */
export function titledPart(title: string, lines: readonly string[], style: Style): string {
  const shown = lines.flatMap(line => wrap(`  ${line}`, style.width));
  return lines.length === 0 ? '' : [style.strong(title), '', ...shown].join('\n');
}

/** A sentence with the command that shows the whole report, if the report is shortened. */
export function shortenedLines(
  isShortened: boolean,
  command: string | undefined,
  style: Style,
): readonly string[] {
  return isShortened && command !== undefined
    ? wrap(`Not everything is shown. To see all of it: ${command}`, style.width)
    : [];
}

function hazardPart(plan: Plan, style: Style, onCut: CutMark['onCut'] | undefined): string {
  const hazards = hazardsOf(plan);
  if (hazards.length === 0) return '';
  const flags = neededFlags(hazards.filter(({ allowed }) => !allowed)).join(' ');
  const needed = flags === '' ? [] : ['', `  An apply needs: ${flags}`];
  return [
    style.strong('Hazards'),
    '',
    ...hazardLines(plan, onCut).flatMap(line => wrap(line, style.width)),
    ...needed,
  ].join('\n');
}

function requestsLine({ declared, requests }: Plan): string {
  const made = `${counted(declared, 'object')} declared; ${counted(requests.made, 'request')} made`;
  return requests.planned === 0
    ? `${made}.`
    : `${made}, ${requests.planned} planned${estimateText(requests)}.`;
}

/** The minimum estimate that is shown if no rate limit applies, in seconds. */
const SHOWN_FROM_S = 10;

function estimateText({ seconds, rate }: PlanRequests): string {
  if (seconds === undefined || (rate === undefined && seconds < SHOWN_FROM_S)) return '';
  const pace = rate === undefined ? '' : ` at ${Math.round(rate)} a minute`;
  return `, about ${durationText(seconds)}${pace}`;
}
