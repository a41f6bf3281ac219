// A text with insertions as a patch in unified format, as `git apply` reads it.

import { addAll } from './many.ts';

/** A text to insert. Offsets are those of a text without byte order mark and carriage returns; what is inserted has line feeds only. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

interface Line {
  readonly sign: ' ' | '-' | '+';
  /** With its carriage return, without its line feed. */
  readonly text: string;
  /** Whether the file ends here without a line feed. */
  readonly isUnended: boolean;
}

/** Lines before and after each change, by which it is found. */
const CONTEXT = 3;

/** The patch of one file. `path`: from where the patch is applied, with slashes. Empty without insertions. */
export function unifiedDiff(path: string, text: string, insertions: readonly Insertion[]): string {
  if (insertions.length === 0) return '';
  const lines = diffLines(text, insertions);
  const head = [
    `diff --git ${quotedPath(`a/${path}`)} ${quotedPath(`b/${path}`)}`,
    `--- ${ended(`a/${path}`)}`,
    `+++ ${ended(`b/${path}`)}`,
  ];
  return [...head, ...hunks(lines)].map(line => `${line}\n`).join('');
}

/** The text with the insertions, with the line endings that it has. */
export function inserted(text: string, insertions: readonly Insertion[]): string {
  return diffLines(text, insertions)
    .filter(({ sign }) => sign !== '-')
    .map(({ text: line, isUnended }) => (isUnended ? line : `${line}\n`))
    .join('');
}

function diffLines(source: string, insertions: readonly Insertion[]): readonly Line[] {
  const mark = source.startsWith('\uFEFF') ? 1 : 0;
  const raw = source.split('\n');
  const isUnended = raw.at(-1) !== '';
  if (!isUnended) raw.pop();
  const usual = source.includes('\r\n') ? '\r' : '';
  const sorted = [...insertions].sort((one, other) => one.offset - other.offset);
  const lines: Line[] = [];
  let start = 0;
  let next = 0;
  for (const [at, line] of raw.entries()) {
    const isLast = isUnended && at === raw.length - 1;
    const own = line.endsWith('\r') ? line.slice(0, -1) : line;
    const before = at === 0 ? mark : 0;
    const end = start + own.length - before;
    const here: Insertion[] = [];
    for (let one = sorted[next]; one !== undefined && one.offset <= end; one = sorted[++next])
      here.push({ ...one, offset: one.offset - start + before });
    const ending = line.endsWith('\r') || !isLast ? line.slice(own.length) : usual;
    addAll(lines, changedLines(line, { own, ending, here, isLast }));
    start = end + 1;
  }
  return lines;
}

interface LineChange {
  /** The line without its carriage return. */
  readonly own: string;
  readonly ending: string;
  readonly here: readonly Insertion[];
  /** Whether the file ends in it, without a line feed. */
  readonly isLast: boolean;
}

function changedLines(line: string, { own, ending, here, isLast }: LineChange): readonly Line[] {
  const kept: Line = { sign: ' ', text: line, isUnended: isLast };
  if (here.length === 0) return [kept];
  let text = own;
  for (const one of here.toReversed())
    text = text.slice(0, one.offset) + one.text + text.slice(one.offset);
  const parts = text.split('\n');
  const added = parts.map((part, i): Line => {
    const isUnended = isLast && i === parts.length - 1;
    return { sign: '+', text: isUnended ? part : part + ending, isUnended };
  });
  if (!isLast && parts[0] === own) return [kept, ...added.slice(1)];
  if (!isLast && parts.at(-1) === own) return [...added.slice(0, -1), kept];
  return [{ ...kept, sign: '-' }, ...added];
}

function hunks(lines: readonly Line[]): readonly string[] {
  const near = new Set<number>();
  for (const [at, { sign }] of lines.entries())
    if (sign !== ' ') for (let i = at - CONTEXT; i <= at + CONTEXT; i++) near.add(i);
  const found: string[] = [];
  let own: Line[] = [];
  let before = 0;
  let after = 0;
  const close = () => {
    if (own.length > 0) addAll(found, hunkText(own, before, after));
    before += own.filter(({ sign }) => sign !== '+').length;
    after += own.filter(({ sign }) => sign !== '-').length;
    own = [];
  };
  for (const [at, line] of lines.entries()) {
    if (near.has(at)) own.push(line);
    else {
      close();
      before++;
      after++;
    }
  }
  close();
  return found;
}

function hunkText(lines: readonly Line[], before: number, after: number): readonly string[] {
  const count = (sign: '-' | '+') => lines.filter(line => line.sign !== sign).length;
  const head = `@@ -${before + 1},${count('+')} +${after + 1},${count('-')} @@`;
  const body = lines.flatMap(({ sign, text, isUnended }) => [
    `${sign}${text}`,
    ...(isUnended ? ['\\ No newline at end of file'] : []),
  ]);
  return [head, ...body];
}

// Git reads a name up to the end of the line, or up to a tab if it has blanks.
const ended = (path: string): string => {
  const name = quotedPath(path);
  return name === path && path.includes(' ') ? `${name}\t` : name;
};

const NAMED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

/** A path as git writes it: in quotes if it has signs that end a name. */
function quotedPath(path: string): string {
  if (!/[\p{Cc}"\\]/u.test(path)) return path;
  const inside = path.replaceAll(
    /[\p{Cc}"\\]/gu,
    sign => NAMED[sign] ?? `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inside}"`;
}
