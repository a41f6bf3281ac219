// The objects to which a run is limited: by kind, and by name with `*` for any text. Unselected objects are never compared.
import type { KindTable } from '../../kinds/kind.ts';
import { findKind, kindNamedIn } from '../../kinds/lookup.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf, segmentsOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import { exactPattern, patternNamed } from '../../model/objectName.ts';
import { globOf } from '../../model/text/glob.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Pairing } from '../types/pairing.ts';
import type { IsSelected, NamedObject, Selection } from '../types/selection.ts';
import { NO_WHOLES, type Wholes } from './wholes.ts';

/** Returns whether an object is part of the run. The parts of an object are always selected together. */
export function selected(selection: Selection, table: KindTable, wholes = NO_WHOLES): IsSelected {
  const kinds =
    selection.kinds && new Set(selection.kinds.map(name => findKind(table, name)?.name));
  const only = selection.only?.map(text => patternOf(text, table));
  const except = (selection.except ?? []).map(text => patternOf(text, table));
  return object => {
    const called = withHome({ ...object, key: wholes.keyOf(object) }, table);
    const isMeant = (matches: Matches) => called.some(matches);
    const isOfKind = kinds === undefined || kinds.has(object.kind);
    const isNamed = isOfKind && (only?.some(isMeant) ?? true);
    const address = addressOf(object.kind, wholes.keyOf(object));
    const isAlso = selection.also?.has(address) ?? false;
    const isHeld = selection.held?.has(address) ?? false;
    return (isNamed || isAlso) && !isHeld && !except.some(isMeant);
  };
}

/** Whether a run may leave objects out. */
export const isLimited = ({ kinds, only, except = [], held }: Selection): boolean =>
  kinds !== undefined || only !== undefined || except.length > 0 || (held?.size ?? 0) > 0;

/** A pairing in which only selected objects change. Faults of other objects are not reported. */
export function limitedTo(isSelected: IsSelected, pairing: Pairing): Pairing {
  const { true: pairs = [], false: bystanders = [] } = Object.groupBy(
    pairing.pairs,
    ({ desired }) => (isSelected(desired) ? 'true' : 'false'),
  );
  return { ...pairing, pairs, bystanders, creates: pairing.creates.filter(isSelected) };
}

/**
 * Findings for entries that match no object, and for entries that name a part of an object. A misspelt entry must not be ignored
 * silently.
 */
export function selectionFaults(
  { kinds = [], only = [], except = [] }: Selection,
  table: KindTable,
  { known, wholes }: { readonly known: readonly NamedObject[]; readonly wholes: Wholes },
): Diagnostic[] {
  const unknownKinds = kinds.flatMap(name =>
    findKind(table, name) ? [] : [fault(`${quoted(name)} is not a kind`, name, table.keys())],
  );
  const whole = known.map(object => ({ ...object, key: wholes.keyOf(object) }));
  const called = whole.flatMap(object => withHome(object, table));
  const names = whole.flatMap(object => [object.key, textOf(object, table)]);
  const unknownNames = [...only, ...except].flatMap((text): Diagnostic[] => {
    const isMeant = patternOf(text, table);
    const part = known.find((object, i) => isMeant(object) && !isMeant(whole[i] ?? object));
    if (part) return [partNamed(text, part, { table, wholes })];
    const clash = clashOf(text, called, table);
    if (clash) return [clash];
    if (called.some(isMeant)) return [];
    return [fault(`${quoted(text)} is neither declared nor in the account`, text, names)];
  });
  return [...unknownKinds, ...unknownNames];
}

/** An object as hints name it. */
const textOf = ({ kind, key }: NamedObject, table: KindTable): string =>
  exactPattern({ kind, key: key as Key }, table.get(kind)?.depth ?? 1);

function partNamed(
  text: string,
  part: NamedObject,
  { table, wholes }: { readonly table: KindTable; readonly wholes: Wholes },
): Diagnostic {
  const whole = quoted(textOf({ kind: part.kind, key: wholes.keyOf(part) }, table));
  return {
    code: 'SELECTION_UNKNOWN',
    severity: 'error',
    message: `${quoted(text)} names a part of ${whole}, and a run includes all parts of it or none`,
    hint: `name ${whole}`,
  };
}

/** Returns whether one of these texts names an object, another part of the same object, or its parent. */
export function namedBy(
  texts: readonly string[],
  table: KindTable,
  wholes = NO_WHOLES,
): IsSelected {
  const patterns = texts.map(text => patternOf(text, table));
  return object => namesOf(object, table, wholes).some(called => patterns.some(is => is(called)));
}

const namesOf = (
  object: NamedObject,
  table: KindTable,
  { keysOf }: Wholes,
): readonly NamedObject[] => keysOf(object).flatMap(key => withHome({ ...object, key }, table));

type Matches = (object: NamedObject) => boolean;

// Returns whether a text matches an object by one of the forms of its address, or by its name,
// whatever its kind.
function patternOf(text: string, table: KindTable): Matches {
  const { ofKind, bare } = readings(text, table);
  return object => (ofKind?.(object) ?? false) || (bare?.(object) ?? false);
}

// The possible interpretations of a text: `group.a` may be an address, or the name of an object of any kind.
function readings(text: string, table: KindTable) {
  const named = patternNamed(text, kindNamedIn(table));
  const isAddress = named && globOf(named.parts);
  const isBare = named === null || named.mayBeName ? globOf(text.split('*')) : null;
  const ofKind: Matches | null =
    named && isAddress && (object => object.kind === named.kind && isAddress(object.key));
  const bare: Matches | null = isBare && (object => isBare(object.key));
  return { ofKind, bare };
}

/**
 * The error for a text that is the address of one object and the name of another. The text selects
 * neither object, because the choice would be arbitrary.
 */
export function clashOf(
  text: string,
  called: readonly NamedObject[],
  table: KindTable,
): Diagnostic | undefined {
  const { ofKind, bare } = readings(text, table);
  const one = ofKind && called.find(ofKind);
  const other = bare && called.find(object => bare(object) && !ofKind?.(object));
  if (!one || !other) return undefined;
  const names = [one, other].map(object => quoted(textOf(object, table)));
  return {
    code: 'SELECTION_UNKNOWN',
    severity: 'error',
    message: `${quoted(text)} is the address of ${names[0]} and the name of ${names[1]}`,
    hint: `write ${names.join(' or ')}`,
  };
}

// A child is selected together with its parent.
function withHome(object: NamedObject, table: KindTable): readonly NamedObject[] {
  const { parent, depth = 1 } = table.get(object.kind) ?? {};
  const [home, own] = segmentsOf(object.key, depth) ?? [];
  if (parent === undefined || home === undefined || own === undefined) return [object];
  return [object, { kind: parent, key: home }];
}

function fault(message: string, name: string, known: Iterable<string>): Diagnostic {
  const hint =
    didYouMean(name, known) ??
    'write kind/name as in the files; `*` matches any text, and `meshform plan` lists the names';
  return { code: 'SELECTION_UNKNOWN', severity: 'error', message, hint };
}
