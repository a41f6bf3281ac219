// Drift for a review comment or an issue: the counts, a table, and the details collapsed.
import { pathText } from '../../kinds/values/pathText.ts';
import type { ShownChange } from '../../model/change.ts';
import { pathName } from '../../model/text/pathName.ts';
import { wrap } from '../text/lines.ts';
import { code, fenced, prose } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { attributionCell } from './attribution.ts';
import {
  type DriftReport,
  type DriftRequest,
  driftLine,
  driftWithLabels,
  inReadingOrder,
  unfinishedNotes,
  whatOf,
} from './drift.ts';
import { driftText } from './driftText.ts';

/** Drift as Markdown. */
export function render(request: DriftRequest): string {
  const { detail = 'screen', command } = request;
  const report = driftWithLabels(request.report);
  const rows = [
    ...inReadingOrder(report.open).map(change => row(change, report, '')),
    ...report.acknowledged.map(({ change, entry: { until, reason } }) =>
      row(change, report, `until ${prose(until)}: ${prose(reason)}`),
    ),
  ];
  const head = ['', '| object | what | fields | acknowledged |', '|---|---|---|---|'];
  return [
    '### meshform drift',
    '',
    `**${driftLine(report)}**`,
    ...(rows.length > 0 ? [...head, ...rows] : []),
    ...causes(report),
    ...unfinishedPart(report),
    '',
    ...(detail === 'summary' ? [] : details(driftText(report, PLAIN, { detail, command }))),
  ].join('\n');
}

/** The notes about unfinished applies. */
export function unfinishedPart(report: Pick<DriftReport, 'unfinished'>): readonly string[] {
  const lines = unfinishedNotes(report).flatMap(note => wrap(note, WIDTH));
  return lines.length === 0 ? [] : ['', fenced(lines.join('\n'))];
}

const WIDTH = 100;

function causes({ open, acknowledged, attributions }: DriftReport): readonly string[] {
  const changes = [...open, ...acknowledged.map(({ change }) => change)];
  const lines = changes.flatMap(change => {
    const found = attributions?.get(change);
    return found ? [`- ${code(change.address)}: ${attributionCell(found)}`] : [];
  });
  return lines.length > 0 ? ['', 'Caused by:', '', ...lines] : [];
}

function details(text: string): readonly string[] {
  return ['<details><summary>Details</summary>', '', fenced(text), '', '</details>', ''];
}

function row(change: ShownChange, report: DriftReport, acknowledged: string): string {
  const { address, type } = change;
  const names = fieldNames(change, report).map(code);
  const differing = type === 'create' || type === 'delete' ? '' : names.join(', ');
  return `| ${code(address)} | ${whatOf(change, report)} | ${differing} | ${acknowledged} |`;
}

/** The names of the fields of a difference as people read them, with the names of items in place of their keys. */
export function fieldNames(
  { kind, fields }: ShownChange,
  { kinds }: Pick<DriftReport, 'kinds'>,
): readonly string[] {
  const shape = kinds.get(kind)?.shape;
  return [...new Set(fields.map(({ path }) => (shape ? pathText(shape, path) : pathName(path))))];
}
