// A part of an export: some kinds, or some objects by name, with their children and parents.
import type { KindTable } from '../kinds/kind.ts';
import { findKind, kindNamedIn } from '../kinds/lookup.ts';
import { refsOf } from '../kinds/values/refs.ts';
import { escapeSegment, keyOf, segmentsOf } from '../model/key.ts';
import type { Key, KindName } from '../model/names.ts';
import { exactPattern, patternNamed } from '../model/objectName.ts';
import { globOf } from '../model/text/glob.ts';
import { didYouMean } from '../model/text/nearest.ts';
import { quoted } from '../model/text/visible.ts';
import type { Exported, ExportModel } from './model.ts';

/** What to export; everything if neither kinds nor objects are given. */
export interface Selection {
  readonly kinds: ReadonlySet<KindName>;
  /** Objects by kind and key; a nested object may be named without its parent. */
  readonly only: readonly Asked[];
  /** Objects that are left out, with what nests in them. */
  readonly except?: readonly Asked[];
}

/** Requested objects. */
interface Asked {
  readonly kind: KindName;
  readonly matches: (key: string) => boolean;
  /** As written. */
  readonly text: string;
}

/** Parses a selection, or reports its fault. */
export function readSelection(
  kinds: KindTable,
  kindWords: readonly string[],
  onlyWords: readonly string[],
  exceptWords: readonly string[] = [],
): Selection | { readonly fault: string; readonly hint: string } {
  const found: KindName[] = [];
  for (const word of kindWords) {
    const kind = findKind(kinds, word);
    if (!kind) return unknownKind(kinds, word);
    found.push(kind.name);
  }
  const asked = (texts: readonly string[]) => texts.map(text => askedFor(text, kinds));
  const only = asked(onlyWords);
  const except = asked(exceptWords);
  const unknown = [...only, ...except].find(one => typeof one === 'string');
  if (unknown !== undefined) return unknownKind(kinds, unknown);
  const isAsked = (one: Asked | string): one is Asked => typeof one !== 'string';
  return { kinds: new Set(found), only: only.filter(isAsked), except: except.filter(isAsked) };
}

// The requested object, or the word that should name a kind and does not.
function askedFor(text: string, kinds: KindTable): Asked | string {
  const named = patternNamed(text, kindNamedIn(kinds));
  if (named === null) return text.split('/')[0] ?? text;
  return { kind: named.kind, matches: globOf(named.parts), text };
}

function unknownKind(kinds: KindTable, word: string) {
  const names = [...kinds.keys()];
  const hint = didYouMean(word, names) ?? `kinds are: ${names.join(', ')}`;
  return { fault: `unknown kind ${quoted(word)}`, hint };
}

const isWhole = ({ kinds, only }: Selection): boolean => kinds.size + only.length === 0;

const isEverything = (selection: Selection): boolean =>
  isWhole(selection) && (selection.except ?? []).length === 0;

/** The kinds to read: the selected ones, their children and parents, and the kinds that these point at. */
export function kindsToRead(kinds: KindTable, selection: Selection): ReadonlySet<KindName> {
  if (isWhole(selection)) return new Set(kinds.keys());
  const wanted = new Set([...selection.kinds, ...selection.only.map(({ kind }) => kind)]);
  const family = [...kinds.values()].filter(
    ({ name, parent }) =>
      wanted.has(name) ||
      (parent !== undefined && wanted.has(parent)) ||
      [...wanted].some(one => kinds.get(one)?.parent === name),
  );
  const around = family.flatMap(kind => [kind.name, ...refsOf(kind)]);
  const homes = around.flatMap(name => kinds.get(name)?.parent ?? []);
  return new Set([...around, ...homes]);
}

interface Called {
  readonly kind: KindName;
  readonly name: string;
}

/** Requested names that match no object; a similar name is given as a hint where there is one. */
export interface UnknownNames {
  readonly names: readonly string[];
  readonly hints: readonly string[];
}

/** The selected part of a model, and the words of `only` and `except` that match nothing. */
export function selectedModel(
  model: ExportModel,
  selection: Selection,
): { readonly model: ExportModel; readonly unknown: UnknownNames } {
  if (isEverything(selection)) return { model, unknown: { names: [], hints: [] } };
  const met = new Set<string>();
  const { except = [] } = selection;
  const isIn = (asked: readonly Asked[], { kind, name }: Called, parent?: Exported): boolean =>
    asked.filter(one => {
      const isIt = one.kind === kind && keysOf(name, parent).some(one.matches);
      if (isIt) met.add(one.text);
      return isIt;
    }).length > 0;
  const isMeant = (called: Called, parent?: Exported): boolean =>
    isWhole(selection) || selection.kinds.has(called.kind) || isIn(selection.only, called, parent);
  const keep = (object: Exported, parent?: Exported, isInside = false): Exported[] => {
    const names = [object.name, ...(object.joined ?? []).map(({ name }) => name)];
    const called = names.map(name => ({ kind: object.kind.name, name }));
    if (called.some(one => isIn(except, one, parent))) return [];
    const isKept = called.some(one => isMeant(one, parent)) || isInside;
    const children = object.children.flatMap(child => keep(child, object, isKept));
    return isKept || children.length > 0 ? [{ ...object, children }] : [];
  };
  const objects = model.objects.flatMap(object => keep(object));
  const leftOut = model.leftOut.filter(object => !isIn(except, object) && isMeant(object));
  // A pattern may leave out nothing.
  const asked = [...selection.only, ...except.filter(({ text }) => !text.includes('*'))];
  const names = asked.map(({ text }) => text).filter(text => !met.has(text));
  const known = names.length === 0 ? [] : model.objects.flatMap(object => patternsOf(object));
  const hints = names.flatMap(name => didYouMean(name, known) ?? []);
  return { model: { objects, leftOut }, unknown: { names, hints } };
}

// The names of an object and its children, as `--only` takes them.
function patternsOf({ kind, name, children }: Exported, parent?: string): readonly string[] {
  const key = (parent === undefined ? name : keyOf([parent, name])) as Key;
  const depth = parent === undefined ? 1 : 2;
  return [
    exactPattern({ kind: kind.name, key }, depth),
    ...children.flatMap(child => patternsOf(child, name)),
  ];
}

// A nested object is also selected by its own name, and by both names with an unescaped slash.
const keysOf = (name: string, parent: Exported | undefined): readonly string[] =>
  parent === undefined
    ? [name]
    : [name, escapeSegment(name), `${parent.name}/${name}`, keyOf([parent.name, name])];

/** Tells whether an object is selected, by its kind and key. */
export function concerns(
  kinds: KindTable,
  selection: Selection,
): (object: {
  readonly kind: KindName;
  readonly key: string;
  readonly partOf?: string;
}) => boolean {
  if (isEverything(selection)) return () => true;
  return ({ kind, key, partOf }) => {
    const parent = kinds.get(kind)?.parent;
    const [home] = parent === undefined ? [] : (segmentsOf(key, 2) ?? []);
    const isIn = (asked: readonly Asked[]) =>
      asked.some(one =>
        one.kind === kind
          ? one.matches(key) || (partOf !== undefined && one.matches(partOf))
          : one.kind === parent && home !== undefined && one.matches(home),
      );
    const isMeant =
      isWhole(selection) ||
      selection.kinds.has(kind) ||
      (parent !== undefined && selection.kinds.has(parent)) ||
      isIn(selection.only);
    return isMeant && !isIn(selection.except ?? []);
  };
}
