// An example of a kind or of a field, as in a file, from the examples of the schema.
import { stringify } from 'yaml';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';

/**
 * The first example of the schema that has the field at `path`, in its context in a file. A parent object has only its required
 * fields.
 */
export function exampleText(kind: Kind, kinds: KindTable, path: readonly string[] = []): string {
  return stringify(placed(kind, exampleWith(kind, path), kinds), { lineWidth: 100 });
}

function placed(kind: Kind, example: JsonObject, kinds: KindTable): JsonObject {
  const steps = kind.at.split('.');
  if (kind.parent === undefined) return nested(steps, example);
  const parent = present(kinds.get(kind.parent), kind.parent);
  const demanded = Object.entries(exampleWith(parent, [])).filter(
    ([name]) => parent.shape.fields.get(name)?.required,
  );
  const inside = nested(steps.slice(-1), example);
  return placed(parent, { ...Object.fromEntries(demanded), ...inside }, kinds);
}

function nested([step = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = rest.length === 0 ? value : nested(rest, value);
  return step.endsWith('[]') ? { [step.slice(0, -2)]: [inner] } : { [step]: inner };
}

// A field that the server sets is in no example.
function exampleWith({ schema, name }: Kind, path: readonly string[]): JsonObject {
  const examples = (isList(schema.examples) ? schema.examples : []).filter(isObject);
  const found = examples.find(example => has(example, path)) ?? examples[0];
  return present(found, `an example of a ${name}`);
}

function has(value: Json | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (isList(value)) return value.some(item => has(item, [step, ...rest]));
  return isObject(value) && has(value[step], rest);
}
