// Drift is a plan that nobody carries out, told from the account's side: what became of what the files declare.
import type { KindTable } from '../../kinds/kind.ts';
import type { Attributions } from '../../model/audit/attribution.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import type { KindName } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import type { Shown } from '../../model/secrets/shown.ts';
import { visible } from '../../model/text/visible.ts';
import { changeLines } from '../plan/changeLines.ts';
import { leftAlonePart } from '../plan/planText.ts';
import { counted } from '../plan/summary.ts';
import { renderLines, wrap } from '../text/lines.ts';
import { type Style, WIDTH } from '../text/style.ts';
import { type AcknowledgedAt, type SortedDrift, sortDrift } from './acknowledged.ts';
import { attributionLines } from './attribution.ts';

/** The differences that count as drift: with a base, those that the account made; without one, all of them. */
function driftOf(plan: Plan): ShownChange[] {
  return plan.changes.flatMap(change => {
    const fields = change.fields.filter(({ since }) => since !== 'pending');
    return isDrift(change, fields) ? [{ ...change, fields }] : [];
  });
}

function isDrift(
  { type, since, was, fields }: ShownChange,
  drifted: readonly FieldChange<Shown>[],
): boolean {
  if (type === 'create' || type === 'delete') return since !== 'pending';
  if (drifted.length > 0 || since === 'drift') return true;
  // Nothing in it differs: it stands elsewhere, or has lapsed, or is only written anew for what it points at.
  return since === undefined && fields.length === 0 && (type === 'replace' || was !== undefined);
}

/** What has become of an object, as the report says it. */
export const WHAT: Readonly<Record<ShownChange['type'], string>> = {
  create: 'is missing from the account',
  update: 'has changed in the account',
  replace: 'has changed in the account',
  delete: 'is declared for deletion, but still in the account',
};

/** What a report is made of. */
export interface DriftReport extends SortedDrift {
  readonly plan: Plan;
  readonly kinds: KindTable;
  /** Who caused each difference; nothing is said of that where it is missing. */
  readonly attributions?: Attributions;
}

/** The report of a plan that nobody carries out; `now` in milliseconds decides which entries hold. */
export function driftReport(
  plan: Plan,
  kinds: KindTable,
  entries: readonly AcknowledgedAt[],
  now: number,
): DriftReport {
  return { ...sortDrift(driftOf(plan), entries, now), plan, kinds };
}

/** Drift as text: `~` and `->` lead from what the files say to what the account holds. */
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

/** The kinds whose objects decide who reaches what: looked at whether or not a file declares one. */
export const accessKinds = (kinds: KindTable): ReadonlySet<KindName> =>
  new Set([...kinds.values()].filter(kind => kind.grantsAccess).map(({ name }) => name));

/** The kinds, those first that decide who reaches what: one of those that no file declares is a hole in the fence. */
export function accessFirst(kinds: KindTable): KindTable {
  const entries = [...kinds];
  const isFirst = ([, kind]: (typeof entries)[number]) => kind.grantsAccess;
  return new Map([...entries.filter(isFirst), ...entries.filter(entry => !isFirst(entry))]);
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

/** The last line of a drift report. */
export function driftLine({ open, acknowledged }: SortedDrift): string {
  const count = (...types: ShownChange['type'][]) =>
    open.filter(({ type }) => types.includes(type)).length;
  const counts = `${count('update', 'replace')} changed, ${count('create')} missing, ${count('delete')} still there`;
  const told = open.length === 0 ? 'No drift' : `Drift: ${counts}`;
  return acknowledged.length === 0 ? `${told}.` : `${told}; ${acknowledged.length} acknowledged.`;
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
