// Parses YAML text into documents: values with the positions of all their parts, or the faults of the YAML.
import { LineCounter, parseAllDocuments } from 'yaml';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/many.ts';
import type { Json, Path } from '../../model/value.ts';
import { readTree, type Tree } from './tree.ts';
import { conflictMarker, nulCharacter, syntaxFaults, type YamlFault } from './yamlFaults.ts';
import type { YamlPosition } from './yamlPosition.ts';

/** A file as it was read. */
export interface SourceText {
  /** The name for people, relative to their working folder. */
  readonly file: string;
  readonly text: string;
  /** Its path from the folder of desired state, if known. */
  readonly inside?: string;
}

/** A value in a file, with the positions of its parts. Paths start at the value. */
export interface SourceNode {
  readonly file: string;
  readonly value: Json;
  /** The position of the value at `path`, or of its nearest ancestor with a position. */
  readonly at: (path: Path) => Span;
  /** The position of the key at the end of `path`; in a list, of the entry. */
  readonly keyAt: (path: Path) => Span;
  /** A plain scalar as typed: `6.10` although the value is 6.1. */
  readonly writtenAt: (path: Path) => string | undefined;
  /** Whether the value at `path` could not be read, which is already reported. */
  readonly isBroken: (path: Path) => boolean;
  /** The position of the value at `path`. */
  readonly position: (path: Path) => YamlPosition;
  /** The part at `path`, as a value of its own. */
  readonly inside: (path: Path) => SourceNode;
}

export interface Documents {
  readonly documents: readonly SourceNode[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a part of the file could not be read, so that its declarations are incomplete. */
  readonly isCut: boolean;
}

/** The documents of a file, and all faults of its YAML. */
export function parseDocuments({ file, text, inside = file }: SourceText): Documents {
  const lines = new LineCounter();
  const position = (offset: number): Span => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // Editors do not count a byte order mark as a column.
  const yaml = text.replace(/^\uFEFF/, '');
  const parsed = parseAllDocuments(yaml, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const unfit = nulCharacter(yaml) ?? conflictMarker(yaml);
  if (unfit) return { documents: [], isCut: true, diagnostics: [toDiagnostic(unfit, position)] };
  const documents: SourceNode[] = [];
  const faults: YamlFault[] = [];
  for (const document of 'empty' in parsed ? [] : parsed) {
    const inSyntax = syntaxFaults(document, yaml);
    addAll(faults, inSyntax);
    if (inSyntax.length > 0) continue;
    const read = readTree(document);
    addAll(faults, read.faults);
    const home = { file: inside, document: documents.length, path: [] };
    documents.push(node(file, read.tree, position, home));
  }
  // A file of comments declares nothing.
  if ('empty' in parsed)
    documents.push(
      node(file, { value: null, offset: 0, size: 1 }, position, {
        file: inside,
        document: 0,
        path: [],
      }),
    );
  const isCut = faults.some(({ code }) => code === 'SOURCE_YAML');
  return { documents, isCut, diagnostics: faults.map(fault => toDiagnostic(fault, position)) };
}

function toDiagnostic(
  { code, message, hint, offset }: YamlFault,
  position: (offset: number) => Span,
): Diagnostic {
  return { code, severity: 'error', message, at: position(offset), hint };
}

function node(
  file: string,
  tree: Tree,
  position: (offset: number) => Span,
  home: YamlPosition,
): SourceNode {
  const find = (path: Path): Tree | undefined =>
    path.reduce<Tree | undefined>((found, step) => found?.parts?.get(step), tree);
  const nearest = (path: Path): Tree => {
    let found = tree;
    for (const step of path) {
      const next = found.parts?.get(step);
      if (!next) break;
      found = next;
    }
    return found;
  };
  return {
    file,
    value: tree.value,
    at: path => position(nearest(path).offset),
    keyAt: path => position(nearest(path).keyOffset ?? nearest(path).offset),
    writtenAt: path => find(path)?.written,
    isBroken: path => find(path)?.isBroken === true,
    position: path => ({ ...home, path: [...home.path, ...path] }),
    inside: path => node(file, nearest(path), position, { ...home, path: [...home.path, ...path] }),
  };
}
