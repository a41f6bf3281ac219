// Parses YAML text into documents: values with the positions of all their parts, or the faults of the YAML.
import { LineCounter, type ParsedNode, parseAllDocuments } from 'yaml';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import { documentNode, type SourceNode } from './node.ts';
import type { SourceLayer } from './origin.ts';
import { readTree, type Tree } from './tree.ts';
import { conflictMarker, nulCharacter, syntaxFaults, type YamlFault } from './yamlFaults.ts';

/** A file as it was read. */
export interface SourceText {
  /** The name for people, relative to their working folder. */
  readonly file: string;
  readonly text: string;
  /** Its path from the folder of desired state, if known. */
  readonly inside?: string;
  /** The layer of the file, if a run has several. */
  readonly layer?: SourceLayer;
  /** Whether it is a file of grants. */
  readonly isGrant?: boolean;
}

export interface Documents {
  readonly documents: readonly SourceNode[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a part of the file could not be read, so that its declarations are incomplete. */
  readonly isCut: boolean;
}

/** The documents of a file, and all faults of its YAML. */
export function parseDocuments({
  file,
  text,
  inside = file,
  layer,
  isGrant = false,
}: SourceText): Documents {
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
  const home = { file, inside, isGrant, span: position, ...(layer && { layer }) };
  const { trees, faults } = readTrees(parsed, yaml);
  return {
    documents: trees.map((tree, document) => documentNode({ ...home, document }, tree)),
    isCut: faults.some(({ code }) => code === 'SOURCE_YAML'),
    diagnostics: faults.map(fault => toDiagnostic(fault, position)),
  };
}

function readTrees(
  parsed: ReturnType<typeof parseAllDocuments<ParsedNode>>,
  yaml: string,
): { readonly trees: readonly Tree[]; readonly faults: readonly YamlFault[] } {
  // A file that contains only comments declares nothing.
  if ('empty' in parsed) return { trees: [{ value: null, offset: 0, size: 1 }], faults: [] };
  const trees: Tree[] = [];
  const faults: YamlFault[] = [];
  for (const document of parsed) {
    const inSyntax = syntaxFaults(document, yaml);
    addAll(faults, inSyntax);
    if (inSyntax.length > 0) continue;
    const read = readTree(document);
    addAll(faults, read.faults);
    trees.push(read.tree);
  }
  return { trees, faults };
}

function toDiagnostic(
  { code, message, hint, offset }: YamlFault,
  position: (offset: number) => Span,
): Diagnostic {
  return { code, severity: 'error', message, at: position(offset), hint };
}
