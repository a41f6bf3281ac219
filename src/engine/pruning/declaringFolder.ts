// The folder that keeps an object or a member from its end, in words.
import { quoted } from '../../model/text/visible.ts';
import type { FolderOf } from '../types/planContext.ts';

/** The folder, or its base. */
export const declaringText = ({ name, commit }: FolderOf): string =>
  commit !== undefined ? `the base of ${quoted(name)}` : quoted(name);

/** The hint that tells how to let the end take place. */
export const droppingHint = ({ name, commit }: FolderOf): string =>
  commit !== undefined
    ? `apply ${quoted(name)} with --record-base: its base still has it`
    : `to end it, remove it from ${quoted(name)}, or give it an end there too`;
