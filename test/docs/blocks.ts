// The fenced blocks of a page, each with the mark in the comment before it: what a test does with the block.
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/**
 * What a test does with a block:
 * - `run`: a shell block. It runs in the folder of the page, after the blocks above it.
 * - `setup`: a comment, invisible to readers, that runs like a shell block.
 * - `file`: its text becomes the file that its mark names.
 * - `output`, `messages`: what the run block above it wrote to stdout or stderr; with `of: COMMAND`, the run block that contains this
 *   command, wherever it is.
 * - `not run`: nothing, for the reason that its mark gives.
 */
type Use = 'run' | 'setup' | 'file' | 'output' | 'messages' | 'not run';

export interface Block {
  readonly page: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly use: Use | 'unmarked';
  /** The path of a `file`, the command of an `output`, or the reason of a `not run`. */
  readonly detail: string;
  readonly text: string;
  /** Where its text begins and ends in the page. */
  readonly span: readonly [number, number];
}

/** Pages that are generated as a whole. The tests that compare them with their source also check their examples. */
export const GENERATED = [
  'docs/architecture.md',
  'docs/codes.md',
  'docs/kind-schema.md',
  'docs/kinds.md',
  'docs/proofs.md',
];

const isPage = (name: string): boolean => name.endsWith('.md');

/** Every page for users, by its path from the root of the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...readdirSync(new URL('docs', ROOT))
    .filter(isPage)
    .map(name => `docs/${name}`)
    .sort(),
];

export const pageAt = (path: string): URL => new URL(path, ROOT);
export const textOf = (path: string): string => readFileSync(pageAt(path), 'utf8');

/** An optional comment with a mark, then a fence; or a comment with a script. */
const BLOCK =
  /(?:^<!-- (?<mark>(?:output(?: of: [^\n]+?)?|messages|file: \S+|not run: [^\n]+?)) -->\n\n?)?^(?<fence>```+)(?<language>\w*)\n(?<text>[\s\S]*?)^\k<fence>$|^<!-- setup\n(?<script>[\s\S]*?)^-->$/dgm;

/** The blocks of a page, in order. */
export function blocksIn(page: string, source: string): Block[] {
  return [...source.matchAll(BLOCK)].map(found => {
    const { mark = '', fence, language = '', text = '', script } = found.groups ?? {};
    const { indices } = found;
    const [span, start] =
      script === undefined
        ? [indices?.groups?.text, indices?.groups?.fence?.[0]]
        : [indices?.groups?.script, found.index];
    const line = source.slice(0, start ?? 0).split('\n').length;
    const at = { page, line, span: span ?? [0, 0] } as const;
    if (fence === undefined)
      return { ...at, language: 'sh', use: 'setup', detail: '', text: script ?? '' };
    return { ...at, language, text, ...useOf(mark, language) };
  });
}

function useOf(mark: string, language: string): Pick<Block, 'use' | 'detail'> {
  const [, path] = /^file: (\S+)$/.exec(mark) ?? [];
  if (path !== undefined) return { use: 'file', detail: path };
  const [, reason] = /^not run: (.+)$/.exec(mark) ?? [];
  if (reason !== undefined) return { use: 'not run', detail: reason };
  const [, command] = /^output of: (.+)$/.exec(mark) ?? [];
  if (command !== undefined) return { use: 'output', detail: command };
  if (mark === 'output' || mark === 'messages') return { use: mark, detail: '' };
  return { use: language === 'sh' ? 'run' : 'unmarked', detail: '' };
}
