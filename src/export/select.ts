// A part of an export: some kinds, or some objects by name. What nests in them comes along, and what they nest in.
import type { KindTable } from '../kinds/kind.ts';
import { findKind } from '../kinds/lookup.ts';
import { refsOf } from '../kinds/values/refs.ts';
import type { KindName } from '../model/names.ts';
import { didYouMean } from '../model/text/nearest.ts';
import { quoted } from '../model/text/visible.ts';
import type { Exported, ExportModel } from './model.ts';

/** What to export; everything where neither is given. */
export interface Selection {
  readonly kinds: ReadonlySet<KindName>;
  /** Names by kind: as `name`, or `parent/name`. */
  readonly only: readonly { readonly kind: KindName; readonly name: string }[];
}

/** The selection that words ask for, or what is wrong with them. */
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
  const only: { kind: KindName; name: string }[] = [];
  for (const word of onlyWords) {
    const [first = '', ...rest] = word.split('/');
    const kind = findKind(kinds, first);
    if (!kind) return unknownKind(kinds, first);
    only.push({ kind: kind.name, name: rest.join('/') });
  }
  return { kinds: new Set(found), only };
}

function unknownKind(kinds: KindTable, word: string) {
  const names = [...kinds.keys()];
  const hint = didYouMean(word, names) ?? `kinds are: ${names.join(', ')}`;
  return { fault: `unknown kind ${quoted(word)}`, hint };
}

const isEverything = ({ kinds, only }: Selection): boolean => kinds.size + only.length === 0;

/** The kinds to read for it: those selected, what nests in them or they in, and whatever those point at. */
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

/** The selected part of a model, and the words of `only` that nothing answers to. */
export function selected(
  model: ExportModel,
  selection: Selection,
): { readonly model: ExportModel; readonly unknown: readonly string[] } {
  if (isEverything(selection)) return { model, unknown: [] };
  const met = new Set<string>();
  const isMeant = ({ kind, name }: { kind: KindName; name: string }, parent?: Exported): boolean =>
    selection.kinds.has(kind) ||
    selection.only.some(one => {
      const isIt = one.kind === kind && [name, `${parent?.name}/${name}`].includes(one.name);
      if (isIt) met.add(`${one.kind}/${one.name}`);
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
  const unknown = selection.only
    .map(({ kind, name }) => `${kind}/${name}`)
    .filter(word => !met.has(word));
  return { model: { objects, leftOut }, unknown };
}

/** Tells of an object, by its kind and key, whether it is asked for. */
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
          ? one.name === key || one.name === partOf
          : one.kind === parent && key.startsWith(`${one.name}/`),
      )
    );
  };
}
