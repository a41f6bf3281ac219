// Paths inside objects as people read them, with the names of items in place of their keys.
import { namesInKey } from '../../model/key.ts';
import { jsonString } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Shape } from '../kind.ts';
import { keyFields } from './items.ts';
import { shapeAt } from './shapeAt.ts';

/**
 * The key of an item as people read it: `"postgres"`. With several key fields: `"/ network_resource/production/wiki"`, where a
 * reference has the type of its target before the name.
 */
export function itemText(list: Shape | undefined, key: string): string {
  const by = keyFields(list) ?? [];
  const parts = by.length < 2 ? [] : namesInKey(key);
  const texts = parts.map(partText);
  // Plain names are shown as they are in the key.
  if (texts.every((text, at) => text === parts[at])) return jsonString(key);
  return jsonString(texts.filter(Boolean).join(' '));
}

function partText(part: string): string {
  if (!part.startsWith('{')) return part;
  try {
    const value: Json = JSON.parse(part);
    const [[type = '', name = null] = [], ...others] = isObject(value) ? Object.entries(value) : [];
    const names = isList(name) ? name : [name];
    const isName = others.length === 0 && names.every(one => typeof one === 'string');
    return isName ? [type, ...names].join('/') : part;
  } catch {
    return part;
  }
}

/** A path as people read it: `rules["postgres"].ports`. */
export function pathText(shape: Shape, path: Path): string {
  let inner: Shape | undefined = shape;
  let text = '';
  for (const step of path) {
    const isKeyed = inner?.type === 'list' || inner?.type === 'dict';
    text += isKeyed ? `[${itemText(inner, step)}]` : text === '' ? step : `.${step}`;
    inner = shapeAt(inner, [step]);
  }
  return text;
}
