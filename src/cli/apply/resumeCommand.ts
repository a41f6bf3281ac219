// The command that resumes an incomplete run, for messages.

import { shellWord } from '../../model/text/shellWord.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Io } from '../io.ts';

/** The command that resumes the run of the journal at `path`, as code. */
export const resumeCommand = (path: string, { cwd }: Pick<Io, 'cwd'>): string =>
  `\`meshform apply --resume ${shellWord(nearPath(cwd, path))}\``;
