// The command that resumes an incomplete run, for messages.
import { relative } from 'node:path';
import { shellWord } from '../../model/text/shellWord.ts';
import type { Io } from '../io.ts';

/** The command that resumes the run of the journal at `path`, as code. */
export const resumeCommand = (path: string, { cwd }: Pick<Io, 'cwd'>): string =>
  `\`meshform apply --resume ${shellWord(relative(cwd, path))}\``;
