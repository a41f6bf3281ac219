// A value in a file, with the positions of its parts. Parts of a tree that are written elsewhere have their positions there.
import type { Span } from '../../model/diagnostic.ts';
import type { YamlPosition } from '../../model/secrets/yamlPosition.ts';
import type { Json, Path } from '../../model/value.ts';
import type { From, Origin, Place } from './origin.ts';
import type { Tree } from './tree.ts';

/** A value in a file, with the positions of its parts. Paths start at the value. */
export interface SourceNode {
  readonly file: string;
  readonly value: Json;
  readonly tree: Tree;
  /** The position of the value at `path`, or of its nearest ancestor with a position. */
  readonly at: (path: Path) => Span;
  /** The position of the key at the end of `path`; in a list, of the entry. */
  readonly keyAt: (path: Path) => Span;
  /** The text of a plain scalar as typed: `6.10` although the value is 6.1. */
  readonly writtenAt: (path: Path) => string | undefined;
  /** Whether the value at `path` could not be read. This is already reported. */
  readonly isBroken: (path: Path) => boolean;
  /** Whether `for_each` filled in a part of the text at `path`. */
  readonly isFilled: (path: Path) => boolean;
  /** The position of the value at `path`. */
  readonly position: (path: Path) => YamlPosition;
  /** The document and the path where the value at `path` is written. */
  readonly written: (path: Path) => Written;
  /** The part at `path`, as a separate value. */
  readonly inside: (path: Path) => SourceNode;
  /** This value with another tree in place of its own. */
  readonly withTree: (tree: Tree) => SourceNode;
}

/** The document and the path where a value is written. */
interface Written {
  readonly origin: Origin;
  readonly path: Path;
}

/** The facts about a value that are known from the trees above it. */
interface Standing extends Written {
  /** The object to which the value belongs, if the object uses other texts. */
  readonly user?: { readonly place: Place; readonly uses: readonly Place[] };
  /** The places that use the value, the nearest first. */
  readonly uses: readonly Place[];
  readonly instances: readonly string[];
}

/** The content of a document. */
export function documentNode(origin: Origin, tree: Tree): SourceNode {
  return nodeOf(tree, { origin, path: [], uses: [], instances: [] });
}

function nodeOf(tree: Tree, here: Standing): SourceNode {
  const walk = (path: Path) => nearest(tree, here, path);
  const find = (path: Path): Tree | undefined =>
    path.reduce<Tree | undefined>((found, step) => found?.parts?.get(step), tree);
  const written = (path: Path): Written => {
    const { standing, rest } = walk(path);
    return { origin: standing.origin, path: [...standing.path, ...rest] };
  };
  return {
    file: here.origin.file,
    value: tree.value,
    tree,
    at: path => {
      const found = walk(path);
      return spanOf({ origin: found.standing.origin, offset: found.tree.offset }, found.standing);
    },
    keyAt: path => {
      const { tree: found, standing } = walk(path);
      const { origin, uses } = standing;
      const key = found.from?.keyPlace;
      // The first use is the text that the value replaces, and the key is written there.
      if (key) return spanOf(key, { ...standing, uses: uses.slice(1) });
      return spanOf({ origin, offset: found.keyOffset ?? found.offset }, standing);
    },
    writtenAt: path => find(path)?.written,
    isBroken: path => find(path)?.isBroken === true,
    isFilled: path => find(path)?.isFilled === true,
    position: path => {
      const place = written(path);
      const { inside, document } = place.origin;
      return { file: inside, document, path: place.path };
    },
    written,
    inside: path => {
      const { tree: found, standing, rest } = walk(path);
      return nodeOf(found, { ...standing, path: [...standing.path, ...rest] });
    },
    withTree: other => nodeOf(other, other.from ? entered(here, other.from, other) : here),
  };
}

interface Found {
  readonly tree: Tree;
  readonly standing: Standing;
  /** The rest of the path after the last tree on it that carries its own position. */
  readonly rest: Path;
}

// The nearest tree on the path, and the facts known there.
function nearest(tree: Tree, here: Standing, path: Path): Found {
  let found = tree;
  let standing = here;
  let since = 0;
  for (const [i, step] of path.entries()) {
    const next = found.parts?.get(step);
    if (!next) break;
    found = next;
    if (!next.from) continue;
    standing = entered(standing, next.from, next);
    since = i + 1;
  }
  return { tree: found, standing, rest: path.slice(since) };
}

function entered(before: Standing, from: From, tree: Tree): Standing {
  const { origin, path, role, asked, instance, replacedOrigin } = from;
  const standing = replacedOrigin ? entered(before, replacedOrigin, tree) : before;
  const instances = instance === undefined ? standing.instances : [...standing.instances, instance];
  const { uses, user } = standing;
  const known = { ...standing, origin, path, instances };
  if (role === 'object')
    return { ...known, user: { place: { origin, offset: tree.offset }, uses } };
  if (role === 'template') return { ...known, uses: user ? [user.place, ...user.uses] : [] };
  return role === 'each' && asked ? { ...known, uses: [asked, ...uses] } : known;
}

function spanOf({ origin, offset }: Place, { uses, instances }: Standing): Span {
  const span = origin.span(offset);
  if (uses.length + instances.length === 0) return span;
  const places = uses.map(use => use.origin.span(use.offset));
  return { ...span, use: { places, instances } };
}
