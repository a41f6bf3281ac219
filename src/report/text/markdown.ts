// Text that others have chosen, inside Markdown: it ends no cell, no code and no fence, and makes no link and no mention.
import { largest } from '../../model/text/many.ts';
import { visible } from '../../model/text/visible.ts';

/** A text as code, within a line or a cell of a table. */
export function code(text: string): string {
  const shown = visible(text);
  // In backticks nothing but a backtick, a bar and a backslash before it means anything.
  if (/^[^`|\\]+$/.test(shown) && shown === shown.trim()) return `\`${shown}\``;
  return `<code>${shown.replaceAll(/[^\p{L}\p{N} ]|^ | $| (?= )/gu, entity)}</code>`;
}

/** A sentence that somebody wrote: as it is where nothing in it could be Markdown, a link or a mention; else as code. */
export function prose(text: string): string {
  const isHarmless = /^(?:[\p{L}\p{N} ,;'()/+%-]|\.(?= |$)|&(?= ))+$/u.test(text);
  return isHarmless && !/\bGH-\d/i.test(text) && text === visible(text) ? text : code(text);
}

/** A text as a block of its own; its line feeds are ours. `language` says how a forge colours it. */
export function fenced(text: string, language: 'text' | 'diff' = 'text'): string {
  const longest = largest(
    2,
    [...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

// No character that is written by its number is a mark of Markdown or of HTML.
const entity = (character: string): string => `&#${character.codePointAt(0)};`;
