// Reading for a program that reads the same files repeatedly: what a file declares is not found again while its documents are the
// same trees, which a parser that remembers files returns.
import type { Inputs } from './values/externalInputs.ts';
import type { SourceNode } from './yaml/node.ts';
import type { Tree } from './yaml/tree.ts';

/** The documents of a file, after templates, sets and layers are resolved, and how they are read. */
interface FileToRead {
  readonly documents: readonly SourceNode[];
  readonly isUnknown: boolean;
  readonly areObjectsMissing: boolean;
}

interface Known<T> {
  readonly trees: readonly Tree[];
  readonly how: string;
  readonly found: T;
}

/**
 * Returns a function that returns what was found in a file before, or calls `read`. Only files may be passed to it whose result
 * does not depend on the values in `inputs`.
 */
export function knownFiles<T>(): (file: FileToRead, inputs: Inputs, read: () => T) => T {
  // Templates and layers make new trees each time, so their files are not found.
  const known = new WeakMap<Tree, Known<T>>();
  return ({ documents, isUnknown, areObjectsMissing }, { isEarlier = false }, read) => {
    const trees = documents.map(({ tree }) => tree);
    const [first] = trees;
    if (first === undefined) return read();
    const how = `${isUnknown} ${areObjectsMissing} ${isEarlier}`;
    const earlier = known.get(first);
    const isSame =
      earlier?.how === how &&
      earlier.trees.length === trees.length &&
      earlier.trees.every((tree, at) => tree === trees[at]);
    if (isSame) return earlier.found;
    const found = read();
    known.set(first, { trees, how, found });
    return found;
  };
}
