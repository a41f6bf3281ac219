// Turns a located object into a desired object with its key, or into a fault if it has no name.
import { childKey, identityName, isNameless } from '../../kinds/identity/identity.ts';
import { namedItems } from '../../kinds/identity/namedItems.ts';
import { providedBy } from '../../kinds/identity/provided.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Desired, Lifecycle } from '../../model/object.ts';
import { literalKey } from '../../model/text/literalText.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { SourceNode } from '../yaml/node.ts';
import { spansOf } from '../yaml/spans.ts';
import { boundKey } from './boundById.ts';
import type { Declared } from './declared.ts';
import type { FilledObject } from './externalValues.ts';
import type { Located } from './locate.ts';
import { readSettings } from './readSettings.ts';

/** The desired object of `located` inside `parent`; null if it has no name. */
export function declareObject(
  { kind, node }: Located,
  {
    declared: values,
    hidden,
    ends,
  }: Pick<FilledObject, 'declared' | 'hidden'> & Pick<Desired, 'ends'>,
  parent: Declared | undefined,
  isFaulty: boolean,
): Declared | null {
  const own = Object.entries(values).filter(([name]) => kind.shape.fields.has(name));
  const fields = mapFieldRefs(kind, Object.fromEntries(own), (_, key) => key);
  const name = identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
  const lifecycle = readSettings(values.lifecycle);
  const key = keyOf(name, parent?.desired.key, lifecycle);
  if (key === null) return null;
  const names = writtenNames(kind, node, fields);
  const desired: Desired = {
    kind: kind.name,
    key,
    ...(parent && { parent: parent.desired.key }),
    fields,
    lifecycle,
    ...(providedBy(kind, values) && { isProvided: true }),
    at: node.at([]),
    spans: spansOf(node, values, kind.shape),
    ...(names.size > 0 && { writtenNames: names }),
    ...(hidden && { hidden }),
    ...(ends && { ends }),
  };
  return { desired, kind, node, ...(parent && { parent }), isFaulty };
}

function writtenNames(kind: Kind, node: SourceNode, fields: Fields): ReadonlyMap<string, string> {
  const names = Object.entries(fields).flatMap(([list, items]) => {
    const by = isList(items) ? namedItems(kind, list) : undefined;
    if (by === undefined || !isList(items)) return [];
    return items.flatMap((item, i): [string, string][] => {
      const path = [list, String(i), by];
      const text = node.inside(path).value;
      const isFilledIn = isObject(item) && item[by] !== text && typeof text === 'string';
      return isFilledIn ? [[pointer(path), literalKey(text)]] : [];
    });
  });
  return new Map(names);
}

// A bound object needs no name, and may have a name that references cannot use.
function keyOf(name: string | null, parent: Key | undefined, { id }: Lifecycle): Key | null {
  const key = name === null || name === '' ? null : childKey(parent, name);
  if (key !== null && idInKey(key) === null) return key;
  return boundKey(id) ?? (name === null ? null : childKey(parent, name));
}

/** The error for an object that has no name although its schema accepts it. */
export function nameless({ kind, node }: Located): Diagnostic {
  const needed = kind.identity.map(part => part.join(' or ')).join(', ');
  const message = `this ${kind.noun} has no name`;
  const hint = `it needs: ${needed}`;
  return { code: 'OBJECT_NAMELESS', severity: 'error', message, at: node.at([]), hint };
}

/** The faults in the name of an object: it looks like an id, or it is reserved. */
export function nameFindings({ desired, kind, node, parent }: Declared): Diagnostic[] {
  if (isNameless(kind)) return [];
  const at = node.at(namePath(kind, desired.fields));
  if (idInKey(desired.key) !== null && desired.key !== boundKey(desired.lifecycle.id)) {
    if (parent !== undefined && idInKey(parent.desired.key) !== null)
      return [insideNameless(kind, parent.kind, at)];
    const message = `${quoted(desired.key)} cannot be a name: it has the form of an id`;
    const hint = 'rename it; to bind a live object, use lifecycle.id';
    return [{ code: 'OBJECT_NAMELESS', severity: 'error', message, at, hint }];
  }
  const reserved = kind.reserved.find(
    ({ field, equals }) => equals !== undefined && desired.fields[field] === equals,
  );
  if (!reserved) return [];
  const message = `${addressOf(desired.kind, desired.key)} is ${reserved.because}: meshform never modifies it`;
  const hint = 'refer to it by name without declaring it';
  return [{ code: 'PAIR_RESERVED', severity: 'error', message, at, hint }];
}

// Objects with the same name are distinguished only by id, so a reference could not tell to which of them a nested object
// belongs.
const insideNameless = (kind: Kind, parent: Kind, at: Span): Diagnostic => ({
  code: 'OBJECT_NAMELESS',
  severity: 'error',
  message: `this ${kind.noun} is in a ${parent.noun} that only an id identifies, so it needs an id as well`,
  at,
  hint: `add lifecycle.id, or give the ${parent.noun} a unique name`,
});

/** The findings for an object that another system creates: only its name may be declared. */
export function providedFindings({ desired, kind, node }: Declared): Diagnostic[] {
  if (!desired.isProvided) return [];
  const naming = new Set(kind.identity.flat());
  const more = Object.keys(desired.fields).filter(name => !naming.has(name));
  const parts = Object.keys(desired.lifecycle).length > 0 ? [...more, 'lifecycle'] : more;
  return parts.map(name => ({
    code: 'SCHEMA_COMBINATION',
    severity: 'error',
    message: `another system creates and manages ${addressOf(desired.kind, desired.key)}, so ${quoted(name)} cannot be declared`,
    at: node.at([name]),
    hint: `remove ${quoted(name)}, or do not declare that another system creates it`,
  }));
}

/** The path of the name of an object: the first of its identifying fields. */
export function namePath(kind: Kind, fields: Fields): Path {
  const paths = (kind.identity[0] ?? []).map(part => part.split('.'));
  const isWritten = (path: Path): boolean =>
    path.reduce<Json | undefined>((at, step) => (isObject(at) ? at[step] : undefined), fields) !==
    undefined;
  return paths.find(isWritten) ?? [];
}
