// Expands declarations that files write once for several objects, before anything else reads them: first templates, then
// `for_each`. Every value keeps the position where it is written.
import { type Sections, sectionsUnder } from '../../kinds/identity/sections.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { isSopsDocument } from '../values/sops.ts';
import type { SourceNode } from '../yaml/node.ts';
import { type ReadSets, readSets, SETS } from './entrySets.ts';
import { MOST_CHARACTERS, MOST_OF_ALL, MOST_VALUES } from './expansionLimits.ts';
import { type Extending, extended } from './extend.ts';
import { EXTENDS, readTemplates } from './readTemplates.ts';
import { type Repeating, repeated } from './repeat.ts';
import { templatesOf, unusedTemplates } from './resolvedTemplates.ts';

/** The documents of a file. */
export interface FileDocuments {
  readonly documents: readonly SourceNode[];
  /** Whether a part of the file could not be read. */
  readonly isCut: boolean;
}

export interface Expanded {
  /** By file, its documents. */
  readonly documents: readonly (readonly SourceNode[])[];
  /** The changes of later layers to the sets of earlier ones. */
  readonly setChanges: readonly SourceNode[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExpandOptions {
  /** Whether the files are an earlier revision, which earlier versions of meshform may have read. */
  readonly isEarlier?: boolean;
}

/** Returns a function that expands the documents of all files of a run. */
export function expander(
  kinds: KindTable,
): (files: readonly FileDocuments[], options?: ExpandOptions) => Expanded {
  const top = sectionsUnder(kinds);
  const sections = new Map<KindName, Sections>(
    [...kinds.keys()].map(parent => [parent, sectionsUnder(kinds, parent)]),
  );
  const inside = (kind: KindName): Sections => sections.get(kind) ?? new Map();
  return (files, { isEarlier = false } = {}) => {
    const isCut = files.some(file => file.isCut);
    const readable = files.flatMap(({ documents }) => documents.filter(isReadable));
    const read = readTemplates(readable);
    const templates = templatesOf(read, isCut);
    const sets = setsIn(readable, isEarlier);
    const extending: Extending = { templates, inside, diagnostics: [], valuesAdded: 0 };
    const repeating = startOf(sets, { isCut, isEarlier });
    const documents = files.map(file =>
      file.documents.map(document => {
        if (!isReadable(document)) return document;
        const whole = document.withTree(extended(document, top, extending));
        return document.withTree(repeated(whole, top, repeating));
      }),
    );
    // Templates that no object extends are checked too.
    for (const { node } of read.byName.values())
      if (node.tree.parts?.has(EXTENDS)) templates.fieldsFor(node);
    const unused = isCut ? [] : unusedTemplates(read, templates.used);
    // An input that is too large is not examined further.
    const isTooLarge =
      Math.max(extending.valuesAdded, repeating.values) > MOST_VALUES ||
      repeating.total > MOST_OF_ALL ||
      repeating.characters > MOST_CHARACTERS;
    const found = [read, sets, templates, extending, repeating];
    return {
      documents: isTooLarge ? files.map(() => []) : documents,
      setChanges: isTooLarge ? [] : sets.changes,
      diagnostics: found.flatMap(({ diagnostics }) => diagnostics).concat(unused),
    };
  };
}

// An encrypted document contains secrets and declares nothing.
const isReadable = ({ value }: SourceNode): boolean => !isSopsDocument(value);

const startOf = (
  sets: ReadSets,
  flags: Pick<Repeating, 'isCut' | 'isEarlier' | 'isInSets'>,
): Repeating => ({
  ...flags,
  sets,
  diagnostics: [],
  made: new Map(),
  total: 0,
  values: 0,
  characters: 0,
});

const ONLY_SETS: ReadonlySet<string> = new Set([SETS]);

// References inside entries are not filled in: an entry cannot refer to another entry.
function setsIn(documents: readonly SourceNode[], isEarlier: boolean): ReadSets {
  const none: ReadSets = { byName: new Map(), changes: [], diagnostics: [] };
  const run = startOf(none, { isCut: false, isEarlier, isInSets: true });
  const sets = readSets(
    documents.map(document => document.withTree(repeated(document, ONLY_SETS, run))),
  );
  return { ...sets, diagnostics: [...sets.diagnostics, ...run.diagnostics] };
}
