// The git revision of the files of a plan.
import type { Plan } from '../../model/plan.ts';
import { revisionIn } from '../../read/git/workRevision.ts';
import { type BaseHost, placeOf } from './place.ts';

/** The plan with the git revision of its files, if they have one. */
export async function withRevision(plan: Plan, path: string, host: BaseHost): Promise<Plan> {
  const found = await revisionIn(placeOf(path, host), plan.layers);
  return 'revision' in found ? { ...plan, revision: found.revision } : plan;
}
