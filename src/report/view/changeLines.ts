// A change of a plan as lines: the action, the place of the declaration, and every field that differs.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { itemText, pathText } from '../../kinds/values/pathText.ts';
import type { FieldChange, MembersChange, ShownChange, ValueChange } from '../../model/change.ts';
import { placeText } from '../../model/diagnostic.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import { largest } from '../../model/text/longLists.ts';
import { stableText } from '../../model/text/stableText.ts';
import { jsonString, nameText, visible } from '../../model/text/visible.ts';
import { isList, isObject } from '../../model/value.ts';
import type { Line, Sign } from '../text/lines.ts';
import { type ListLimit, moreText, shownList } from '../text/longList.ts';
import { innerShape, shapeAt, valueText } from '../text/values.ts';
import { padded, textWidth } from '../text/width.ts';

const HEADLINE: Readonly<Record<ShownChange['type'], string>> = {
  create: 'will be created',
  update: 'will be updated in-place',
  replace: 'must be replaced',
  delete: 'will be destroyed',
};
/** The sign of each type of change. */
export const SIGN: Readonly<Record<ShownChange['type'], Sign>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
};

/** The headline that other tools search for, in OpenTofu's wording. */
export function headline(change: ShownChange): string {
  return visible(`  # ${change.address} ${HEADLINE[change.type]}`);
}

/** The place where files declare the object; undefined if no file does. */
export const declaredAt = ({ at }: Pick<ShownChange, 'at'>): string | undefined =>
  at && `declared at ${placeText(at)}`;

/** Everything below the headline. Without a limit, lists are complete, with one member per line. */
export function changeLines(kind: Kind, change: ShownChange, limit?: ListLimit): Line[] {
  const title: Line = {
    sign: SIGN[change.type],
    depth: 0,
    text: `${kind.noun} ${jsonString(change.key)}`,
  };
  return [title, ...notes(change), ...bodyLines(kind, change, limit)];
}

function bodyLines(kind: Kind, change: ShownChange, limit: ListLimit | undefined): Line[] {
  const { before = {}, after = {}, fields } = change;
  if (change.type === 'create') return createLines(kind, after, defaultsOf(fields), limit);
  // A deletion shows every value, because its approver must see what is lost.
  if (change.type === 'delete')
    return blockLines({ sign: '-', depth: 1, limit }, kind.shape, before, new Set());
  return fields.flatMap(field => fieldLines(kind, field, limit));
}

/** Each field of a change on one line: `ports + "443" - "80"`. Without a limit, lists are complete. */
export const fieldTexts = (
  kind: Kind,
  { fields }: ShownChange,
  limit?: ListLimit,
): readonly string[] =>
  fields.map(field =>
    fieldLines(kind, field, limit)
      .map(({ sign, depth, text }) => (depth === 1 ? text : `${sign} ${text}`.trim()))
      .join(' '),
  );

// The fields of a new object. Defaults share a line, because nobody wrote them.
function createLines(
  kind: Kind,
  after: ShownFields,
  defaults: ReadonlySet<string>,
  limit: ListLimit | undefined,
): Line[] {
  const block: Block = { sign: '+', depth: 1, limit };
  const preset = Object.entries(after).filter(
    ([name, item]) => defaults.has(name) && !isEmpty(item),
  );
  if (limit === undefined || preset.length < 2)
    return blockLines(block, kind.shape, after, defaults);
  const own = Object.fromEntries(Object.entries(after).filter(([name]) => !defaults.has(name)));
  const texts = preset.map(
    ([name, item]) => `${nameText(name)} = ${valueText(innerShape(kind.shape, name), item, limit)}`,
  );
  return [
    ...blockLines(block, kind.shape, own, new Set()),
    { sign: '+', depth: 1, text: `${texts.join(', ')} (defaults)` },
  ];
}

function notes({ was, partOf, with: parent, id, type, notes: more }: ShownChange): Line[] {
  const texts = [
    partOf !== undefined && `part of ${jsonString(partOf)}`,
    was !== undefined && `was ${jsonString(was)}${type === 'update' ? '; its id stays' : ''}`,
    parent !== undefined && `deleted with ${parent}`,
    type === 'delete' && parent === undefined && id !== undefined && `id ${id}`,
    ...more,
  ];
  return texts.flatMap(text => (text ? [{ sign: ' ', depth: 1, text } satisfies Line] : []));
}

const defaultsOf = (fields: readonly FieldChange<Shown>[]): ReadonlySet<string> =>
  new Set(fields.filter(field => field.byDefault).map(({ path }) => path[0] ?? ''));

/** The indentation of a block, and the limit of its lists. */
interface Block {
  readonly sign: Sign;
  readonly depth: number;
  readonly limit: ListLimit | undefined;
}

// The fields of a whole object, with aligned equal signs; items of keyed lists are nested blocks.
function blockLines(
  block: Block,
  shape: Shape | undefined,
  value: ShownFields,
  defaults: ReadonlySet<string>,
): Line[] {
  const { sign, depth, limit } = block;
  const fields = Object.entries(value).filter(([, item]) => !isEmpty(item));
  const flat = fields.filter(([name, item]) => keyedItems(innerShape(shape, name), item) === null);
  const width = largest(
    0,
    flat.map(([name]) => textWidth(nameText(name))),
  );
  return fields.flatMap(([name, item]): Line[] => {
    const inner = innerShape(shape, name);
    const label = nameText(name);
    const items = keyedItems(inner, item);
    if (items)
      return items.flatMap(([key, part]) =>
        itemLines(block, `${label}[${itemText(inner, key)}]`, inner, part),
      );
    const mark = defaults.has(name) ? ' (default)' : '';
    const text = `${padded(label, width)} = ${valueText(inner, item, limit)}${mark}`;
    return [{ sign, depth, text }];
  });
}

function itemLines(
  block: Block,
  label: string,
  list: Shape | undefined,
  item: ShownFields,
): Line[] {
  const { sign, depth } = block;
  const body = itemBody({ ...block, depth: depth + 1 }, list, item);
  return [{ sign, depth, text: label }, ...body];
}

// The lines of an item without its key, because the label already contains the key. A key of several fields is shown, because the
// label does not show which part belongs to which field.
function itemBody(block: Block, list: Shape | undefined, item: ShownFields): Line[] {
  const by = keyFields(list) ?? [];
  const rest = Object.entries(item).filter(([name]) => by.length !== 1 || name !== by[0]);
  const shape = list?.type === 'list' ? list.items : undefined;
  return blockLines(block, shape, Object.fromEntries(rest), new Set());
}

function keyedItems(shape: Shape | undefined, value: Shown): [string, ShownFields][] | null {
  const by = keyFields(shape);
  if (by === undefined || !isList(value)) return null;
  return value.flatMap(item => (isObject(item) ? [[itemKey(item, by), item]] : []));
}

function fieldLines(kind: Kind, field: FieldChange<Shown>, limit: ListLimit | undefined): Line[] {
  if (field.type === 'members') return membersLines(kind, field, limit);
  const members = asMembers(field, limit);
  return members ? membersLines(kind, members, limit) : valueLines(kind, field, limit);
}

function valueLines(kind: Kind, change: ValueChange<Shown>, limit: ListLimit | undefined): Line[] {
  const { path, before, after } = change;
  const shape = shapeAt(kind.shape, path);
  const label = pathText(kind.shape, path);
  const sign: Sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  const whole = after ?? before;
  if (sign !== '~' && isObject(whole) && shape?.type === 'object') {
    const list = shapeAt(kind.shape, path.slice(0, -1));
    const block = { sign, depth: 2, limit };
    const body = keyFields(list)
      ? itemBody(block, list, whole)
      : blockLines(block, shape, whole, new Set());
    return [{ sign, depth: 1, text: `${label}${marks(change)}` }, ...body];
  }
  const values = [before, after]
    .filter(value => value !== undefined)
    .map(value => valueText(shape, value, limit));
  return [{ sign, depth: 1, text: `${label} = ${values.join(' -> ')}${marks(change)}` }];
}

function membersLines(
  kind: Kind,
  change: MembersChange<Shown>,
  limit: ListLimit | undefined,
): Line[] {
  const shape = shapeAt(kind.shape, change.path);
  const items = shape?.type === 'list' ? shape.items : undefined;
  return [
    { sign: '~', depth: 1, text: `${pathText(kind.shape, change.path)}${marks(change)}` },
    ...memberLines('+', items, change.added, limit),
    ...memberLines('-', items, change.removed, limit),
    ...unchanged(items, change, limit),
  ];
}

function memberLines(
  sign: Sign,
  items: Shape | undefined,
  values: readonly Shown[],
  limit: ListLimit | undefined,
): Line[] {
  const { texts, more, isRanges } = shownList(
    items,
    values,
    value => valueText(items, value, limit),
    limit,
  );
  const lines = isRanges ? [texts.join(', ')] : texts;
  const rest = more > 0 ? [`${moreText(more)} ${sign === '+' ? 'added' : 'removed'}`] : [];
  return [...lines, ...rest].map(text => ({ sign, depth: 2, text }));
}

// The members of a list that stay. Without a limit they are listed too, so that the reader sees the whole list.
function unchanged(
  items: Shape | undefined,
  { kept, foreign }: MembersChange<Shown>,
  limit: ListLimit | undefined,
): Line[] {
  const named = foreign.slice(0, limit?.most).map(member => nameText(String(member)));
  const more = foreign.length - named.length;
  const stay = limit ? [] : kept.map(member => valueText(items, member));
  if (more > 0) limit?.onCut?.();
  const texts = [
    kept.length > 0 && `${kept.length} unchanged${limit ? '' : `: ${stay.join(', ')}`}`,
    foreign.length > 0 &&
      `${foreign.length} not declared, left in place: ${[...named, ...(more > 0 ? [moreText(more)] : [])].join(', ')}`,
  ].filter(text => text !== false);
  return texts.length > 0 ? [{ sign: ' ', depth: 2, text: `(${texts.join('; ')})` }] : [];
}

// Shows two long lists as added and removed members, because the reader looks for the differences.
function asMembers(
  field: ValueChange<Shown>,
  limit: ListLimit | undefined,
): MembersChange<Shown> | null {
  const { type: _, before, after, ...rest } = field;
  if (limit === undefined || !isList(before) || !isList(after)) return null;
  if (Math.max(before.length, after.length) <= limit.most) return null;
  const [had, has] = [before, after].map(list => new Set(list.map(member => stableText(member))));
  const added = after.filter(member => !had?.has(stableText(member)));
  const removed = before.filter(member => !has?.has(stableText(member)));
  if (added.length + removed.length === 0) return null;
  const kept = after.filter(member => had?.has(stableText(member)));
  return { ...rest, type: 'members', added, removed, kept, foreign: [] };
}

function marks({ byDefault, replaces, since }: FieldChange<Shown>): string {
  const marks = [
    byDefault && ' (default)',
    since !== undefined && since !== 'pending' && ` (${since})`,
    replaces && ' # forces replacement',
  ];
  return marks.filter(Boolean).join('');
}
