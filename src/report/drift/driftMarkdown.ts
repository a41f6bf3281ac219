// Drift for a review comment or an issue: the counts, a table, the details folded away.
import type { ShownChange } from '../../model/change.ts';
import { pathName } from '../../model/text/pathName.ts';
import { code, fenced, prose } from '../text/markdown.ts';
import { PLAIN } from '../text/style.ts';
import { attributionCell } from './attribution.ts';
import { type DriftReport, type DriftRequest, driftLine, WHAT } from './drift.ts';
import { driftText } from './driftText.ts';

/** Drift as Markdown. */
export function render({ report }: DriftRequest): string {
  const rows = [
    ...report.open.map(change => row(change, '', report)),
    ...report.acknowledged.map(({ change, entry: { until, reason } }) =>
      row(change, `until ${prose(until)}: ${prose(reason)}`, report),
    ),
  ];
  const head = [
    '',
    '| object | what | fields | acknowledged | caused by |',
    '|---|---|---|---|---|',
  ];
  return [
    '### meshform drift',
    '',
    `**${driftLine(report)}**`,
    ...(rows.length > 0 ? [...head, ...rows] : []),
    '',
    '<details><summary>The whole report</summary>',
    '',
    fenced(driftText(report, PLAIN)),
    '',
    '</details>',
    '',
  ].join('\n');
}

function row(change: ShownChange, acknowledged: string, { attributions }: DriftReport): string {
  const { address, type, fields } = change;
  const names = [...new Set(fields.map(({ path }) => code(pathName(path))))];
  const differing = type === 'create' || type === 'delete' ? '' : names.join(', ');
  return `| ${code(address)} | ${WHAT[type]} | ${differing} | ${acknowledged} | ${attributionCell(attributions?.get(change))} |`;
}
