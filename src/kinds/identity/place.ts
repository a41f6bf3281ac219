// The places of kinds in YAML: parses `networks[].resources[]`.
import type { KindName } from '../../model/names.ts';
import type { Kind, KindTable } from '../kind.ts';

/** What may be under one key of a file, or of an object. */
export interface Place {
  readonly list: boolean;
  /** The kind of the objects here; undefined if there are only further keys. */
  readonly kind?: Kind;
  readonly inside: Places;
}

/** Places by key. */
export type Places = ReadonlyMap<string, Place>;

/** The places directly under an object of the kind `parent`, or at the top level of a file. */
export function placesUnder(kinds: KindTable, parent?: KindName): Places {
  const places = new Map<string, GrowingPlace>();
  for (const kind of declarableKinds(kinds, parent)) {
    let level = places;
    const steps = stepsTo(kind);
    for (const [i, step] of steps.entries()) {
      const place: GrowingPlace = level.get(step.key) ?? { list: step.list, inside: new Map() };
      level.set(step.key, place);
      if (i === steps.length - 1) place.kind = kind;
      level = place.inside;
    }
  }
  return places;
}

interface GrowingPlace {
  list: boolean;
  kind?: Kind;
  inside: Map<string, GrowingPlace>;
}

// The path from the place of its parent, if the kind has a parent.
function stepsTo({ at, parent }: Kind): { key: string; list: boolean }[] {
  const steps = at
    .split('.')
    .map(text => ({ key: text.replace('[]', ''), list: text.endsWith('[]') }));
  return parent === undefined ? steps : steps.slice(-1);
}

// The kinds that users declare directly under `parent`, or at the top level.
function declarableKinds(kinds: KindTable, parent?: KindName): readonly Kind[] {
  return [...kinds.values()].filter(kind => kind.parent === parent && kind.verbs.size > 0);
}
