// NAMES_ALIKE: names of one kind that people cannot distinguish, or that look like a built-in name of the account.
import { namingFields } from '../../../kinds/identity/identity.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { byPosition } from '../../../model/byPosition.ts';
import { placeText } from '../../../model/diagnostic.ts';
import type { Desired } from '../../../model/object.ts';
import { compareTexts } from '../../../model/text/compareTexts.ts';
import { quoted } from '../../../model/text/visible.ts';
import type { Found, Lint } from '../lint.ts';
import { appearancesOf, differenceOf } from './lookalike.ts';

interface Name {
  readonly text: string;
  /** The object that has the name; undefined for a built-in name of the account. */
  readonly object?: Desired;
}

/** Finds names that look like an earlier name. */
export const alikeNames: Lint = ({ kinds, written }) => {
  const byKind = Map.groupBy(written, ({ kind }) => kind);
  return [...byKind].flatMap(([name, objects]) => {
    const kind = kinds.get(name);
    if (!kind || !hasName(kind)) return [];
    const scopes = Map.groupBy(objects, ({ parent }) =>
      kind.unique === 'account' ? undefined : parent,
    );
    return [...scopes.values()].flatMap(scope => alikeIn(kind, scope));
  });
};

function hasName(kind: Kind): boolean {
  const [name, ...more] = namingFields(kind);
  return kind.cardinality === 'collection' && more.length === 0 && name?.includes('.') === false;
}

function alikeIn(kind: Kind, objects: readonly Desired[]): readonly Found[] {
  const field = namingFields(kind)[0] ?? '';
  const own: Name[] = kind.reserved.flatMap(({ field: on, equals }) =>
    on === field && equals !== undefined ? { text: equals } : [],
  );
  const names = objects
    .map((object): Name => ({ text: String(object.fields[field] ?? ''), object }))
    .sort(inFiles);
  const known = new Map<string, Name>();
  return [...own, ...names].flatMap(name => {
    const shapes = appearancesOf(name.text);
    const like = shapes.map(shape => known.get(shape)).find(other => other !== undefined);
    for (const shape of shapes) if (!known.has(shape)) known.set(shape, name);
    if (!name.object || !like || like.text === name.text) return [];
    return found(kind, field, { ...name, object: name.object }, like);
  });
}

function found(kind: Kind, field: string, name: Required<Name>, like: Name): Found {
  const where = like.object
    ? `${quoted(like.text)} (${placeText(like.object.at)})`
    : `${quoted(like.text)}, which exists in every account`;
  return {
    object: name.object,
    path: [field],
    message: `${kind.noun} ${quoted(name.text)} looks like ${where}: they differ only in ${differenceOf(name.text, like.text)}`,
    hint: 'rename one of the two; `lifecycle.was` keeps its id and all references to it',
  };
}

function inFiles(one: Name, other: Name): number {
  return byPosition(one.object?.at, other.object?.at) || compareTexts(one.text, other.text);
}
