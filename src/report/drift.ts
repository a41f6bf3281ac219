// Drift is a plan that nobody carries out, told from the account's side: what became of what the files declare.
import type { KindTable } from '../kinds/kind.ts';
import type { Change, FieldChange } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { changeLines } from './changeLines.ts';
import { renderLines } from './lines.ts';
import { leftAlonePart } from './planText.ts';
import type { Style } from './style.ts';
import { counted } from './summary.ts';

/** The differences that count as drift: with a base, those that the account made; without one, all of them. */
export function driftOf(plan: Plan): Change[] {
  return plan.changes.flatMap(change => {
    const fields = change.fields.filter(({ since }) => since !== 'pending');
    const isPending = change.type === 'update' && fields.length === 0 && change.was === undefined;
    return isPending ? [] : [{ ...change, fields }];
  });
}

const WHAT: Readonly<Record<Change['type'], string>> = {
  create: 'is missing from the account',
  update: 'has changed in the account',
  replace: 'has changed in the account',
  delete: 'is in the account but not declared',
};

/** Drift as text: `~` and `->` lead from what the files say to what the account holds. */
export function driftText(plan: Plan, kinds: KindTable, style: Style): string {
  const changes = driftOf(plan);
  const blocks = driftBlocks(changes, kinds, style);
  const parts = [...blocks, leftAlonePart(plan, kinds, style)].filter(part => part !== '');
  const requests = style.faint(
    `${counted(plan.declared, 'object')} declared; ${counted(plan.requests.made, 'request')} made.`,
  );
  return [...parts, `${requests}\n${style.strong(driftLine(changes))}\n`].join('\n\n');
}

/** Each difference as text, told from the account's side. */
export function driftBlocks(
  changes: readonly Change[],
  kinds: KindTable,
  style: Style,
): readonly string[] {
  return changes.flatMap(change => {
    const kind = kinds.get(change.kind);
    if (!kind) return [];
    const heading = style.strong(`  # ${change.address} ${WHAT[change.type]}`);
    return [`${heading}\n${renderLines(changeLines(kind, seenFromAccount(change)), style)}`];
  });
}

/** The last line of a drift report. */
function driftLine(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No drift.';
  const count = (...types: Change['type'][]) =>
    changes.filter(({ type }) => types.includes(type)).length;
  return `Drift: ${count('update', 'replace')} changed, ${count('create')} missing, ${count('delete')} not declared.`;
}

/** Drift for a review comment or an issue. */
export function driftMarkdown(plan: Plan, title: string): string {
  const changes = driftOf(plan);
  const rows = changes.map(({ address, type, fields }) => {
    const names = [...new Set(fields.map(({ path }) => path.join('.')))];
    return `| \`${address}\` | ${WHAT[type]} | ${type === 'update' ? names.join(', ') : ''} |`;
  });
  const table = rows.length > 0 ? ['', '| object | what | fields |', '|---|---|---|', ...rows] : [];
  return [`### ${title}`, '', `**${driftLine(changes)}**`, ...table, ''].join('\n');
}

/** A change with its sides swapped: what the files say first, what the account holds after. */
function seenFromAccount(change: Change): Change {
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

function swapped(change: FieldChange): FieldChange {
  if (change.type === 'members') return { ...change, added: change.removed, removed: change.added };
  const { before, after, byDefault: _, replaces: __, ...rest } = change;
  return {
    ...rest,
    ...(after !== undefined && { before: after }),
    ...(before !== undefined && { after: before }),
  };
}
