// One view of a plan, from which every format for people derives: what is shown whole, on a line, or folded, and in which order.
import type { Kind, KindTable } from '../../../kinds/kind.ts';
import type { ShownChange } from '../../../model/change.ts';
import type { Plan } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import { isList } from '../../../model/value.ts';
import type { Line } from '../../text/lines.ts';
import { type ListLimit, moreText } from '../../text/longList.ts';
import { counted } from '../summary.ts';
import { changeLines, headline } from './changeLines.ts';
import { isRemarkable, type Remarks, remarksOf } from './remarks.ts';
import { type ShortLine, shortLine } from './shortLine.ts';

/** How much of a plan is shown: what fits a screen, everything, or an object a line. */
export type Detail = 'screen' | 'full' | 'summary';

/** A change with all its fields. */
interface WholeRow {
  readonly type: 'whole';
  readonly change: ShownChange;
  readonly headline: string;
  /** The first is the title of the object. */
  readonly lines: readonly Line[];
}

/** New objects of a kind, on a line each. */
export interface ListedRow {
  readonly type: 'listed';
  /** `29 policies`. */
  readonly title: string;
  readonly objects: readonly ListedObject[];
}

/** A new object on a line. */
export interface ListedObject {
  readonly change: ShownChange;
  readonly line: ShortLine;
  /** Hazards and notes, which no form of a plan leaves out. */
  readonly remarks: readonly string[];
}

/** New objects of a kind that grant nothing by themselves, by their names. */
export interface FoldedRow {
  readonly type: 'folded';
  /** `41 groups`. */
  readonly title: string;
  readonly changes: readonly ShownChange[];
  /** As many of their names as are shown. */
  readonly names: readonly string[];
  /** How many names are not shown. */
  readonly more: number;
}

export type Row = WholeRow | ListedRow | FoldedRow;

/** The changes of one type. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** How rows are made. */
interface Showing {
  readonly kinds: KindTable;
  readonly isFolded: boolean;
  readonly limit: ListLimit | undefined;
  readonly remarks: Remarks;
}

/** So many new objects of a kind are shown whole, and so many members of a list. */
export const MOST = 20;

/** So few new objects take no more room than a sentence about them. */
const FEW = 3;

const TITLES: readonly (readonly [ShownChange['type'], string])[] = [
  ['update', 'To change'],
  ['replace', 'To replace'],
  ['delete', 'To delete'],
];

/** Changes in the order of the sections: those of existing objects first, then new objects by kind. */
export function changesInOrder(
  changes: readonly ShownChange[],
  kinds: KindTable,
): readonly ShownChange[] {
  const touched = TITLES.flatMap(([type]) => changes.filter(change => change.type === type));
  const created = [...kinds.keys()].flatMap(name =>
    changes.filter(({ type, kind }) => type === 'create' && kind === name),
  );
  return [...touched, ...created];
}

/** The changes of a plan as sections: those of existing objects first, then new objects. */
export function planSections(
  plan: Plan,
  kinds: KindTable,
  { isFolded, isCut }: { readonly isFolded: boolean; readonly isCut: boolean },
): readonly Section[] {
  const limit = isCut ? { most: MOST, kinds } : undefined;
  const showing = { kinds, isFolded, limit, remarks: remarksOf(plan) };
  const touched = TITLES.map(([type, title]) => {
    const own = plan.changes.filter(change => change.type === type);
    return { title, rows: own.flatMap(change => wholeRows(change, showing)) };
  });
  const created = { title: 'To create', rows: createdRows(plan.changes, showing) };
  return [...touched, created].filter(({ rows }) => rows.length > 0);
}

function wholeRows(change: ShownChange, { kinds, limit }: Showing): readonly WholeRow[] {
  const kind = kinds.get(change.kind);
  if (!kind) return [];
  const lines = changeLines(kind, change, limit);
  return [{ type: 'whole', change, headline: headline(change), lines }];
}

// Folded objects come last: they matter least.
function createdRows(changes: readonly ShownChange[], showing: Showing): readonly Row[] {
  const rows = [...showing.kinds.values()].flatMap(kind => {
    const own = changes.filter(({ type, kind: name }) => type === 'create' && name === kind.name);
    const folded = foldable(kind, own, showing);
    const shown = own.filter(change => !folded.has(change));
    return [...shownRows(kind, shown, showing), ...foldedRows(kind, [...folded], showing.kinds)];
  });
  return [
    ...rows.filter(({ type }) => type !== 'folded'),
    ...rows.filter(({ type }) => type === 'folded'),
  ];
}

function foldable(
  kind: Kind,
  created: readonly ShownChange[],
  { isFolded, remarks }: Showing,
): ReadonlySet<ShownChange> {
  if (!isFolded || !kind.grantsNothing || kind.oneTimeSecret !== undefined) return new Set();
  const plain = created.filter(change => !isRemarkable(change, remarks));
  return new Set(plain.length > FEW ? plain : []);
}

function shownRows(kind: Kind, created: readonly ShownChange[], showing: Showing): readonly Row[] {
  if (!showing.isFolded || created.length <= (kind.line?.above ?? MOST))
    return created.flatMap(change => wholeRows(change, showing));
  const objects = created.map(change => listedObject(kind, change, showing));
  return [{ type: 'listed', title: counted(created.length, kind.noun, kind.plural), objects }];
}

function listedObject(kind: Kind, change: ShownChange, { limit, remarks }: Showing): ListedObject {
  const codes = remarks.hazards.get(change.address) ?? [];
  const line = shortLine(kind, change, limit);
  return { change, line, remarks: [...codes, ...change.notes] };
}

function foldedRows(
  kind: Kind,
  changes: readonly ShownChange[],
  kinds: KindTable,
): readonly FoldedRow[] {
  if (changes.length === 0) return [];
  const names = changes.slice(0, MOST).map(change => foldedName(kind, change, kinds));
  const title = counted(changes.length, kind.noun, kind.plural);
  return [{ type: 'folded', title, changes, names, more: changes.length - names.length }];
}

// A name, and how many objects it points at: `auditors (2 peers)`.
function foldedName({ shape }: Kind, { key, after = {} }: ShownChange, kinds: KindTable): string {
  const counts = [...shape.fields.values()].flatMap(({ name, shape: inner }) => {
    const ref =
      inner.type === 'list' && inner.items.type === 'scalar' ? inner.items.ref : undefined;
    const kind = ref === undefined ? undefined : kinds.get(ref);
    const members = after[name];
    if (kind === undefined || !isList(members) || members.length === 0) return [];
    return [counted(members.length, kind.noun, kind.plural)];
  });
  return counts.length === 0 ? nameText(key) : `${nameText(key)} (${counts.join(', ')})`;
}

/** The names of folded objects as a list: `auditors, break-glass, … 39 more`. */
export const foldedText = ({ names, more }: FoldedRow): string =>
  [...names, ...(more > 0 ? [moreText(more)] : [])].join(', ');
