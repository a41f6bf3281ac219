// Compares two desired states. Both are declared, so no account is read, and the result contains no value of a secret.
import type { KindTable, Shape } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { hostOf, mapHidden } from '../../kinds/values/hidden.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import type { Span } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { hostedSecret } from '../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { SECRET_HOST } from '../../model/secrets/secretHost.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';
import { innerShape } from '../text/values.ts';

/** A declared object as it may be shown. */
export interface ComparedObject {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  readonly fields: ShownFields;
  readonly at: Span;
}

/** A field with different values on the two sides; a value is absent if that side does not declare the field. */
export interface FieldDifference {
  readonly path: Path;
  readonly here?: Shown;
  readonly there?: Shown;
}

/** An object that both sides declare differently. */
export interface DifferingObject {
  readonly here: ComparedObject;
  readonly there: ComparedObject;
  readonly fields: readonly FieldDifference[];
}

/** The difference of two desired states. */
export interface Comparison {
  readonly onlyHere: readonly ComparedObject[];
  readonly onlyThere: readonly ComparedObject[];
  readonly differing: readonly DifferingObject[];
  /** The number of objects that both sides declare identically. */
  readonly same: number;
}

/** The differences between the declarations of two sides. Objects are matched by address. */
export function comparisonOf(
  here: readonly Desired[],
  there: readonly Desired[],
  kinds: KindTable,
): Comparison {
  const ours = byAddress(here, kinds);
  const theirs = byAddress(there, kinds);
  const both = [...ours].flatMap(([address, one]) => {
    const other = theirs.get(address);
    return other ? [{ one, other }] : [];
  });
  const differing = both.flatMap(({ one, other }): DifferingObject[] => {
    const fields = differencesIn(kinds.get(one.shown.kind)?.shape, one, other);
    return fields.length === 0 ? [] : [{ here: one.shown, there: other.shown, fields }];
  });
  const without = (own: States, other: States) =>
    [...own].flatMap(([address, { shown }]) => (other.has(address) ? [] : [shown]));
  return {
    onlyHere: without(ours, theirs),
    onlyThere: without(theirs, ours),
    differing,
    same: both.length - differing.length,
  };
}

/** Whether two sides declare the same objects with the same values. */
export const isSame = ({ onlyHere, onlyThere, differing }: Comparison): boolean =>
  onlyHere.length + onlyThere.length + differing.length === 0;

/**
 * An object in two forms: as it is shown, and as it is compared. In the compared form, different secrets differ even if both look
 * the same when shown.
 */
interface State {
  readonly shown: ComparedObject;
  readonly compared: JsonObject;
}

type States = ReadonlyMap<Address, State>;

function byAddress(objects: readonly Desired[], kinds: KindTable): States {
  const states = objects.flatMap((object): [Address, State][] => {
    const state = stateOf(object, kinds);
    return state ? [[state.shown.address, state]] : [];
  });
  return new Map(states.toSorted(([one], [other]) => compareTexts(one, other)));
}

function stateOf(object: Desired, kinds: KindTable): State | null {
  const kind = kinds.get(object.kind);
  if (kind === undefined) return null;
  const { key, at, fields, lifecycle, hidden } = object;
  const declared = canonicalFields(kind.shape, fields, 'desired');
  const settings = Object.keys(lifecycle).length > 0 ? { lifecycle: { ...lifecycle } } : {};
  const address = addressOf(object.kind, key);
  const sealed = mapHidden(kind.shape, declared, text => {
    const source = hidden?.sources.get(text) ?? '';
    const isPlace = hidden?.places.has(source) === true;
    return hostedSecret(text, { $secret: source, $host: isPlace ? SECRET_HOST : hostOf(text) });
  });
  const compared = mapHidden(kind.shape, declared, text => comparedAddress(text, object));
  return {
    // The object no longer contains a secret value: `hostedSecret` replaces those with a visible
    // host, and all other secrets were replaced by their sources when the files were read.
    shown: {
      address,
      kind: object.kind,
      key,
      at,
      fields: { ...(sealed as ShownFields), ...settings } as ShownFields,
    },
    compared: { ...(withWritten(compared, object) as JsonObject), ...settings },
  };
}

/**
 * The compared form of an address. An address that came from a reference is compared as that reference. So the comparison does
 * not reveal whether a written address equals the value of a reference, which would confirm a guess.
 */
function comparedAddress(text: string, { hidden }: Desired): JsonObject {
  const reference = hidden?.written.get(text);
  return reference === undefined ? { written: text } : { reference };
}

/** A value in which each secret that was not read, at any depth, is replaced by its reference in the files. */
function withWritten(value: Json, object: Desired): Json {
  if (isSecret(value)) {
    const reference = object.hidden?.unread.get(value.$secret);
    return reference === undefined ? value : { reference };
  }
  if (isList(value)) return value.map(item => withWritten(item, object));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withWritten(item, object)]),
  );
}

function differencesIn(
  shape: Shape | undefined,
  one: State,
  other: State,
): readonly FieldDifference[] {
  const paths = differingPaths(shape, one.compared, other.compared);
  return paths.map(path => {
    const [here, there] = [one, other].map(({ shown }) => shownAt(shape, shown.fields, path));
    return { path, ...(here !== undefined && { here }), ...(there !== undefined && { there }) };
  });
}

/**
 * The paths at which two values differ. A path descends as long as both values have parts. Items of keyed lists are matched by
 * their keys.
 */
function differingPaths(shape: Shape | undefined, one: Json, other: Json, path: Path = []): Path[] {
  if (stableText(one) === stableText(other)) return [];
  const inner = [entriesOf(shape, one), entriesOf(shape, other)];
  const [ours, theirs] = inner;
  if (!ours || !theirs) return [path];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  return names.flatMap(name => {
    const here = ours.get(name);
    const there = theirs.get(name);
    if (here === undefined || there === undefined) return [[...path, name]];
    return differingPaths(innerShape(shape, name), here, there, [...path, name]);
  });
}

/**
 * The parts of a value by name: fields, entries of a map, or items of a keyed list. Null for a value that is compared as a whole.
 */
function entriesOf(shape: Shape | undefined, value: Json): ReadonlyMap<string, Json> | null {
  const by = keyFields(shape);
  if (isList(value)) return by ? new Map(value.map(item => [itemKey(item, by), item])) : null;
  if (!isObject(value) || shape?.type === 'scalar' || shape?.type === 'choice') return null;
  return new Map(Object.entries(value));
}

function shownAt(shape: Shape | undefined, value: Shown, path: Path): Shown | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const part = entriesOf(shape, value)?.get(step) as Shown | undefined;
  return part === undefined ? undefined : shownAt(innerShape(shape, step), part, rest);
}
