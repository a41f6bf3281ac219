// Drift as text: `~` and `->` lead from what the files say to what the account holds.
import type { FieldChange, ShownChange } from '../../model/change.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { visible } from '../../model/text/visible.ts';
import { changeLines } from '../plan/changeLines.ts';
import { leftAlonePart } from '../plan/planText.ts';
import { counted } from '../plan/summary.ts';
import { renderLines, wrap } from '../text/lines.ts';
import { type Style, WIDTH } from '../text/style.ts';
import { attributionLines } from './attribution.ts';
import { accessFirst, type DriftReport, type DriftRequest, driftLine, WHAT } from './drift.ts';

/** The report as text. */
export function render({ report, style }: DriftRequest): string {
  return driftText(report, style);
}

/** The report as text; it ends in its summary line and a line feed. */
export function driftText(report: DriftReport, style: Style): string {
  const { plan, kinds, open } = report;
  const parts = [
    ...driftBlocks(open, report, style),
    acknowledgedPart(report, style),
    leftAlonePart(plan, accessFirst(kinds), style),
  ];
  const shown = parts.filter(part => part !== '');
  const requests = style.faint(
    `${counted(plan.declared, 'object')} declared; ${counted(plan.requests.made, 'request')} made.`,
  );
  return [...shown, `${requests}\n${style.strong(driftLine(report))}\n`].join('\n\n');
}

function acknowledgedPart(report: DriftReport, style: Style): string {
  const { acknowledged } = report;
  if (acknowledged.length === 0) return '';
  const blocks = acknowledged.flatMap(({ change, entry: { until, reason } }) => [
    ...driftBlocks([change], report, style),
    ...wrap(`      until ${until}: ${reason}`, WIDTH).map(style.faint),
  ]);
  return [style.strong('Acknowledged'), '', ...blocks].join('\n');
}

/** Each difference as text, told from the account's side. */
export function driftBlocks(
  changes: readonly ShownChange[],
  { kinds, attributions }: Pick<DriftReport, 'kinds' | 'attributions'>,
  style: Style,
): readonly string[] {
  return changes.flatMap(change => {
    const kind = kinds.get(change.kind);
    if (!kind) return [];
    const heading = style.strong(visible(`  # ${change.address} ${WHAT[change.type]}`));
    const lines = renderLines(changeLines(kind, seenFromAccount(change)), style);
    const attribution = attributions?.get(change);
    const cause = attribution ? attributionLines(attribution, style) : [];
    return [[heading, lines, ...cause].join('\n')];
  });
}

/** A change with its sides swapped: what the files say first, what the account holds after. */
function seenFromAccount(change: ShownChange): ShownChange {
  const { before, after, ...rest } = change;
  const type = { create: 'delete', delete: 'create', update: 'update', replace: 'update' } as const;
  return {
    ...rest,
    type: type[change.type],
    ...(after && { before: after }),
    ...(before && { after: before }),
    fields: change.fields.map(swapped),
    notes: [],
  };
}

function swapped(change: FieldChange<Shown>): FieldChange<Shown> {
  if (change.type === 'members') return { ...change, added: change.removed, removed: change.added };
  const { before, after, byDefault: _, replaces: __, ...rest } = change;
  return {
    ...rest,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  };
}
