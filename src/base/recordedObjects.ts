// Converts declared objects to the objects of a base, and back. A base contains final values, so that reading it does not require
// variables, templates, or the defaults of the version that recorded it.
import isEqual from 'fast-deep-equal';
import type { Field, Kind, ListShape, ObjectShape, Shape } from '../kinds/kind.ts';
import { excludedFields } from '../kinds/values/canonical.ts';
import { hostOf, mapHidden } from '../kinds/values/hidden.ts';
import { indexedPath, keyedPath } from '../kinds/values/items.ts';
import { shapeAt } from '../kinds/values/shapeAt.ts';
import type { Span } from '../model/diagnostic.ts';
import type { MemberEnd } from '../model/ending.ts';
import type { Desired, Lifecycle } from '../model/object.ts';
import type { RecordedObject } from '../model/recordedBase.ts';
import { type Mark, markOfRecorded } from '../model/secrets/hostedSecret.ts';
import { isSecret } from '../model/secrets/secret.ts';
import { SECRET_HOST } from '../model/secrets/secretHost.ts';
import type { ShownFields } from '../model/secrets/shown.ts';
import { positionIn } from '../model/secrets/yamlPosition.ts';
import { compareTexts } from '../model/text/compareTexts.ts';
import { pointer } from '../model/text/pointer.ts';
import { stableText } from '../model/text/stableText.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../model/value.ts';

/** A declared object as a base records it. Web addresses are marked, so that later runs recognise them. */
export function recordedObject(
  { kind: name, key, parent, fields, lifecycle, hidden, ends = [], ended }: Desired,
  kind: Kind,
  mark: Mark | undefined,
): RecordedObject {
  const { value: filled, defaults } = filledObject(kind.shape, fields);
  const sentFor = (text: string) => hidden?.placeholders?.get(text) ?? text;
  const sealed = mapHidden(kind.shape, filled, text => {
    const source = hidden?.sources.get(text);
    const isHostSecret = source !== undefined && hidden?.places.has(source) === true;
    return {
      $secret: sourceOf(source),
      $host: isHostSecret ? SECRET_HOST : hostOf(text),
      ...(mark && { $digest: markOfRecorded(mark, hidden?.written.get(text), sentFor(text)) }),
    };
  });
  return {
    kind: name,
    key,
    ...(parent !== undefined && { parent }),
    // The fields contain no hidden value any more, and every other secret was replaced by its source when the files were read.
    fields: sealed as ShownFields,
    ...(defaults.length > 0 && { defaults: defaults.map(pointer) }),
    ...(Object.keys(lifecycle).length > 0 && { lifecycle: sorted(lifecycle) }),
    // The paths of expiries are paths in the declaration with its expired parts.
    ...(ends.length > 0 && {
      ends: ends.map(({ list, member, until }) => ({
        list: keyedPath(kind.shape, ended?.fields ?? fields, list),
        member,
        until,
      })),
    }),
  };
}

// A position in a file is not recorded as the source of a secret, because files change.
const sourceOf = (source = ''): string => (positionIn(source) === null ? source : '');

const sorted = (lifecycle: Lifecycle): Lifecycle =>
  Object.fromEntries(Object.entries(lifecycle).sort(([one], [other]) => compareTexts(one, other)));

/**
 * The declared object of a base. A value that still equals the default counts as undeclared, as it did before; a value that
 * equals a former default is kept.
 */
export function declaredObject(
  { kind: name, key, parent, fields, defaults = [], lifecycle = {}, ends = [] }: RecordedObject,
  kind: Kind,
  at: Span,
): Desired {
  const found = ends.flatMap(({ list, ...end }): MemberEnd[] => {
    const path = indexedPath(kind.shape, fields, list);
    return path ? [{ ...end, list: path, at }] : [];
  });
  return {
    kind: name,
    key,
    ...(parent !== undefined && { parent }),
    fields: withoutDefaults(kind.shape, fields, new Set(defaults)),
    lifecycle,
    ...(found.length > 0 && { ends: found }),
    at,
    spans: {},
  };
}

/**
 * A value with its defaults filled in, and the paths of the filled-in values. Sets and fields are sorted, so that the order in
 * files does not matter.
 */
interface Filled<T extends Json = Json> {
  readonly value: T;
  readonly defaults: readonly Path[];
}

function filledObject(shape: ObjectShape, value: Fields): Filled<Fields> {
  const dropped = excludedFields(shape, value);
  const isFilled = (field: Field) =>
    !field.readOnly && !field.sentBack && !dropped.has(field.name) && field.default !== undefined;
  const names = [...new Set([...shape.fields.keys(), ...Object.keys(value).sort()])];
  const entries = names.flatMap((name): [string, Filled][] => {
    const field = shape.fields.get(name);
    const written = value[name];
    const isMissing = written === undefined || written === null;
    if (field?.default !== undefined && isMissing && isFilled(field))
      return [[name, { value: field.default, defaults: [[]] }]];
    return written === undefined ? [] : [[name, filledValue(field?.shape, written)]];
  });
  return joined(entries);
}

function filledValue(shape: Shape | undefined, value: Json): Filled {
  if (isSecret(value)) return { value, defaults: [] };
  if (shape?.type === 'object' && isObject(value)) return filledObject(shape, value);
  if (shape?.type === 'list' && isList(value)) return filledList(shape, value);
  if (shape?.type === 'dict' && isObject(value)) {
    const entries = Object.entries(value).sort(([one], [other]) => compareTexts(one, other));
    return joined(entries.map(([name, item]) => [name, filledValue(shape.values, item)]));
  }
  return { value, defaults: [] };
}

function filledList({ items: shape, set }: ListShape, value: readonly Json[]): Filled {
  const items = value.map(item => filledValue(shape, item));
  const text = ({ value: item }: Filled) => stableText(item);
  const ordered = set
    ? items.toSorted((one, other) => compareTexts(text(one), text(other)))
    : items;
  return {
    value: ordered.map(item => item.value),
    defaults: ordered.flatMap(({ defaults }, i) => defaults.map(path => [String(i), ...path])),
  };
}

function joined(entries: readonly (readonly [string, Filled])[]): Filled<Fields> {
  return {
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    defaults: entries.flatMap(([name, { defaults }]) => defaults.map(path => [name, ...path])),
  };
}

function withoutDefaults(shape: ObjectShape, fields: Fields, marks: ReadonlySet<string>): Fields {
  const reduced = (value: Json, path: Path): Json => {
    if (isSecret(value)) return value;
    if (isList(value)) return value.map((item, i) => reduced(item, [...path, String(i)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, item]) => !isSameDefault(item, [...path, name]))
        .map(([name, item]) => [name, reduced(item, [...path, name])]),
    );
  };
  const isSameDefault = (value: Json, path: Path): boolean => {
    const name = path.at(-1) ?? '';
    if (!marks.has(pointer(path))) return false;
    const home = path.length === 1 ? shape : shapeAt(shape, path.slice(0, -1));
    const preset = home?.type === 'object' ? home.fields.get(name)?.default : undefined;
    return isEqual(preset, value);
  };
  return reduced(fields, []) as Fields;
}
