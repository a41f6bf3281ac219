// One change of a plan as lines: what it is, where it is declared, and every field that differs.
import { isEmpty } from '../kinds/canonical.ts';
import type { Kind, Shape } from '../kinds/kind.ts';
import type { Change, FieldChange, MembersChange, ValueChange } from '../model/change.ts';
import { largest } from '../model/many.ts';
import { type Fields, isList, isObject, type Json } from '../model/value.ts';
import type { Line, Sign } from './lines.ts';
import { innerShape, pathText, shapeAt, valueText } from './values.ts';

const HEADLINE: Readonly<Record<Change['type'], string>> = {
  create: 'will be created',
  update: 'will be updated in-place',
  replace: 'must be replaced',
  delete: 'will be destroyed',
};
const SIGN: Readonly<Record<Change['type'], Sign>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
};

/** The headline that other tools look for, in OpenTofu's words. */
export function headline(change: Change): string {
  return `  # ${change.address} ${HEADLINE[change.type]}`;
}

/** Everything below the headline. */
export function changeLines(kind: Kind, change: Change): Line[] {
  const title: Line = {
    sign: SIGN[change.type],
    depth: 0,
    text: `${kind.noun} ${JSON.stringify(change.key)}`,
  };
  return [title, ...notes(change), ...bodyLines(kind, change)];
}

function bodyLines(kind: Kind, change: Change): Line[] {
  const { after = {}, fields } = change;
  if (change.type === 'create')
    return [...blockLines('+', 1, kind.shape, after, defaultsOf(fields))];
  if (change.type === 'delete') return [];
  return fields.flatMap(field => fieldLines(kind, field));
}

function notes({ was, with: parent, id, type, notes: more }: Change): Line[] {
  const texts = [
    was !== undefined && `was ${JSON.stringify(was)}${type === 'update' ? '; its id stays' : ''}`,
    parent !== undefined && `goes with ${parent}`,
    type === 'delete' && parent === undefined && id !== undefined && `id ${id}`,
    ...more,
  ];
  return texts.flatMap(text => (text ? [{ sign: ' ', depth: 1, text } satisfies Line] : []));
}

const defaultsOf = (fields: readonly FieldChange[]): ReadonlySet<string> =>
  new Set(fields.filter(field => field.byDefault).map(({ path }) => path[0] ?? ''));

// A whole object: its fields with their equal signs under each other, items of keyed lists as blocks of their own.
function blockLines(
  sign: Sign,
  depth: number,
  shape: Shape | undefined,
  value: Fields,
  defaults: ReadonlySet<string>,
): Line[] {
  const fields = Object.entries(value).filter(([, item]) => !isEmpty(item));
  const flat = fields.filter(([name, item]) => keyedItems(innerShape(shape, name), item) === null);
  const width = largest(
    0,
    flat.map(([name]) => name.length),
  );
  return fields.flatMap(([name, item]): Line[] => {
    const inner = innerShape(shape, name);
    const items = keyedItems(inner, item);
    if (items)
      return items.flatMap(([key, part]) =>
        itemLines(sign, depth, `${name}[${JSON.stringify(key)}]`, innerShape(inner, key), part),
      );
    const mark = defaults.has(name) ? ' (default)' : '';
    return [{ sign, depth, text: `${name.padEnd(width)} = ${valueText(inner, item)}${mark}` }];
  });
}

function itemLines(
  sign: Sign,
  depth: number,
  label: string,
  shape: Shape | undefined,
  item: Fields,
): Line[] {
  const { name: _, ...rest } = item;
  return [{ sign, depth, text: label }, ...blockLines(sign, depth + 1, shape, rest, new Set())];
}

function keyedItems(shape: Shape | undefined, value: Json): [string, Fields][] | null {
  const by = shape?.type === 'list' && shape.set ? shape.set.by : undefined;
  if (by === undefined || !isList(value)) return null;
  return value.filter(isObject).map(item => [String(item[by]), item]);
}

function fieldLines(kind: Kind, field: FieldChange): Line[] {
  return field.type === 'members' ? membersLines(kind, field) : valueLines(kind, field);
}

function valueLines(kind: Kind, change: ValueChange): Line[] {
  const { path, before, after } = change;
  const shape = shapeAt(kind.shape, path);
  const label = pathText(kind.shape, path);
  const sign: Sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  const whole = after ?? before;
  if (sign !== '~' && isObject(whole) && shape?.type === 'object') {
    return [{ sign, depth: 1, text: `${label}${marks(change)}` }, ...itemBody(sign, shape, whole)];
  }
  const values = [before, after]
    .filter(value => value !== undefined)
    .map(value => valueText(shape, value));
  return [{ sign, depth: 1, text: `${label} = ${values.join(' -> ')}${marks(change)}` }];
}

function itemBody(sign: Sign, shape: Shape, item: Fields): Line[] {
  const { name: _, ...rest } = item;
  return blockLines(sign, 2, shape, rest, new Set());
}

function membersLines(kind: Kind, change: MembersChange): Line[] {
  const shape = shapeAt(kind.shape, change.path);
  const items = shape?.type === 'list' ? shape.items : undefined;
  const member =
    (sign: Sign) =>
    (value: Json): Line => ({ sign, depth: 2, text: valueText(items, value) });
  return [
    { sign: '~', depth: 1, text: `${pathText(kind.shape, change.path)}${marks(change)}` },
    ...change.added.map(member('+')),
    ...change.removed.map(member('-')),
    ...unchanged(change),
  ];
}

function unchanged({ kept, foreign }: MembersChange): Line[] {
  const texts = [
    kept.length > 0 && `${kept.length} unchanged`,
    foreign.length > 0 &&
      `${foreign.length} not declared, left in place: ${foreign.map(String).join(', ')}`,
  ].filter(text => text !== false);
  return texts.length > 0 ? [{ sign: ' ', depth: 2, text: `(${texts.join('; ')})` }] : [];
}

function marks({ byDefault, replaces, since }: FieldChange): string {
  const marks = [
    byDefault && ' (default)',
    since !== undefined && since !== 'pending' && ` (${since})`,
    replaces && ' # forces replacement',
  ];
  return marks.filter(Boolean).join('');
}
