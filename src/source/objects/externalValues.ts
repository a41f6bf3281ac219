// Fills in the external values of an object: ordinary texts become values, secrets become their sources.
import type { Shape } from '../../kinds/kind.ts';
import { hasHidden } from '../../kinds/values/hidden.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import type { HiddenSources } from '../../model/object.ts';
import { addAll } from '../../model/text/longLists.ts';
import { pointer } from '../../model/text/pointer.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { type Inputs, inputError } from '../values/externalInputs.ts';
import { type HiddenTexts, hiddenTexts } from '../values/hiddenTexts.ts';
import { inputsIn } from '../values/layerPaths.ts';
import { misplacedReference } from '../values/referencePlace.ts';
import { isSecretText, maskedAddress, secretValue } from '../values/secretValue.ts';
import { plainValue } from '../values/variables.ts';
import type { Located } from './locate.ts';

/** The fields of an object with all external values filled in. */
export interface FilledObject {
  /** The fields for the schema: secrets are still the written texts. */
  readonly checked: Fields;
  /** The fields for the plan: secrets are sources. */
  readonly declared: Fields;
  readonly diagnostics: readonly Diagnostic[];
  /** The JSON pointers of the values that could not be filled in. */
  readonly unfilled: ReadonlySet<string>;
  /** The hidden texts and their sources; absent if the object has no secret with a visible host. */
  readonly hidden?: HiddenSources;
}

/** Fills in an object. */
export function fillExternalValues(located: Located, all: Inputs): FilledObject {
  const { kind, own, node } = located;
  const filling: Filling = {
    located,
    all,
    hidden: hiddenTexts(kind, node),
    diagnostics: [],
    unfilled: new Set(),
    secrets: new Set(),
    references: new Set(),
  };
  const checked = mapScalars(kind.shape, own, [], (value, path, shape) =>
    checkedValue(value, { path, shape }, filling),
  );
  const isSealed = filling.secrets.size > 0 || hasHidden(kind);
  const declared = isSealed
    ? mapScalars(kind.shape, checked, [], (value, path) => declaredValue(value, path, filling))
    : checked;
  return {
    checked: checked as Fields,
    declared: declared as Fields,
    diagnostics: filling.diagnostics,
    unfilled: filling.unfilled,
    ...filling.hidden.sources(),
  };
}

/** The state while the values of one object are filled in. */
interface Filling {
  readonly located: Located;
  readonly all: Inputs;
  readonly hidden: HiddenTexts;
  readonly diagnostics: Diagnostic[];
  /** The JSON pointers of the values that could not be filled in. */
  readonly unfilled: Set<string>;
  /**
   * The JSON pointers of the secrets and of the references that are written in the file itself. A
   * text from a variable and an escaped text are not included, even if they look like a secret or a
   * reference.
   */
  readonly secrets: Set<string>;
  readonly references: Set<string>;
}

// The value for the schema.
function checkedValue(
  value: Scalar,
  { path, shape }: { readonly path: Path; readonly shape: Shape | undefined },
  { located: { kind, node }, all, hidden, diagnostics, unfilled, secrets, references }: Filling,
): Json {
  const place = pointer(path);
  if (isSecretValue(shape, value)) {
    secrets.add(place);
    return String(value);
  }
  if (typeof value !== 'string' || !value.includes('${')) return value;
  if (hidden.isReference(value, path)) references.add(place);
  if (references.has(place) || isUnknown(kind.shape, path)) return value;
  const filled = plainValue(value, all, node.at(path));
  addAll(diagnostics, filled.diagnostics);
  if (filled.diagnostics.length > 0) unfilled.add(place);
  return filled.value;
}

// The value for the plan, from the value for the schema: secrets become their sources.
function declaredValue(value: Scalar, path: Path, filling: Filling): Json {
  const { located, hidden, diagnostics, unfilled, secrets, references } = filling;
  const { node } = located;
  const place = pointer(path);
  const isHidden = typeof value === 'string' && hidden.isAt(path);
  if (isHidden && node.isFilled(path)) diagnostics.push(composed(node.at(path)));
  if (!isHidden && !secrets.has(place)) return value;
  const inputs = inputsAt(path, filling);
  if (isHidden && !references.has(place)) {
    const mask = maskedAddress(value, node.at(path));
    if (mask) diagnostics.push(mask);
    return hidden.literal(value, path, inputs);
  }
  const needed = isHidden ? 'a plan' : 'an apply';
  const filled = secretValue(String(value), inputs, node.at(path), needed);
  addAll(diagnostics, filled.diagnostics);
  if (!isHidden) return filled.value;
  const misplaced = misplacedReference(String(value), node.at(path));
  // An earlier revision cannot be corrected, so its host is treated as secret, like the host of a secret address.
  if (misplaced && !inputs.isEarlier) diagnostics.push(misplaced);
  unfilled.add(place);
  return hidden.reference(String(value), path, inputs);
}

// A value may be written in a different layer from the rest of the object.
const inputsAt = (path: Path, { located: { node }, all }: Filling) =>
  inputsIn(node.written(path).origin.layer?.fromLastLayer ?? '', all);

// The error for an address that `for_each` composes. A plan stores only the position of the address, and the text at that
// position is not the composed one.
const composed = (at: Span): Diagnostic =>
  inputError(
    'INPUT_NOT_ALLOWED',
    'this address may be secret, so `for_each` cannot fill in a part of it',
    at,
    'write the whole address in each entry, such as `url: https://…`, and use `${each.value.url}`',
  );

type Scalar = string | number | boolean | null;

function mapScalars(
  shape: Shape | undefined,
  value: Json,
  path: Path,
  change: (value: Scalar, path: Path, shape: Shape | undefined) => Json,
): Json {
  if (isList(value)) {
    const items = shape?.type === 'list' ? shape.items : undefined;
    return value.map((item, i) => mapScalars(items, item, [...path, String(i)], change));
  }
  if (!isObject(value)) return change(value, path, shape);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      mapScalars(shapeAt(shape, [key]), item, [...path, key], change),
    ]),
  );
}

function isSecretValue(shape: Shape | undefined, value: Scalar): boolean {
  if (shape?.type !== 'scalar' || value === null) return false;
  return shape.secret || (shape.masked && isSecretText(String(value)));
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
