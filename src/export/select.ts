// A part of an export: some kinds, or some objects by name, with their children and parents.
import type { KindTable } from '../kinds/kind.ts';
import { findKind, kindNamedIn } from '../kinds/lookup.ts';
import { refsOf } from '../kinds/values/refs.ts';
import { escapeSegment, keyOf } from '../model/key.ts';
import type { Key, KindName } from '../model/names.ts';
import { objectNamed } from '../model/objectName.ts';
import { didYouMean } from '../model/text/nearest.ts';
import { quoted } from '../model/text/visible.ts';
import type { Exported, ExportModel } from './model.ts';

/** What to export; everything if neither is given. */
export interface Selection {
  readonly kinds: ReadonlySet<KindName>;
  /** Objects by kind and key; a nested object may be named without its parent. */
  readonly only: readonly Asked[];
}

/** A requested object. */
interface Asked {
  readonly kind: KindName;
  readonly key: Key;
  /** As written. */
  readonly text: string;
}

/** Parses a selection, or tells what is wrong with it. */
export function readSelection(
  kinds: KindTable,
  kindWords: readonly string[],
  onlyWords: readonly string[],
): Selection | { readonly fault: string; readonly hint: string } {
  const found: KindName[] = [];
  for (const word of kindWords) {
    const kind = findKind(kinds, word);
    if (!kind) return unknownKind(kinds, word);
    found.push(kind.name);
  }
  const only: Asked[] = [];
  for (const text of onlyWords) {
    const named = objectNamed(text, kindNamedIn(kinds));
    if (named === null) return unknownKind(kinds, text.split('/')[0] ?? text);
    only.push({ ...named, text });
  }
  return { kinds: new Set(found), only };
}

function unknownKind(kinds: KindTable, word: string) {
  const names = [...kinds.keys()];
  const hint = didYouMean(word, names) ?? `kinds are: ${names.join(', ')}`;
  return { fault: `unknown kind ${quoted(word)}`, hint };
}

const isEverything = ({ kinds, only }: Selection): boolean => kinds.size + only.length === 0;

/** The kinds to read: the selected ones, their children and parents, and the kinds that these point at. */
export function kindsToRead(kinds: KindTable, selection: Selection): ReadonlySet<KindName> {
  if (isEverything(selection)) return new Set(kinds.keys());
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

/** The selected part of a model, and the words of `only` that match nothing. */
export function selected(
  model: ExportModel,
  selection: Selection,
): { readonly model: ExportModel; readonly unknown: readonly string[] } {
  if (isEverything(selection)) return { model, unknown: [] };
  const met = new Set<string>();
  const isMeant = ({ kind, name }: { kind: KindName; name: string }, parent?: Exported): boolean =>
    selection.kinds.has(kind) ||
    selection.only.some(one => {
      const isIt = one.kind === kind && keysOf(name, parent).includes(one.key);
      if (isIt) met.add(one.text);
      return isIt;
    });
  const keep = (object: Exported, parent?: Exported): Exported[] => {
    const names = [object.name, ...(object.joined ?? []).map(({ name }) => name)];
    if (names.some(name => isMeant({ kind: object.kind.name, name }, parent))) {
      for (const child of object.children) keep(child, object);
      return [object];
    }
    const children = object.children.flatMap(child => keep(child, object));
    return children.length > 0 ? [{ ...object, children }] : [];
  };
  const objects = model.objects.flatMap(object => keep(object));
  const leftOut = model.leftOut.filter(object => isMeant(object));
  const unknown = selection.only.map(({ text }) => text).filter(text => !met.has(text));
  return { model: { objects, leftOut }, unknown };
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
    return (
      selection.kinds.has(kind) ||
      (parent !== undefined && selection.kinds.has(parent)) ||
      selection.only.some(one =>
        one.kind === kind
          ? one.key === key || one.key === partOf
          : one.kind === parent && key.startsWith(`${escapeSegment(one.key)}/`),
      )
    );
  };
}
