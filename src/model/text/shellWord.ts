// A text as one word of a command line, for hints: a command that is copied into a shell means what it says.
import { hasHidden } from './visible.ts';

const encoder = new TextEncoder();

/** The text as one word: as it is where no shell would touch it, in single quotes elsewhere. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-][\w./:@%+=,-]*$/.test(text) ? text : shellQuoted(text);
}

/** The text as one word in single quotes. */
export function shellQuoted(text: string): string {
  if (!hasHidden(text) && !text.includes('`')) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${[...text].map(ansiC).join('')}'`;
}

// What cannot be printed is written by its bytes, in the quotes that bash, zsh and ksh know.
function ansiC(character: string): string {
  if (/['\\]/.test(character)) return `\\${character}`;
  if (/[ -~]/.test(character) && !/[`[!]/.test(character)) return character;
  return [...encoder.encode(character)]
    .map(byte => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
