// Words for messages that name the folder which prevents the removal of an ended object or member.
import { quoted } from '../../model/text/visible.ts';
import type { FolderOf } from '../types/planContext.ts';

/** The folder, or its base. */
export const declaringText = ({ name, commit }: FolderOf): string =>
  commit !== undefined ? `the base of ${quoted(name)}` : quoted(name);

/** The hint that says how the removal becomes possible. */
export const droppingHint = ({ name, commit }: FolderOf): string =>
  commit !== undefined
    ? `apply ${quoted(name)} with --record-base: its base still has it`
    : `to end it, remove it from ${quoted(name)}, or give it an end there too`;
