// Escapes text that others have chosen for Markdown, so that it can neither end a cell, a code span or a fence, nor create a link
// or a mention.
import { largest } from '../../model/text/longLists.ts';
import { visible } from '../../model/text/visible.ts';

/** A text as code, within a line or a cell of a table. */
export function code(text: string): string {
  const shown = visible(text);
  // In code with backticks, only these characters have a meaning: a backtick, a bar, and a backslash before a bar.
  if (/^[^`|\\]+$/.test(shown) && shown === shown.trim()) return `\`${shown}\``;
  return `<code>${shown.replaceAll(/[^\p{L}\p{N} ]|^ | $| (?= )/gu, entity)}</code>`;
}

/**
 * A sentence that somebody wrote. It is unchanged if no part of it could be Markdown, a link or a mention; otherwise it is shown
 * as code.
 */
export function prose(text: string): string {
  const isHarmless = /^(?:[\p{L}\p{N} ,;'()/+%-]|\.(?= |$)|&(?= ))+$/u.test(text);
  return isHarmless && !/\bGH-\d/i.test(text) && text === visible(text) ? text : code(text);
}

/**
 * A text as a fenced block. meshform itself adds its line feeds. `language` selects the colouring
 * of a forge.
 */
export function fenced(text: string, language: 'text' | 'diff' = 'text'): string {
  const longest = largest(
    2,
    [...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

// A character written as a numeric entity is never a mark of Markdown or of HTML.
const entity = (character: string): string => `&#${character.codePointAt(0)};`;
