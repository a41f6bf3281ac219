// Hints for values of the wrong type. They do not repeat the value.
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';
import { scalarText } from '../sentenceWords.ts';
import { hasReference } from '../values/reference.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { Mistake } from './mistake.ts';

/** The suggested replacement; undefined if the sentence already contains it. */
export function typeHint(mistake: Mistake): string | undefined {
  const { error, path, node } = mistake;
  const schema = (error.parentSchema ?? {}) as JsonObject;
  const data = error.data as Json;
  const type = error.params.type;
  if (data === null) return nothingHint(mistake);
  if (isFromOutside(node, path)) return 'variables are strings: write the value itself';
  switch (type) {
    case 'string':
      return textHint(data);
    case 'boolean':
      return booleanHint(scalarText(data));
    case 'integer':
    case 'number':
      return typeof data === 'string' && data.trim() !== '' && Number.isFinite(Number(data))
        ? 'remove the quotes'
        : undefined;
    case 'array':
      return listHint(data, schema);
    case 'object':
      return mappingHint(data, schema);
    default:
      return undefined;
  }
}

function nothingHint({ error, path, shape }: Mistake): string {
  const holder = shapeAt(shape, path.slice(0, -1));
  const field = holder?.type === 'object' ? holder.fields.get(path.at(-1) ?? '') : undefined;
  const least = (error.parentSchema as JsonObject).minItems;
  const value =
    error.params.type === 'array' && least === undefined
      ? 'write [] for an empty list'
      : 'write a value';
  return field?.required ? value : `${value}, or remove the key`;
}

function isFromOutside(node: SourceNode, path: Path): boolean {
  const raw = node.inside(path).value;
  return typeof raw === 'string' && hasReference(raw);
}

function textHint(data: Json): string | undefined {
  if (isObject(data)) return 'name' in data ? 'write only its name' : undefined;
  if (isList(data)) return data.length === 1 ? 'remove the brackets or the dash' : undefined;
  return 'put it in quotes';
}

// YAML 1.2 reads `yes` and `on` as texts, which surprises people.
function booleanHint(text: string): string | undefined {
  if (/^(yes|on|y)$/i.test(text)) return 'write true';
  if (/^(no|off|n)$/i.test(text)) return 'write false';
  return /^(true|false)$/i.test(text) ? 'remove the quotes' : undefined;
}

function listHint(data: Json, { items }: JsonObject): string {
  if (isObject(data)) return 'begin each member with a dash';
  const isText = isObject(items) && items.type === 'string';
  return isText && typeof data !== 'string'
    ? 'put it in quotes, and brackets around it: ["…"]'
    : 'put brackets around it: […]';
}

function mappingHint(data: Json, { properties }: JsonObject): string | undefined {
  if (!isObject(properties)) return undefined;
  const keys = Object.keys(properties);
  if (isList(data) && data.every(isObject)) return 'remove the dashes';
  return `its keys: ${keys.join(', ')}`;
}
