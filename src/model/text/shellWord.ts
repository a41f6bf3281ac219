// A text as one word of a command line, for hints that people copy into a shell.
import { hasHidden } from './visible.ts';

const encoder = new TextEncoder();

/** The text as one word: unchanged if it is safe, otherwise in single quotes. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-][\w./:@%+=,-]*$/.test(text) ? text : shellQuoted(text);
}

/** The text as one word in single quotes. */
export function shellQuoted(text: string): string {
  if (!hasHidden(text) && !text.includes('`')) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${[...text].map(ansiC).join('')}'`;
}

// An unprintable character as its bytes, in the quotes of bash, zsh and ksh.
function ansiC(character: string): string {
  if (/['\\]/.test(character)) return `\\${character}`;
  if (/[ -~]/.test(character) && !/[`[!]/.test(character)) return character;
  return [...encoder.encode(character)]
    .map(byte => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
