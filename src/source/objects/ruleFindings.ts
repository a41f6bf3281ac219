// Rules between the fields of an object that JSON Schema cannot express, or cannot report in one sentence.
import type { ListShape, ObjectShape, Shape } from '../../kinds/kind.ts';
import { ruleFault } from '../../kinds/schema/fieldRules.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { normalise } from '../../kinds/values/normalise.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { meantByMistake } from '../findings/slips.ts';
import { enumerated, quotedBriefly } from '../sentenceWords.ts';
import type { SourceNode } from '../yaml/node.ts';

/** The violated rules between the fields of an object of this shape. */
export function ruleFindings(shape: Shape, value: Fields, node: SourceNode): Diagnostic[] {
  return broke(shape, value, []).map(({ code, message, path, key, hint }) => ({
    code,
    severity: 'error',
    message,
    at: key === undefined ? node.at(path) : node.keyAt([...path, key]),
    ...(hint && { hint }),
  }));
}

/** The hint if none of several fields is present. */
export const ADD_ONE = 'add one of them';

interface Breach {
  readonly code: 'SCHEMA_EXCLUSIVE' | 'SCHEMA_COMBINATION' | 'OBJECT_DUPLICATE';
  readonly message: string;
  readonly path: Path;
  /** The key inside the value at `path`, if the fault is a key. */
  readonly key?: string;
  readonly hint?: string;
}

function broke(shape: Shape, value: Json | undefined, path: Path): Breach[] {
  if (shape.type === 'list' && isList(value)) {
    const inside = value.flatMap((item, i) => broke(shape.items, item, [...path, String(i)]));
    return [...duplicateItems(shape, value, path), ...inside];
  }
  if (shape.type === 'object' && isObject(value)) {
    const inside = [...shape.fields.values()].flatMap(field =>
      broke(field.shape, value[field.name], [...path, field.name]),
    );
    return [...notExclusive(shape, value, path), ...brokenCheck(shape, value, path), ...inside];
  }
  return [];
}

function notExclusive(shape: ObjectShape, value: Fields, path: Path): Breach[] {
  return shape.exclusive.flatMap((names): Breach[] => {
    const code = 'SCHEMA_EXCLUSIVE';
    const written = names.filter(name => value[name] !== undefined);
    const slips = meantByMistake(value, [...shape.fields.keys()]);
    if (written.length === 0 && !names.some(name => slips.has(name))) {
      const message = `one of ${enumerated(names, 'or')} is required`;
      return [{ code, message, path, hint: ADD_ONE }];
    }
    // An empty key is already reported.
    const [, second] = written.filter(name => !isEmpty(value[name]));
    if (second === undefined) return [];
    const message = `${enumerated(written, 'and')} exclude each other`;
    return [{ code, message, path, key: second, hint: 'keep one of them' }];
  });
}

function brokenCheck(shape: ObjectShape, value: Fields, path: Path): Breach[] {
  const message = shape.check && ruleFault(shape.check, value);
  const hint = 'change one of the values that contradict each other';
  return message ? [{ code: 'SCHEMA_COMBINATION', message, path, hint }] : [];
}

function duplicateItems(shape: ListShape, items: readonly Json[], path: Path): Breach[] {
  const by = keyFields(shape);
  if (by === undefined) return [];
  const seen = new Map<string, number>();
  return items.flatMap((item, i): Breach[] => {
    // An item with an incomplete key is already reported, unless the shape allows the key to be incomplete.
    const isWhole =
      isObject(item) &&
      by.every(name => typeof item[name] !== 'object' && (name in item || mayLack(shape, name)));
    if (!isWhole) return [];
    const key = meantKey(shape, item, by);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, i);
      return [];
    }
    const hint = `members of this list are identified by ${by.join(' and ')}`;
    if (key === '') {
      const message = `${enumerated(by, 'and')} is missing here and in member ${first + 1} of this list`;
      return [{ code: 'OBJECT_DUPLICATE', message, path: [...path, String(i)], hint }];
    }
    const names = enumerated(by, 'and');
    const where = `the same as in member ${first + 1} of this list`;
    const isAlike = itemKey(item, by) === itemKey(items[first], by);
    const message = isAlike
      ? `${names} ${by.length > 1 ? 'are' : 'is'} ${where}`
      : `${names} ${by.length > 1 ? 'mean' : 'means'} ${where}: ${quotedBriefly(key)}`;
    return [{ code: 'OBJECT_DUPLICATE', message, path: [...path, String(i), by[0] ?? ''], hint }];
  });
}

// The key by which plans compare items. Texts with the same meaning give the same key.
function meantKey({ items }: ListShape, item: Fields, by: readonly string[]): string {
  const meant = by.map((name): [string, Json] => {
    const value = item[name] ?? null;
    const shape = items.type === 'object' ? items.fields.get(name)?.shape : undefined;
    const normaliser = shape?.type === 'scalar' ? shape.normalise : undefined;
    const isText = normaliser !== undefined && typeof value === 'string';
    return [name, isText ? normalise(normaliser, value) : value];
  });
  return itemKey(Object.fromEntries(meant), by);
}

const mayLack = ({ items }: ListShape, name: string): boolean =>
  items.type === 'object' && items.fields.get(name)?.required === false;
