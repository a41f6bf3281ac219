// Fills in the external values of an object: ordinary texts become values, secrets become their sources.
import type { Shape } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HiddenSources } from '../../model/object.ts';
import { addAll } from '../../model/text/many.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Located } from '../objects/locate.ts';
import { hiddenTexts } from './hiddenTexts.ts';
import type { Inputs } from './inputs.ts';
import { isSecretText, secretValue } from './secretValue.ts';
import { plainValue } from './variables.ts';

/** The fields of an object with all external values filled in. */
export interface Filled {
  /** For the schema: secrets are still the written texts. */
  readonly checked: Fields;
  /** For the plan: secrets are sources. */
  readonly declared: Fields;
  readonly diagnostics: readonly Diagnostic[];
  /** By JSON pointer, the values that could not be filled in. */
  readonly unfilled: ReadonlySet<string>;
  /** Absent if the object has no secret with a visible host. */
  readonly hidden?: HiddenSources;
}

/** Fills in an object. */
export function fill({ kind, own, node }: Located, inputs: Inputs): Filled {
  const secrets = new Set(secretPaths(kind.shape, own).map(pointer));
  const isSecret = (path: Path): boolean => secrets.size > 0 && secrets.has(pointer(path));
  const diagnostics: Diagnostic[] = [];
  const unfilled = new Set<string>();
  const hidden = hiddenTexts(kind, node);
  const checked = mapScalars(own, [], (value, path) => {
    if (isSecret(path) || (typeof value === 'string' && hidden.isReference(value, path)))
      return String(value);
    if (typeof value !== 'string' || !value.includes('${')) return value;
    if (isUnknown(kind.shape, path)) return value;
    const filled = plainValue(value, inputs, node.at(path));
    addAll(diagnostics, filled.diagnostics);
    if (filled.diagnostics.length > 0) unfilled.add(pointer(path));
    return filled.value;
  });
  const declared = mapScalars(checked, [], (value, path) => {
    const isHidden = typeof value === 'string' && hidden.isAt(path);
    if (!isSecret(path) && !isHidden) return value;
    if (isHidden && !hidden.isReference(value, path)) return hidden.literal(value, path, inputs);
    const needed = isHidden ? 'a plan' : 'an apply';
    const filled = secretValue(String(value), inputs, node.at(path), needed);
    addAll(diagnostics, filled.diagnostics);
    if (!isHidden) return filled.value;
    unfilled.add(pointer(path));
    return hidden.reference(String(value), path);
  });
  return {
    ...{ checked: checked as Fields, declared: declared as Fields, diagnostics, unfilled },
    ...hidden.sources(),
  };
}

type Scalar = string | number | boolean | null;

function mapScalars(value: Json, path: Path, change: (value: Scalar, path: Path) => Json): Json {
  if (isList(value)) return value.map((item, i) => mapScalars(item, [...path, String(i)], change));
  if (!isObject(value)) return change(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapScalars(item, [...path, key], change)]),
  );
}

// Whether `path` contains a key that the shape does not have. Only that key is reported then.
function isUnknown(shape: Shape | undefined, [step, ...rest]: Path): boolean {
  if (step === undefined) return false;
  switch (shape?.type) {
    case 'object': {
      const field = shape.fields.get(step);
      return field ? isUnknown(field.shape, rest) : step !== 'lifecycle';
    }
    case 'list':
      return isUnknown(shape.items, rest);
    case 'dict':
      return isUnknown(shape.values, rest);
    default:
      return false;
  }
}

// The paths, within one object of this shape, of the scalars that are secrets.
function secretPaths(shape: Shape, value: Json | undefined, path: Path = []): Path[] {
  switch (shape.type) {
    case 'scalar': {
      const isThere = value !== undefined && value !== null && typeof value !== 'object';
      const isSecret = shape.secret || (shape.masked && isSecretText(String(value)));
      return isSecret && isThere ? [path] : [];
    }
    case 'choice':
      return [];
    case 'list':
      return (isList(value) ? value : []).flatMap((item, i) =>
        secretPaths(shape.items, item, [...path, String(i)]),
      );
    case 'dict':
      return Object.entries(isObject(value) ? value : {}).flatMap(([key, item]) =>
        secretPaths(shape.values, item, [...path, key]),
      );
    case 'object':
      return [...shape.fields.values()].flatMap(field =>
        isObject(value) ? secretPaths(field.shape, value[field.name], [...path, field.name]) : [],
      );
  }
}
