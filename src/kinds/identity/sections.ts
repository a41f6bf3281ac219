// The sections of a file in which objects of each kind are declared. Parses paths such as `networks[].resources[]`.
import type { KindName } from '../../model/names.ts';
import type { Kind, KindTable } from '../kind.ts';

/** What a key of a file or of an object may contain: objects of a kind, and further keys. */
export interface Section {
  readonly list: boolean;
  /** The kind of the objects in the section; undefined if the section has only further keys. */
  readonly kind?: Kind;
  readonly inside: Sections;
}

/** Sections by key. */
export type Sections = ReadonlyMap<string, Section>;

/** The sections directly under an object of the kind `parent`; without `parent`, the sections at the top level of a file. */
export function sectionsUnder(kinds: KindTable, parent?: KindName): Sections {
  const sections = new Map<string, GrowingSection>();
  for (const kind of declarableKinds(kinds, parent)) {
    let level = sections;
    const steps = stepsTo(kind);
    for (const [i, step] of steps.entries()) {
      const section: GrowingSection = level.get(step.key) ?? { list: step.list, inside: new Map() };
      level.set(step.key, section);
      if (i === steps.length - 1) section.kind = kind;
      level = section.inside;
    }
  }
  return sections;
}

interface GrowingSection {
  list: boolean;
  kind?: Kind;
  inside: Map<string, GrowingSection>;
}

// The path of a kind in files, from the section of its parent if the kind has a parent.
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
