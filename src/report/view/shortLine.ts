// An object on one line: its parties, protocol and ports. The kind declares which fields the line uses.
import type { Kind, KindLine, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { keyFields } from '../../kinds/values/items.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import { stableText } from '../../model/text/stableText.ts';
import { nameText } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { type ListLimit, moreText, portRanges, rangeText, shownList } from '../text/longList.ts';
import { innerShape, valueText } from '../text/values.ts';
import { type Found, itemParts, type Part, valuesAt, wholePart } from './lineParts.ts';
import { openingOfPart, ranked } from './opening.ts';

/**
 * A line about an object, or one line for each of its items if it has several. Each line consists of clauses that are not empty.
 */
export interface ShortLine {
  readonly clauses: Clauses;
  readonly items: readonly Clauses[];
}

type Clauses = readonly string[];

/** The line for an object with these fields; empty if they contribute nothing. */
export function shortLine(kind: Kind, fields: ShownFields, limit?: ListLimit): ShortLine {
  const { line } = kind;
  if (line === undefined) return { clauses: allFields(kind, fields, limit), items: [] };
  return lineOf(line, kind, fields, limit);
}

/** The same line with all remaining fields, because a person who approves a deletion must see everything that is lost. */
export function completeLine(kind: Kind, fields: ShownFields, limit?: ListLimit): ShortLine {
  const { line } = kind;
  if (line === undefined) return { clauses: allFields(kind, fields, limit), items: [] };
  const { also = [], ...roles } = line;
  const used = new Set(
    [roles.who, roles.what, roles.via, roles.into, roles.protocol, roles.port, also].flat(),
  );
  const parts = [wholePart(kind, fields), ...(itemParts(kind, fields) ?? [])];
  const others = parts.flatMap(part => pathsIn(part, kind)).filter(path => !used.has(path));
  return lineOf({ ...roles, also: [...also, ...new Set(others)] }, kind, fields, limit);
}

// The paths of the fields of a part, without the fields that form its name, and without a list
// whose items are separate parts.
function pathsIn({ shape, fields, list }: Part, kind: Kind): readonly string[] {
  const named = new Set(
    list === '' ? kind.identity.flat() : keyFields(kind.shape.fields.get(list)?.shape),
  );
  const isNested = (name: string) =>
    list === '' && itemParts(kind, fields)?.some(part => part.list === name);
  const names = Object.keys(fields).filter(name => !named.has(name) && !isNested(name));
  const known = shape?.type === 'object' ? names.filter(name => shape.fields.has(name)) : names;
  return known.map(name => (list === '' ? name : `${list}.${name}`));
}

function lineOf(
  line: KindLine,
  kind: Kind,
  fields: ShownFields,
  limit: ListLimit | undefined,
): ShortLine {
  const whole = clausesOf(line, wholePart(kind, fields), limit);
  const parts = itemParts(kind, fields);
  if (parts === null) return { clauses: whole, items: [] };
  // The item that opens most comes first, because a long line is not read to its end.
  const inOrder = limit ? ranked(parts, part => openingOfPart(line, part, limit.kinds)) : parts;
  const items = inOrder.map(item => clausesOf(line, item, limit));
  const [only, ...others] = items;
  if (only === undefined || others.length > 0) return { clauses: whole, items };
  return { clauses: [...only, ...whole], items: [] };
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

// The members as text: names and addresses, without the quotes of the files.
function membersText({ shape, value }: Found, limit: ListLimit | undefined): string {
  const items = shape?.type === 'list' ? shape.items : shape;
  const { texts, more } = shownList(items, isList(value) ? value : [value], wordOf, limit);
  return [...texts, ...(more > 0 ? [moreText(more)] : [])].join(', ');
}

function wordOf(value: Shown): string {
  if (typeof value === 'string') return nameText(value);
  // A reference, together with the type of its target.
  const [only, ...others] = isObject(value) ? Object.values(value) : [];
  return typeof only === 'string' && others.length === 0
    ? nameText(only)
    : valueText(undefined, value);
}

// `tcp 443, 8000-8079`, or `port 443` if the line has no protocol. A protocol without ports is open on every port.
function trafficText(line: KindLine, part: Part, limit: ListLimit | undefined): string {
  const values = (line.port ?? [])
    .flatMap(path => valuesAt(part, path).filter(found => !isPreset(path, found, part)))
    .flatMap(({ value }) => (isList(value) ? value : [value]));
  if (line.protocol === undefined)
    return values.length === 0 ? '' : `port ${values.map(wordOf).join(', ')}`;
  const [protocol] = valuesAt(part, line.protocol);
  if (protocol === undefined) return '';
  const name = wordOf(protocol.value);
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

// The text of a field, without defaults inside its value. Empty if the value is the default, or if nothing is left to show.
function fieldText(
  path: string,
  { shape, value }: Found,
  part: Part,
  limit: ListLimit | undefined,
): readonly string[] {
  if (isPreset(path, { shape, value }, part)) return [];
  const own = withoutPresets(shape, value);
  if (saysNothing(own)) return [];
  return [`${nameText(nameAt(path))} = ${valueText(shape, own, limit)}`];
}

const saysNothing = (value: Shown): boolean =>
  isEmpty(value) ||
  (isObject(value) && !isSecret(value) && Object.values(value).every(saysNothing));

const nameAt = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const presetOf = (shape: Shape | undefined, name: string): Json | undefined =>
  shape?.type === 'object' ? shape.fields.get(name)?.default : undefined;

function isPreset(path: string, { value }: Found, part: Part): boolean {
  const preset = presetOf(part.shape, nameAt(path));
  return preset !== undefined && stableText(preset) === stableText(value);
}

// Removes the defaults inside a value, because nobody wrote them although a server returns all of them.
function withoutPresets(shape: Shape | undefined, value: Shown): Shown {
  if (shape?.type !== 'object' || !isObject(value) || isSecret(value)) return value;
  const own = Object.entries(value).flatMap(([name, inner]): [string, Shown][] => {
    const preset = presetOf(shape, name);
    if (preset !== undefined && stableText(preset) === stableText(inner)) return [];
    return [[name, withoutPresets(innerShape(shape, name), inner)]];
  });
  return Object.fromEntries(own);
}

// The clauses of a kind without a declared line: every field counts, except those that form its name.
function allFields(kind: Kind, fields: ShownFields, limit: ListLimit | undefined): Clauses {
  const named = new Set(kind.identity.flat());
  const paths = Object.keys(fields).filter(path => !named.has(path));
  const text = othersText(paths, wholePart(kind, fields), limit);
  return text === '' ? [] : [text];
}
