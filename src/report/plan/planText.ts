// A plan as a person reads it: by kind, field by field, then what is left alone, what needs a word, and the counts.
import type { KindTable } from '../../kinds/kind.ts';
import type { LeftAlone, LeftAloneReason } from '../../model/change.ts';
import type { KindName } from '../../model/names.ts';
import type { Plan, PlanRequests } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { accessPart } from '../access/planAccessText.ts';
import { renderLines, wrap } from '../text/lines.ts';
import { type Style, WIDTH } from '../text/style.ts';
import { changeLines, headline } from './changeLines.ts';
import { durationText } from './duration.ts';
import { hazardsOf, neededFlags } from './neededFlags.ts';
import { planDigestOf } from './planDocument.ts';
import { guardsPart, testsPart } from './planGatesText.ts';
import type { PlanReport } from './planReport.ts';
import { counted, planLine } from './summary.ts';

/** The plan as text. */
export function render({ plan, kinds, style }: PlanReport): string {
  return planText(plan, kinds, style);
}

/** The plan as text; it ends in its summary line and a line feed. */
export function planText(plan: Plan, kinds: KindTable, style: Style): string {
  const parts = [
    ...kindParts(plan, kinds, style),
    leftAlonePart(plan, kinds, style),
    accessPart(plan, style),
    testsPart(plan, style),
    guardsPart(plan, style),
    hazardPart(plan, style),
  ];
  const shown = parts.filter(part => part !== '').join('\n\n');
  const digest =
    plan.actions.length > 0 ? [style.faint(`Digest: ${planDigestOf(plan, kinds)}`)] : [];
  const last = [style.faint(requestsLine(plan)), ...digest, style.strong(planLine(plan)), ''];
  const closing = last.join('\n');
  return shown === '' ? closing : `${shown}\n\n${closing}`;
}

function kindParts({ changes }: Plan, kinds: KindTable, style: Style): string[] {
  return [...kinds.values()].flatMap(kind => {
    const own = changes.filter(change => change.kind === kind.name);
    if (own.length === 0) return [];
    const title = kind.plural.charAt(0).toUpperCase() + kind.plural.slice(1);
    const blocks = own.map(
      change =>
        `${style.strong(headline(change))}\n${renderLines(changeLines(kind, change), style)}`,
    );
    return [[style.strong(title), ...blocks].join('\n\n')];
  });
}

const REASONS: Readonly<Record<LeftAloneReason, string>> = {
  unmanaged: 'not declared',
  referenced: 'not declared, but still needed',
  reserved: 'never modified',
};

/** What the run does not touch, by kind and reason; empty where there is nothing. */
export function leftAlonePart(
  { leftAlone, unselected = 0 }: Plan,
  kinds: KindTable,
  style: Style,
): string {
  const lines = [...kinds.values()].flatMap(kind =>
    Object.entries(REASONS).flatMap(([reason, words]) => {
      const own = leftAlone.filter(object => object.kind === kind.name && object.reason === reason);
      return own.length === 0 ? [] : leftAloneLines(kind.name, kinds, own, words);
    }),
  );
  if (unselected > 0)
    lines.push(`  ${counted(unselected, 'declared object')} not part of this run`);
  return lines.length === 0 ? '' : [style.strong('Left alone'), '', ...lines].join('\n');
}

function leftAloneLines(
  name: KindName,
  kinds: KindTable,
  objects: readonly LeftAlone[],
  words: string,
): string[] {
  const kind = kinds.get(name);
  const what = counted(objects.length, kind?.noun ?? name, kind?.plural ?? name);
  const named = objects.map(({ key, because }) =>
    because === undefined ? nameText(key) : `${nameText(key)} (${because})`,
  );
  return wrap(`  ${what} ${words}: ${named.join(', ')}`, WIDTH);
}

function hazardPart(plan: Plan, style: Style): string {
  const hazards = hazardsOf(plan);
  if (hazards.length === 0) return '';
  const lines = hazards.map(
    ({ code, message, allowed }) => `  ${code}  ${message}${allowed ? ' (allowed)' : ''}`,
  );
  const flags = neededFlags(hazards.filter(({ allowed }) => !allowed)).join(' ');
  const needed = flags === '' ? [] : ['', `  An apply needs: ${flags}`];
  return [style.strong('Hazards'), '', ...lines.flatMap(line => wrap(line, WIDTH)), ...needed].join(
    '\n',
  );
}

function requestsLine({ declared, requests }: Plan): string {
  const made = `${counted(declared, 'object')} declared; ${counted(requests.made, 'request')} made`;
  return requests.planned === 0
    ? `${made}.`
    : `${made}, ${requests.planned} planned${estimateText(requests)}.`;
}

/** A shorter time is told only where a rate decides it. */
const WORTH_TELLING_S = 10;

function estimateText({ seconds, rate }: PlanRequests): string {
  if (seconds === undefined || (rate === undefined && seconds < WORTH_TELLING_S)) return '';
  const pace = rate === undefined ? '' : ` at ${Math.round(rate)} a minute`;
  return `, about ${durationText(seconds)}${pace}`;
}
