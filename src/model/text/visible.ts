// Makes text from outside safe to print: names, values, file names, messages of servers. In the result, no character is
// invisible, moves the cursor, reorders the text around it, or starts a command of a pipeline.

/**
 * Characters that are invisible or look like a blank, by their Unicode properties: control, format, private and unassigned
 * characters, all blanks except the space, characters that a renderer may ignore, and signs that enclose another character.
 */
const UNSEEN = String.raw`\p{C}[\p{Z}--[ ]]\p{Default_Ignorable_Code_Point}\p{Me}`;
/** Characters that are drawn as a blank or not at all, although no Unicode property shows it. */
export const BLANK = String.raw`\u2800\u302e\u302f\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}`;
/** Marks that belong to no script, such as marks of musical notes. The diacritics of names are kept. */
const OF_NO_SCRIPT = String.raw`[\p{M}&&[\p{scx=Common}\p{scx=Inherited}]]--[\u0300-\u036f]`;
const HIDDEN = `${UNSEEN}${BLANK}[${OF_NO_SCRIPT}]`;

/**
 * A mark changes the look of the preceding character, which may be punctuation that meshform wrote. So a mark is kept only after
 * a letter. After a letter of these three scripts, the marks of other scripts are escaped.
 */
const MARK = String.raw`[\p{M}--[${HIDDEN}]]`;
const LATIN = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`;
const LATIN_MARK = String.raw`[${MARK}&&[\u0300-\u036f\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}]]`;
/** A letter, but not the last letter of an escape such as `\n`. */
const LETTER = String.raw`[\p{L}--[${HIDDEN}]](?<!\\[bfnrt]|\\u[\da-f]{4})`;
/** The maximum number of marks on a letter: more marks than any language needs would cover the lines above and below. */
const AT_MOST = '{1,4}';
const STRAY_MARK = `${MARK}(?<!(?=${LATIN})${LETTER}${LATIN_MARK}${AT_MOST}|(?!${LATIN})${LETTER}${MARK}${AT_MOST})`;

const ANY_HIDDEN = new RegExp(`[${HIDDEN}]|${STRAY_MARK}`, 'gv');
const HIDDEN_IN_LINE = new RegExp(`[[${HIDDEN}]--[\n]]|${STRAY_MARK}`, 'gv');

/** Commands of Azure Pipelines and TeamCity, anywhere in a line: `##vso[`, `##teamcity[`, `##[`. */
const COMMAND = /(##[a-z]*)\[/gi;

const SHORT: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A character as JSON escapes it: `\n`, `\u200b`, `\udb40\udc41`. */
function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/**
 * Matches most texts quickly: printable ASCII without `#`, because every command contains `#`. The classes above take much longer
 * to search for.
 */
const PRINTABLE = /^[ !"$-~]*$/;
const PRINTABLE_LINES = /^[\n !"$-~]*$/;

/** The text on one line, with every unsafe character escaped: `a\u200bb`. Idempotent. */
export function visible(text: string): string {
  if (PRINTABLE.test(text)) return text;
  return text.replaceAll(ANY_HIDDEN, escaped).replaceAll(COMMAND, '$1\\u005b');
}

/** The text with every unsafe character escaped, except line feeds. */
export function visibleLines(text: string): string {
  if (PRINTABLE_LINES.test(text)) return text;
  return text.replaceAll(HIDDEN_IN_LINE, escaped).replaceAll(COMMAND, '$1\\u005b');
}

/** Whether `visible` would change a text. */
export const hasHidden = (text: string): boolean => visible(text) !== text;

/** A name or value in a sentence: in backticks, with backticks in it escaped. */
export function quoted(text: string): string {
  return `\`${visible(text).replaceAll('`', '\\u0060')}\``;
}

/** The text as a printable JSON string; parsing it returns the exact text. */
export function jsonString(text: string): string {
  return visible(JSON.stringify(text));
}

/** Whether a name is one plain word that needs no quotes. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_./:@-]*$/u.test(name) && !hasHidden(name);
}

/** A name in a list or a heading: unchanged if it is plain words with `/` or `\/` between them, otherwise a JSON string. */
export function nameText(name: string): string {
  return isPlainName(name.replaceAll('\\/', '/')) ? name : jsonString(name);
}

/** A path in a list or a sentence: unchanged if it consists of plain words, otherwise a JSON string. */
export function pathText(path: string): string {
  return isPlainName(path.replace(/^[./]+/, '')) ? path : jsonString(path);
}
