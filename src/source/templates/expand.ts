// Expands what files write once for several objects, before anything else looks at it: templates. Every value keeps the
// place where it is written.
import { type Sections, sectionsUnder } from '../../kinds/identity/sections.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { isSopsDocument } from '../values/sops.ts';
import type { SourceNode } from '../yaml/node.ts';
import { LARGEST } from '../yaml/tree.ts';
import { type Extending, extended } from './extend.ts';
import { EXTENDS, readTemplates } from './read.ts';
import { templatesOf, unusedTemplates } from './resolve.ts';

/** The documents of a file. */
export interface FileDocuments {
  readonly documents: readonly SourceNode[];
  /** Whether a part of the file could not be read. */
  readonly isCut: boolean;
}

export interface Expanded {
  /** By file, its documents. */
  readonly documents: readonly (readonly SourceNode[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A function that expands the documents of all files of a run. */
export function expander(kinds: KindTable): (files: readonly FileDocuments[]) => Expanded {
  const top = sectionsUnder(kinds);
  const sections = new Map<KindName, Sections>(
    [...kinds.keys()].map(parent => [parent, sectionsUnder(kinds, parent)]),
  );
  const inside = (kind: KindName): Sections => sections.get(kind) ?? new Map();
  return files => {
    const isCut = files.some(file => file.isCut);
    const readable = files.map(({ documents }) =>
      documents.filter(({ value }) => !isSopsDocument(value)),
    );
    const read = readTemplates(readable.flat());
    const templates = templatesOf(read, isCut);
    const run: Extending = { templates, inside, diagnostics: [], brought: 0 };
    const documents = files.map(file =>
      file.documents.map(document =>
        isSopsDocument(document.value) ? document : document.with(extended(document, top, run)),
      ),
    );
    // What is wrong with a template that no object extends is found as well.
    for (const { node } of read.byName.values())
      if (node.tree.parts?.has(EXTENDS)) templates.fieldsFor(node);
    const unused = isCut ? [] : unusedTemplates(read, templates.used);
    // What is too large is not looked at any further.
    const isTooLarge = run.brought > LARGEST;
    return {
      documents: isTooLarge ? files.map(() => []) : documents,
      diagnostics: [...read.diagnostics, ...templates.diagnostics, ...run.diagnostics, ...unused],
    };
  };
}
