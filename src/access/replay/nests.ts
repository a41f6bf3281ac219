// The objects of an account, grouped with the objects in which they nest, while actions change them. After an action, only the
// changed nests are read again.
import type { Draft } from '../plan/draft.ts';
import type { StateObject } from '../state/stateObject.ts';

/** Objects by their nest. A network with its resources and routers is one nest; any other object is a nest alone. */
export interface Nests {
  /** Reads the current drafts with these names. Returns the keys of the nests that contained or now contain them. */
  readonly touch: (names: Iterable<string>) => ReadonlySet<string>;
  /** The objects in these nests, in the order of the account. */
  readonly objectsIn: (nests: ReadonlySet<string>) => readonly StateObject[];
}

/** The nests of `drafts`, which may change afterwards. */
export function nestsOf(
  drafts: ReadonlyMap<string, Draft>,
  objectOf: (draft: Draft) => StateObject,
): Nests {
  const places = new Map<string, number>();
  const homes = new Map<string, string>();
  const nests = new Map<string, Set<string>>();
  let next = 0;
  const move = (name: string, from: string | undefined, to: string | undefined): void => {
    if (from === to) return;
    if (from !== undefined) nests.get(from)?.delete(name);
    if (to === undefined) homes.delete(name);
    else {
      homes.set(name, to);
      nests.set(to, (nests.get(to) ?? new Set()).add(name));
    }
  };
  const take = (name: string): readonly string[] => {
    const draft = drafts.get(name);
    const from = homes.get(name);
    const to = draft && nestOf(objectOf(draft));
    move(name, from, to);
    if (draft === undefined) places.delete(name);
    else if (!places.has(name)) places.set(name, next++);
    return [from, to].filter(nest => nest !== undefined);
  };
  const placeOf = (name: string): number => places.get(name) ?? next;
  for (const name of drafts.keys()) take(name);
  return {
    touch: names => new Set([...names].flatMap(take)),
    objectsIn: some =>
      [...some]
        .flatMap(nest => [...(nests.get(nest) ?? [])])
        .sort((one, other) => placeOf(one) - placeOf(other))
        .flatMap(name => {
          const draft = drafts.get(name);
          return draft ? [objectOf(draft)] : [];
        }),
  };
}

const nestOf = ({ key, parent }: StateObject): string => parent ?? key;
