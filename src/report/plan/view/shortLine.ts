// A new object on one line: who gets access to what, by which protocol and ports. The kind declares which fields the line uses.
import type { Kind, KindLine, ObjectShape, Shape } from '../../../kinds/kind.ts';
import { isEmpty } from '../../../kinds/values/canonical.ts';
import type { ShownChange } from '../../../model/change.ts';
import type { Shown, ShownFields } from '../../../model/secrets/shown.ts';
import { stableText } from '../../../model/text/stableText.ts';
import { nameText } from '../../../model/text/visible.ts';
import { isList, isObject } from '../../../model/value.ts';
import { type ListLimit, moreText, portRanges, rangeText, shownList } from '../../text/longList.ts';
import { innerShape, valueText } from '../../text/values.ts';

/** A line about an object, or one line for each of its items if it has several; made of clauses, none of them empty. */
export interface ShortLine {
  readonly clauses: Clauses;
  readonly items: readonly Clauses[];
}

type Clauses = readonly string[];

/** The line for the object that a change creates; empty if its fields contribute nothing. */
export function shortLine(kind: Kind, { after = {} }: ShownChange, limit?: ListLimit): ShortLine {
  const { line, shape } = kind;
  if (line === undefined) return { clauses: allFields(kind, after, limit), items: [] };
  const whole = clausesOf(line, { shape, fields: after, list: '' }, limit);
  const list = listOf(kind);
  if (list === undefined) return { clauses: whole, items: [] };
  const items = itemsOf(shape, list, after).map(item => clausesOf(line, item, limit));
  const [only, ...others] = items;
  if (only === undefined || others.length > 0) return { clauses: whole, items };
  return { clauses: [...only, ...whole], items: [] };
}

/** An object whose fields a line uses: the declared object, or an item of its list. */
interface Part {
  readonly shape: Shape | undefined;
  readonly fields: ShownFields;
  /** The path of the list that contains the item; empty for the declared object. */
  readonly list: string;
}

// The list that the paths of the line lead into.
function listOf({ line = {}, shape }: Kind): string | undefined {
  const { above: _, ...roles } = line;
  const paths = Object.values(roles).flat();
  const firsts = paths.flatMap(path => path.split('.').slice(0, -1).slice(0, 1));
  return firsts.find(name => shape.fields.get(name)?.shape.type === 'list');
}

function itemsOf(shape: ObjectShape, list: string, fields: ShownFields): readonly Part[] {
  const inner = innerShape(shape, list);
  const items = fields[list];
  if (!isList(items)) return [];
  const itemShape = inner?.type === 'list' ? inner.items : undefined;
  return items.flatMap(item => (isObject(item) ? [{ shape: itemShape, fields: item, list }] : []));
}

function clausesOf(line: KindLine, part: Part, limit: ListLimit | undefined): Clauses {
  const texts = (paths: readonly string[] = []) =>
    paths
      .flatMap(path => valuesAt(part, path))
      .map(found => membersText(found, limit))
      .filter(text => text !== '')
      .join(', ');
  const [who, what, via, into] = [line.who, line.what, line.via, line.into].map(texts);
  const reach = [who && what ? `${who} → ${what}` : who || what];
  const ways = [...reach, via && `via ${via}`, into && `in ${into}`].filter(Boolean).join(' ');
  const traffic = trafficText(line, part, limit);
  return [ways, traffic, othersText(line.also ?? [], part, limit)].filter(text => text !== '');
}

/** A value and its shape. */
interface Found {
  readonly shape: Shape | undefined;
  readonly value: Shown;
}

// The value at a path, if the path leads through this part and there is a value.
function valuesAt({ shape, fields, list }: Part, path: string): readonly Found[] {
  const steps = path.split('.');
  if (list !== '' && steps.shift() !== list) return [];
  let found: Found = { shape, value: fields };
  for (const step of steps) {
    const inner = isObject(found.value) ? found.value[step] : undefined;
    if (inner === undefined) return [];
    found = { shape: innerShape(found.shape, step), value: inner };
  }
  return isEmpty(found.value) ? [] : [found];
}

// Names and addresses, without the quotes of the files.
function membersText({ shape, value }: Found, limit: ListLimit | undefined): string {
  const items = shape?.type === 'list' ? shape.items : shape;
  const { texts, more } = shownList(items, isList(value) ? value : [value], wordOf, limit);
  return [...texts, ...(more > 0 ? [moreText(more)] : [])].join(', ');
}

function wordOf(value: Shown): string {
  if (typeof value === 'string') return nameText(value);
  // A pointer with what it points at.
  const [only, ...others] = isObject(value) ? Object.values(value) : [];
  return typeof only === 'string' && others.length === 0
    ? nameText(only)
    : valueText(undefined, value);
}

// `tcp 443, 8000-8079`; without ports the protocol is open on every port.
function trafficText(line: KindLine, part: Part, limit: ListLimit | undefined): string {
  if (line.protocol === undefined) return '';
  const [protocol] = valuesAt(part, line.protocol);
  if (protocol === undefined) return '';
  const name = wordOf(protocol.value);
  const values = (line.port ?? [])
    .flatMap(path => valuesAt(part, path))
    .flatMap(({ value }) => (isList(value) ? value : [value]));
  if (values.length === 0) return `${name}, any port`;
  const ranges = portRanges(values);
  if (ranges !== null) return `${name} ${ranges.map(rangeText).join(', ')}`;
  const { texts, more } = shownList(undefined, values, wordOf, limit);
  return `${name} ${[...texts, ...(more > 0 ? [moreText(more)] : [])].join(', ')}`;
}

function othersText(paths: readonly string[], part: Part, limit: ListLimit | undefined): string {
  const texts = paths.flatMap(path =>
    valuesAt(part, path).flatMap(found => fieldText(path, found, part, limit)),
  );
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}

// A field whose value is not the default; defaults are left out.
function fieldText(
  path: string,
  { shape, value }: Found,
  part: Part,
  limit: ListLimit | undefined,
): readonly string[] {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const preset = part.shape?.type === 'object' ? part.shape.fields.get(name)?.default : undefined;
  const isPreset = preset !== undefined && stableText(preset) === stableText(value);
  return isPreset ? [] : [`${nameText(name)} = ${valueText(shape, value, limit)}`];
}

// Without such a declaration every field of the kind counts, except those that form its name.
function allFields(kind: Kind, fields: ShownFields, limit: ListLimit | undefined): Clauses {
  const named = new Set(kind.identity.flat());
  const paths = Object.keys(fields).filter(path => !named.has(path));
  const text = othersText(paths, { shape: kind.shape, fields, list: '' }, limit);
  return text === '' ? [] : [text];
}
