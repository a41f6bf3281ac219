// The view of a plan from which every text format is derived: its order, and what is shown in full, on one line, or collapsed.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { isList } from '../../model/value.ts';
import type { Line } from '../text/lines.ts';
import { type ListLimit, moreText } from '../text/longList.ts';
import { counted } from '../text/summary.ts';
import { changeLines, headline } from './changeLines.ts';
import { isWide, widestFirst } from './opening.ts';
import { isRemarkable, type Remarks, remarksOf } from './remarks.ts';
import { type ShortLine, shortLine } from './shortLine.ts';

/** The level of detail of a plan: what fits a screen, everything, or one line for each object. */
export type Detail = 'screen' | 'full' | 'summary';

/** A change with all its fields. */
interface WholeRow {
  readonly type: 'whole';
  readonly change: ShownChange;
  readonly headline: string;
  /** The first line is the title of the object. */
  readonly lines: readonly Line[];
}

/** New objects of a kind, one line each. */
export interface LineRow {
  readonly type: 'listed';
  /** `29 policies`. */
  readonly title: string;
  /** Hazards that all objects of the row share, so that a text need not repeat them for each object. */
  readonly shared: readonly string[];
  /** The objects, those that open most first. */
  readonly objects: readonly ObjectLine[];
}

/** A new object on one line. */
export interface ObjectLine {
  readonly change: ShownChange;
  readonly line: ShortLine;
  /** Hazards and notes, which every form of a plan shows. */
  readonly remarks: readonly string[];
}

/** The names of new objects of a kind that grant nothing by themselves. */
export interface FoldedRow {
  readonly type: 'folded';
  /** `41 groups`. */
  readonly title: string;
  readonly changes: readonly ShownChange[];
  /** The names that are shown. */
  readonly names: readonly string[];
  /** The number of names that are not shown. */
  readonly more: number;
}

export type Row = WholeRow | LineRow | FoldedRow;

/** The changes of one type. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** The settings for rows. */
interface Showing {
  readonly kinds: KindTable;
  readonly isFolded: boolean;
  readonly limit: ListLimit | undefined;
  readonly remarks: Remarks;
}

/** The maximum number of new objects of a kind that are shown in full, and of members of a list. */
export const MOST = 20;

/** Up to this number of new objects are always shown in full, because a summary would not be shorter. */
const FEW = 3;

const TITLES: readonly (readonly [ShownChange['type'], string])[] = [
  ['update', 'To change'],
  ['replace', 'To replace'],
  ['delete', 'To delete'],
];

/**
 * Changes in the order of the sections: first changes of existing objects, then new objects. Among the new objects, those that
 * cover everybody or a wide network come first, then the others by kind, and last the kinds that grant nothing.
 */
export function changesInOrder(
  changes: readonly ShownChange[],
  kinds: KindTable,
): readonly ShownChange[] {
  const touched = TITLES.flatMap(([type]) => changes.filter(change => change.type === type));
  const created = widestFirst(
    changes.filter(({ type }) => type === 'create'),
    kinds,
  );
  const wide = created.filter(change => isWide(change, kinds));
  const narrow = Map.groupBy(
    created.filter(change => !isWide(change, kinds)),
    ({ kind }) => kind,
  );
  const grantsNothing = ({ grantsNothing: is }: Kind) => (is ? 1 : 0);
  const byKind = [...kinds.values()]
    .sort((a, b) => grantsNothing(a) - grantsNothing(b))
    .flatMap(({ name }) => narrow.get(name) ?? []);
  return [...touched, ...wide, ...byKind];
}

/** The changes of a plan as sections: first changes of existing objects, then new objects. */
export function planSections(
  plan: Plan,
  kinds: KindTable,
  {
    isFolded,
    isCut,
    ...marking
  }: Pick<ListLimit, 'onCut'> & { readonly isFolded: boolean; readonly isCut: boolean },
): readonly Section[] {
  const limit = isCut ? { most: MOST, kinds, ...marking } : undefined;
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

// Collapsed objects come last, because they matter least.
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
  const shared = sharedHazards(created, showing.remarks);
  const objects = widestFirst(created, showing.kinds).map(change =>
    objectLine(kind, change, showing),
  );
  const title = counted(created.length, kind.noun, kind.plural);
  return [{ type: 'listed', title, shared, objects }];
}

function sharedHazards(created: readonly ShownChange[], { hazards }: Remarks): readonly string[] {
  const [first = [], ...others] = created.map(({ address }) => hazards.get(address) ?? []);
  return first.filter(code => others.every(codes => codes.includes(code)));
}

function objectLine(kind: Kind, change: ShownChange, { limit, remarks }: Showing): ObjectLine {
  const codes = remarks.hazards.get(change.address) ?? [];
  const line = shortLine(kind, change.after ?? {}, limit);
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

// A name with the number of objects that it refers to: `auditors (2 peers)`.
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

/** The names of collapsed objects as a list: `auditors, break-glass, … 39 more`. */
export const foldedText = ({ names, more }: FoldedRow): string =>
  [...names, ...(more > 0 ? [moreText(more)] : [])].join(', ');
