// Reports YAML faults in our own words and at the position of the mistake; the library often reports a later line. If a fault has
// consequences, only the fault itself is reported. No text of the file is repeated, because it may be a secret.
import { type Document, isCollection, isScalar, type Node, visit, type YAMLParseError } from 'yaml';
import { quoted } from '../../model/text/visible.ts';

/** A fault of the YAML itself. */
export interface YamlFault {
  readonly code: 'SOURCE_YAML' | 'SOURCE_DUPLICATE_KEY';
  readonly message: string;
  readonly hint: string;
  readonly offset: number;
}

type Reported = Omit<YamlFault, 'code'>;

/** The first conflict marker of a merge. Only line feeds and carriage returns end a line in YAML. */
export function conflictMarker(text: string): YamlFault | null {
  const offset = text.search(/(?<![^\n\r])(?:<{7}|>{7})(?=[ \n\r]|$)/);
  if (offset < 0) return null;
  const message = 'this file contains an unresolved merge conflict';
  const hint = 'keep one side, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>';
  return { code: 'SOURCE_YAML', message, hint, offset };
}

/** The first unescaped NUL character: YAML does not allow it, but the parser accepts it. */
export function nulCharacter(text: string): YamlFault | null {
  const offset = text.indexOf('\0');
  if (offset < 0) return null;
  const message = 'this is not YAML: it contains the character NUL';
  const hint = 'remove it; within double quotes, write it as \\0';
  return { code: 'SOURCE_YAML', message, hint, offset };
}

/** The faults in the syntax of a document. */
export function syntaxFaults(document: Document.Parsed, text: string): YamlFault[] {
  const version = document.directives.yaml.version;
  if (version !== '1.2') {
    const message = `this is marked as YAML ${version}, but meshform reads YAML 1.2`;
    const hint = 'remove the %YAML line';
    return [{ code: 'SOURCE_YAML', message, hint, offset: 0 }];
  }
  const reported = new Set<number>();
  return document.errors.flatMap((error, i) => {
    // Faults after the first one may follow from it, unless the first one affects no other line.
    if (i > 0 && !HARMLESS.has(error.code)) return [];
    // A line of brackets can have as many faults as characters, and describing each fault would read the line again.
    if (reported.has(lineStart(text, error.pos[0]))) return [];
    const { message, hint, offset, harms } = describe(error, document, text);
    const line = lineStart(text, offset);
    if (reported.has(line) || (i > 0 && harms)) return [];
    reported.add(line);
    return [{ code: 'SOURCE_YAML', message, hint, offset }];
  });
}

interface Described extends Reported {
  /** Whether a fault makes the following lines unreadable. */
  readonly harms?: true;
}

const HARMLESS: ReadonlySet<string> = new Set([
  'TAB_AS_INDENT',
  'BAD_SCALAR_START',
  'BAD_DQ_ESCAPE',
  'BLOCK_AS_IMPLICIT_KEY',
]);

function describe(error: YAMLParseError, document: Document.Parsed, text: string): Described {
  const offset = error.pos[0];
  const reference = referenceBefore(text, offset);
  if (reference !== null) return reference;
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { ...TAB, offset };
    case 'BAD_SCALAR_START':
      return { ...badStart(text.charAt(offset)), offset };
    case 'BAD_DQ_ESCAPE':
      return { ...ESCAPE, offset };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return blockInLine(text, firstInk(text, offset));
    case 'BLOCK_IN_FLOW':
      return { ...COMMA, offset: firstInk(text, offset) };
    case 'RESOURCE_EXHAUSTION':
      return { ...TOO_DEEP, offset };
    case 'MULTILINE_IMPLICIT_KEY':
      return { ...NO_COLON, offset };
    default:
      return misplaced(document, text, offset);
  }
}

// In { }, a plain text ends at the first brace or comma, including those of `${var:NAME}`.
function referenceBefore(text: string, offset: number): Described | null {
  const begin = text.lastIndexOf('\n', offset - 1) + 1;
  const [end = ''] = text.slice(offset).split('\n', 1);
  const line = text.slice(begin, offset) + end;
  const bracket = line.search(/[[{]/);
  if (bracket < 0) return null;
  // No part of the pattern can match in two ways, so that the time grows only linearly with the length of the line.
  const found = /[:,[]\s*(\$\{(?:(?:var|env|file|sops):|[a-z_]\w*\.)[^{}]*\})/i.exec(
    line.slice(bracket),
  );
  return found?.[1] === undefined
    ? null
    : { ...REFERENCE, offset: begin + bracket + found.index + found[0].length - found[1].length };
}

const REFERENCE = {
  message: 'inside { } and [ ] a text with `${…}` in it needs quotes',
  hint: 'put it in quotes: "${var:NAME}"',
};
const TAB = {
  message: 'YAML does not allow tabs for indentation',
  hint: 'indent with spaces',
};
const ESCAPE = {
  message:
    'in double quotes a backslash begins an escape sequence, and this is not a valid escape sequence',
  hint: 'put the text in single quotes, or double the backslash',
};
const COLON = {
  message: 'a text with ": " in it needs quotes',
  hint: 'put the text in quotes, or write what follows the colon on the next line',
};
const COMMA = {
  message: 'inside [ ] and { } a comma must separate the members',
  hint: 'add the missing comma',
};
const TOO_DEEP = { message: 'this is nested too deeply', hint: 'no field needs this depth' };
const NO_COLON = {
  message: 'this line is a key without a colon, or text with too little indentation',
  hint: 'write `key: value`',
};
const INDENT = {
  message: 'the indentation of this line matches no line above it',
  hint: 'start all members of a list, and all keys of a mapping, in the same column',
};
const COMMENT = {
  message: 'a comment begins with a space and `#`',
  hint: 'add the space; a text with # in it needs quotes',
};
const AFTER_QUOTE = {
  message: 'there is text after the closing quote',
  hint: 'put the whole text in quotes; double a quote inside it, or escape it in double quotes',
};
const BLOCK_TEXT = {
  message: 'after `|` or `>` the text begins on the next line',
  hint: 'begin a new line, or put the text in quotes',
};
const UNREADABLE = {
  message: 'the YAML cannot be parsed from here on',
  hint: 'look for a missing quote, bracket or comma above',
};

const badStart = (character: string) => ({
  message: `a text cannot begin with ${character === '`' ? 'a backtick' : quoted(character)}`,
  hint: 'put it in quotes',
});

// `name: a: b`, a misaligned dash, or a key that is indented below a value: all three have the same code.
function blockInLine(text: string, offset: number): Described {
  const line = text.slice(offset, lineEnd(text, offset));
  if (/^-(\s|$)/.test(line)) return { ...INDENT, offset, harms: true };
  if (/:(\s|$)/.test(line)) return { ...COLON, offset };
  return { ...INDENT, offset: firstInk(text, lineEnd(text, offset)), harms: true };
}

// The library reports the unexpected token; the mistake is before it.
function misplaced(document: Document.Parsed, text: string, offset: number): Described {
  const before = nodesBefore(document, offset).reverse();
  const ended = before.filter(node => isClosed(node, text) && endsRightBefore(node, offset, text));
  if (ended.some(node => isCollection(node) && node.flow)) return { ...COMMA, offset };
  if (ended.some(node => isQuoted(node, text) && !spansLines(node, text))) {
    return { ...(text.charAt(offset) === '#' ? COMMENT : AFTER_QUOTE), offset };
  }
  const open =
    before.find(node => !isClosed(node, text)) ?? ended.find(node => isQuoted(node, text));
  if (open) return unclosed(open, text);
  if (text.charAt(offset) === '#') return { ...COMMENT, offset };
  if (/[|>]/.test(text.slice(offset - 1, offset + 1))) return { ...BLOCK_TEXT, offset };
  const isIndented = offset > lineStart(text, offset) || /\s/.test(text.charAt(offset));
  const isAtLineStart = isBlank(text.slice(lineStart(text, offset), offset));
  return isAtLineStart && isIndented
    ? { ...INDENT, offset: firstInk(text, offset) }
    : { ...UNREADABLE, offset };
}

function unclosed(node: Node, text: string): Described {
  const offset = node.range?.[0] ?? 0;
  const opening = text.charAt(offset);
  if (!isCollection(node)) {
    const message = `the text that begins with this ${quoted(opening)} is not closed on its line`;
    return { message, hint: 'add the closing quote', offset };
  }
  const message = `this ${quoted(opening)} is not closed before the next key`;
  const closing = opening === '[' ? ']' : '}';
  const hint = `add the ${quoted(closing)}, and indent what it encloses deeper than its key`;
  return { message, hint, offset };
}

const written = (node: Node, text: string): string =>
  text.slice(...(node.range ?? [0, 0])).trimEnd();

function endsRightBefore({ range }: Node, offset: number, text: string): boolean {
  const end = range?.[1] ?? 0;
  return end <= offset && /^[ \t]*$/.test(text.slice(end, offset));
}

const isQuoted = (node: Node, text: string): boolean =>
  isScalar(node) && /^["']/.test(written(node, text));

const spansLines = (node: Node, text: string): boolean => written(node, text).includes('\n');

function isClosed(node: Node, text: string): boolean {
  const own = written(node, text);
  if (isCollection(node)) return !node.flow || /[\]}]$/.test(own);
  return !isQuoted(node, text) || (own.length > 1 && own.endsWith(own.charAt(0)));
}

function nodesBefore(document: Document.Parsed, offset: number): Node[] {
  const found: Node[] = [];
  visit(document, {
    Node: (_, node) => {
      if (node.range && node.range[0] < offset) found.push(node);
    },
  });
  return found;
}

const isBlank = (text: string): boolean => text.trim() === '';

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

// The first non-blank character from `offset` on.
function firstInk(text: string, offset: number): number {
  const found = text.slice(offset).search(/\S/);
  return found < 0 ? offset : offset + found;
}
