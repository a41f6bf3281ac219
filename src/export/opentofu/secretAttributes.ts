// The attributes of a block that are secrets: those that the declaration of its kind names, and those that the state marks.
// States of older versions mark nothing.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { holdsUnknownSecret } from '../../model/secrets/secret.ts';
import { pathName } from '../../model/text/pathName.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';
import { type Instance, textsIn, valueOfAttribute } from './block.ts';

/** An attribute with a secret that an account does not return. */
export interface SecretAttribute {
  /** Its path in the attributes of the instance. */
  readonly path: Path;
  /** Its path for people: items of a list have their names, or are left out if the list has no more than one item. */
  readonly name: string;
  /** Whether the server created the secret, and shows it once. */
  readonly isOneTime: boolean;
}

/** A secret that a kind declares. */
interface Declared extends SecretAttribute {
  /** Whether the account decides if the value is a secret. */
  readonly isMasked: boolean;
}

/**
 * The secret attributes of an instance with a value. `held` is the live object with its fields: a value that the account returns
 * unmasked need not be taken from the state.
 */
export function secretAttributes(
  instance: Instance,
  kinds: readonly Kind[],
  held?: JsonObject,
): readonly SecretAttribute[] {
  const declared = kinds
    .flatMap(kind => declaredSecrets(kind, instance.attributes))
    .filter(({ path: [top = ''], isMasked }) => !isMasked || holdsUnknownSecret(held?.[top] ?? ''));
  // The state may mark a whole object as sensitive although the declaration names only secret parts of it.
  const marked = instance.sensitive
    .filter(path => isFilled(valueOfAttribute(instance.attributes, path)))
    .filter(path => !declared.some(one => isInside(one.path, path) || isInside(path, one.path)))
    .map(path => ({ path, name: pathName(plainSteps(path)), isOneTime: false }));
  const all = new Map([...declared, ...marked].map(one => [one.name, one]));
  return [...all.values()].map(({ path, name, isOneTime }) => ({ path, name, isOneTime }));
}

/** The texts of the secrets that a kind declares, for redaction. */
export function declaredTexts({ attributes }: Instance, kinds: readonly Kind[]): readonly string[] {
  return kinds
    .flatMap(kind => declaredSecrets(kind, attributes))
    .filter(({ isMasked }) => !isMasked)
    .flatMap(({ path }) => textsIn(valueOfAttribute(attributes, path) ?? null));
}

function declaredSecrets({ shape, oneTimeSecret }: Kind, attributes: JsonObject): Declared[] {
  const once = Object.entries(attributes)
    .filter(([name, value]) => isNameOf(oneTimeSecret, name) && isFilled(value))
    .map(([name]) => ({ path: [name], name, isOneTime: true, isMasked: false }));
  const inside = secretsIn(shape, attributes, { path: [], steps: [] });
  return [...once, ...inside.filter(({ path }) => !isNameOf(oneTimeSecret, path[0] ?? ''))];
}

/**
 * Whether an attribute has the name of a field. A provider may leave out the first words of the name: `token` for `plain_token`.
 */
const isNameOf = (field: string | undefined, name: string): boolean =>
  field !== undefined && (field === name || field.endsWith(`_${name}`));

/** A place in the attributes: its path, and the steps of its name. */
interface Place {
  readonly path: Path;
  readonly steps: Path;
}

function secretsIn(shape: Shape, value: Json, place: Place): Declared[] {
  if (isList(value)) return value.flatMap((_, i) => secretsOfItem(shape, value, i, place));
  if (shape.type === 'list') return secretsIn(shape.items, value, place);
  if (shape.type === 'scalar') {
    const isSecret = shape.secret || shape.masked;
    const { path, steps } = place;
    const found = { path, name: pathName(steps), isOneTime: false, isMasked: !shape.secret };
    return isSecret && isFilled(value) ? [found] : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = shape.type === 'dict' ? shape.values : fieldOf(shape, name);
    const { path, steps } = place;
    const at = { path: [...path, name], steps: [...steps, ...plainSteps([name])] };
    return own ? secretsIn(own, inner, at) : [];
  });
}

// Some provider versions write a single block of a resource as a list.
function secretsOfItem(shape: Shape, list: readonly Json[], i: number, { path, steps }: Place) {
  const item = list[i] ?? null;
  const key = itemKey(item, keyFields(shape) ?? []);
  const step = isPlain(key) ? [key] : list.length > 1 ? [String(i + 1)] : [];
  const at = { path: [...path, String(i)], steps: [...steps, ...step] };
  return secretsIn(shape.type === 'list' ? shape.items : shape, item, at);
}

const fieldOf = (shape: Shape, name: string): Shape | undefined =>
  shape.type === 'object' ? shape.fields.get(name)?.shape : undefined;

const isFilled = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== '';

const isInside = (path: Path, whole: Path): boolean => whole.every((step, i) => path[i] === step);

// Messages repeat only plain names of the file.
const plainSteps = (path: Path): Path => path.filter(isPlain);

const isPlain = (step: string): boolean => /^[\w-]{1,64}$/.test(step);
