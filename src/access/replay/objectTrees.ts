// The objects of an account while actions change them, grouped with the objects that contain them.
// After an action, only the changed trees are read again.
import type { Draft } from '../plan/draft.ts';
import type { StateObject } from '../state/stateObject.ts';

/**
 * Objects by tree. A network forms one tree with its resources and routers; any other object is a
 * separate tree.
 */
export interface ObjectTrees {
  /** Reads the current drafts with these names. Returns the keys of the trees that contained or now contain them. */
  readonly touch: (names: Iterable<string>) => ReadonlySet<string>;
  /** The objects in these trees, in the order of the account. */
  readonly objectsIn: (trees: ReadonlySet<string>) => readonly StateObject[];
}

/** The trees of `drafts`. The drafts may change afterwards. */
export function objectTreesOf(
  drafts: ReadonlyMap<string, Draft>,
  objectOf: (draft: Draft) => StateObject,
): ObjectTrees {
  const places = new Map<string, number>();
  const homes = new Map<string, string>();
  const trees = new Map<string, Set<string>>();
  let next = 0;
  const move = (name: string, from: string | undefined, to: string | undefined): void => {
    if (from === to) return;
    if (from !== undefined) trees.get(from)?.delete(name);
    if (to === undefined) homes.delete(name);
    else {
      homes.set(name, to);
      trees.set(to, (trees.get(to) ?? new Set()).add(name));
    }
  };
  const take = (name: string): readonly string[] => {
    const draft = drafts.get(name);
    const from = homes.get(name);
    const to = draft && rootOf(objectOf(draft));
    move(name, from, to);
    if (draft === undefined) places.delete(name);
    else if (!places.has(name)) places.set(name, next++);
    return [from, to].filter(tree => tree !== undefined);
  };
  const placeOf = (name: string): number => places.get(name) ?? next;
  for (const name of drafts.keys()) take(name);
  return {
    touch: names => new Set([...names].flatMap(take)),
    objectsIn: some =>
      [...some]
        .flatMap(tree => [...(trees.get(tree) ?? [])])
        .sort((one, other) => placeOf(one) - placeOf(other))
        .flatMap(name => {
          const draft = drafts.get(name);
          return draft ? [objectOf(draft)] : [];
        }),
  };
}

const rootOf = ({ key, parent }: StateObject): string => parent ?? key;
