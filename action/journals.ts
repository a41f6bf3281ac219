// The folder in which a run of the action keeps its journals.
import { statSync } from 'node:fs';
import { freshFolder } from './folders.ts';

/**
 * The variables of a run, with a new folder for its journals if the home of the job belongs to another user. In a container job,
 * the home is that of the user who started the runner, and meshform keeps journals only in folders that nobody else can write.
 */
export function withJournals(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { HOME: home, MESHFORM_JOURNALS: chosen, XDG_STATE_HOME: state } = env;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || chosen || state || !home) return env;
  const owner = statSync(home, { throwIfNoEntry: false })?.uid ?? 0;
  return owner === 0 ? env : { ...env, MESHFORM_JOURNALS: freshFolder(env) };
}
