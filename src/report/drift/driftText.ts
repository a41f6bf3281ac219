// Drift as text: `~` and `->` show the change from the files to the account.
import type { KindTable } from '../../kinds/kind.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { visible } from '../../model/text/visible.ts';
import type { Extent } from '../plan/planReport.ts';
import { shortenedLines, titledPart } from '../plan/planTail.ts';
import { renderLines, wrap } from '../text/lines.ts';
import { cutMark, type ListLimit } from '../text/longList.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { changeLines } from '../view/changeLines.ts';
import { leftAloneLines, namesIn } from '../view/leftAlone.ts';
import { type Detail, MOST } from '../view/planView.ts';
import { attributionLines } from './attribution.ts';
import {
  accessFirst,
  type DriftReport,
  type DriftRequest,
  driftLine,
  driftWithLabels,
  inReadingOrder,
  whatOf,
} from './drift.ts';

/** The report as text. */
export function render({ report, style, detail, command }: DriftRequest): string {
  return driftText(driftWithLabels(report), style, { detail, command });
}

/** The report as text; it ends with its summary line and a line feed. Every difference is shown in full. */
export function driftText(report: DriftReport, style: Style, extent: Extent = {}): string {
  const { detail = 'screen', command } = extent;
  const { plan, open, kinds } = report;
  const changes = inReadingOrder(open);
  const { onCut, isCut } = cutMark();
  const limit = limitOf(detail, kinds, onCut);
  const parts = [
    ...(detail === 'summary'
      ? [changes.map(change => summaryLine(change, report, style)).join('\n')]
      : driftBlocks(changes, report, style, limit)),
    acknowledgedPart(report, style, detail, limit),
    leftAlonePart(report, style, detail, onCut),
  ];
  const shown = parts.filter(part => part !== '');
  const last = [
    ...shortenedLines(isCut(), command, style).map(style.faint),
    style.faint(
      `${counted(plan.declared, 'object')} declared; ${counted(plan.requests.made, 'request')} made.`,
    ),
    style.strong(driftLine(report)),
    '',
  ].join('\n');
  return [...shown, last].join('\n\n');
}

const limitOf = (detail: Detail, kinds: KindTable, onCut: () => void): ListLimit | undefined =>
  detail === 'full' ? undefined : { most: MOST, kinds, onCut };

/** Undeclared objects. Those that grant access are listed by name, because they may be a security hole. */
export function leftAlonePart(
  { plan, kinds }: DriftReport,
  style: Style,
  detail: Detail,
  onCut?: () => void,
): string {
  const names = namesIn(detail);
  const most = ({ grantsAccess }: { readonly grantsAccess: boolean }) =>
    grantsAccess ? Math.max(names, MOST) : names;
  return titledPart('Left alone', leftAloneLines(plan, accessFirst(kinds), most, onCut), style);
}

function acknowledgedPart(
  report: DriftReport,
  style: Style,
  detail: Detail,
  limit: ListLimit | undefined,
): string {
  const { acknowledged } = report;
  if (acknowledged.length === 0) return '';
  const blocks = acknowledged.flatMap(({ change, entry: { until, reason } }) => [
    ...(detail === 'summary'
      ? wrap(`  ${change.address}`, style.width)
      : driftBlocks([change], report, style, limit)),
    ...wrap(`      until ${until}: ${reason}`, style.width).map(style.faint),
  ]);
  return [style.strong('Acknowledged'), '', ...blocks].join('\n');
}

// `~ policy.office: description, enabled`, `- group.staff: is missing from the account`
function summaryLine(change: ShownChange, report: DriftReport, style: Style): string {
  const { kinds } = report;
  const kind = kinds.get(change.kind);
  const { type, address, fields } = change;
  const paths = kind === undefined ? [] : fields.map(({ path }) => pathText(kind.shape, path));
  const isWhole = type === 'create' || type === 'delete' || paths.length === 0;
  const what = isWhole ? whatOf(change, report) : [...new Set(paths)].join(', ');
  const sign = { create: '-', delete: '+', update: '~', replace: '~' } as const;
  return renderLines([{ sign: sign[type], depth: 0, text: `${address}: ${what}` }], style);
}

/** Each difference as text, described as a change of the account. Without a limit, lists are complete. */
export function driftBlocks(
  changes: readonly ShownChange[],
  report: Pick<DriftReport, 'kinds' | 'attributions' | 'twice' | 'overdue' | 'left'>,
  style: Style,
  limit?: ListLimit,
): readonly string[] {
  const { kinds, attributions } = report;
  return changes.flatMap(change => {
    const kind = kinds.get(change.kind);
    if (!kind) return [];
    const heading = style.strong(visible(`  # ${change.address} ${whatOf(change, report)}`));
    const lines = renderLines(changeLines(kind, seenFromAccount(change), limit), style);
    const attribution = attributions?.get(change);
    const cause = attribution ? attributionLines(attribution, style) : [];
    return [[heading, lines, ...cause].join('\n')];
  });
}

/** A change with its sides swapped: first the value in the files, then the value in the account. */
export function seenFromAccount(change: ShownChange): ShownChange {
  const { before, after, ...rest } = change;
  const type = { create: 'delete', delete: 'create', update: 'update', replace: 'update' } as const;
  return {
    ...rest,
    type: type[change.type],
    ...(after && { before: after }),
    ...(before && { after: before }),
    fields: change.fields.map(swapped),
    notes: change.ended ? change.notes : [],
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
