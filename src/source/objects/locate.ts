// Finds the objects of every kind in a document, and reports other values in their sections.
import { type Section, type Sections, sectionsUnder } from '../../kinds/identity/sections.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { addAll } from '../../model/text/longLists.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject } from '../../model/value.ts';
import { SETS } from '../templates/entrySets.ts';
import { TEMPLATES } from '../templates/readTemplates.ts';
import { isSopsDocument } from '../values/sops.ts';
import type { SourceNode } from '../yaml/node.ts';
import { ACCESS_TESTS } from './accessTests.ts';
import {
  encrypted,
  notAList,
  notAMapping,
  topLevelFindings,
  unknownKeys,
} from './structureFaults.ts';

/** An object in the section of its kind. */
export interface Located {
  readonly kind: Kind;
  readonly node: SourceNode;
  /** The fields of the object itself, without its children. */
  readonly own: Fields;
  readonly parent?: Located;
}

/** An empty list of a kind: `groups: []`. */
export interface EmptyList {
  readonly kind: KindName;
  /** The key of the list. */
  readonly key: string;
  readonly at: Span;
  /** The position of the brackets. */
  readonly listAt: Span;
  /** The object in which the list is written, if it is a list of children. */
  readonly parent?: Located;
}

export interface LocatedObjects {
  /** The located objects, parents before their children. */
  readonly objects: readonly Located[];
  readonly emptyLists: readonly EmptyList[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns a function that finds the objects in the documents of a file, even if the file has other faults. */
export function locator(kinds: KindTable): (documents: readonly SourceNode[]) => LocatedObjects {
  const top = sectionsUnder(kinds);
  const others = [ACCESS_TESTS, TEMPLATES, SETS].map((key): [string, Section] => [key, OTHER]);
  const known = new Map([...top, ...others]);
  const sections = new Map([...kinds.keys()].map(parent => [parent, sectionsUnder(kinds, parent)]));
  return documents => {
    // An encrypted document contains secrets and declares nothing.
    const sealed = documents.filter(({ value }) => isSopsDocument(value));
    const readable = documents.filter(document => !sealed.includes(document));
    const diagnostics = [...encrypted(sealed, top), ...topLevelFindings(readable, known, kinds)];
    const search: Search = { sections, objects: [], emptyLists: [], diagnostics };
    for (const document of readable) visitSections(search, top, document, undefined);
    return search;
  };
}

// The section of a value other than a list of objects.
const OTHER: Section = { list: true, inside: new Map() };

interface Search {
  readonly sections: ReadonlyMap<KindName, Sections>;
  readonly objects: Located[];
  readonly emptyLists: EmptyList[];
  readonly diagnostics: Diagnostic[];
}

function visitSections(
  search: Search,
  sections: Sections,
  holder: SourceNode,
  parent: Located | undefined,
): void {
  if (!isObject(holder.value)) return;
  for (const [key, section] of sections) {
    const value = holder.value[key];
    if (value === undefined) continue;
    const at = holder.inside([key]);
    if (!section.list) visitSection(search, { section, node: at, parent, name: quoted(key) });
    else if (isList(value)) {
      const { kind } = section;
      if (kind && value.length === 0)
        search.emptyLists.push({
          kind: kind.name,
          key,
          at: holder.keyAt([key]),
          listAt: at.at([]),
          ...(parent && { parent }),
        });
      for (const i of value.keys()) {
        const name = `member ${i + 1} of ${quoted(key)}`;
        visitSection(search, { section, node: at.inside([String(i)]), parent, name });
      }
    } else if (!at.isBroken([])) search.diagnostics.push(notAList(key, section, at));
  }
}

/** A value that should be an object of a section, or a mapping of further sections. */
interface Entry {
  readonly section: Section;
  readonly node: SourceNode;
  readonly parent: Located | undefined;
  /** The name of the value in sentences. */
  readonly name: string;
}

function visitSection(search: Search, { section, node, parent, name }: Entry): void {
  const { kind } = section;
  if (!isObject(node.value)) {
    if (!node.isBroken([])) search.diagnostics.push(notAMapping(name, section, node));
  } else if (kind) {
    const sections = search.sections.get(kind.name) ?? new Map();
    const own = Object.entries(node.value).filter(([key]) => !sections.has(key));
    const located: Located = {
      kind,
      node,
      own: Object.fromEntries(own),
      ...(parent && { parent }),
    };
    search.objects.push(located);
    visitSections(search, sections, node, located);
  } else {
    addAll(search.diagnostics, unknownKeys(section.inside, node));
    visitSections(search, section.inside, node, parent);
  }
}
