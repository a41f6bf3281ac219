// Text that others have chosen, inside Markdown: it must not end a cell, a code span or a fence.
import { largest } from '../model/many.ts';

/** A text inside a table or a code span. */
export const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('`', 'ˋ').replaceAll(/\s+/g, ' ');

/** A text as a block of its own. */
export function fenced(text: string): string {
  const longest = largest(
    2,
    [...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}
