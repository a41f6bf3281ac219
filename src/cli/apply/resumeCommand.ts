// The command that resumes an incomplete run, for messages.

import { shellWord } from '../../model/text/shellWord.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Io } from '../io.ts';

/**
 * The command that resumes the run of the journal at `path`, as code. A run for an account of a
 * fleet is resumed by the rollout.
 */
export const resumeCommand = (
  path: string,
  { cwd, projectFiles }: Pick<Io, 'cwd' | 'projectFiles'>,
): string =>
  projectFiles?.inFleet
    ? '`meshform fleet apply --continue`'
    : `\`meshform apply --resume ${shellWord(nearPath(cwd, path))}\``;
