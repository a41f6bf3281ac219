// Where a run of the action keeps its journals.
import { statSync } from 'node:fs';
import { freshFolder } from './folders.ts';

/**
 * The variables of a run, with a fresh folder for its journals where the home of the job belongs to another user: in a container job
 * it is the home of the user who started the runner, and meshform keeps journals only where nobody else can put any.
 */
export function withJournals(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { HOME: home, MESHFORM_JOURNALS: chosen, XDG_STATE_HOME: state } = env;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || chosen || state || !home) return env;
  const owner = statSync(home, { throwIfNoEntry: false })?.uid ?? 0;
  return owner === 0 ? env : { ...env, MESHFORM_JOURNALS: freshFolder(env) };
}
