// The project files that choose or check the server for a saved plan or a journal.
import { resolve } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import type { Io } from '../io.ts';
import { projectOrStop } from '../project.ts';
import type { ServerUrl } from '../server/server.ts';

/**
 * Returns the project files. Only the project file of the folder that the user names, or of the
 * working directory, may choose the server. The plan itself names the folder from which it was
 * made, so the project file of that folder may only refuse.
 */
export async function projectsFor({ folder }: Plan, path: string, io: Io): Promise<ServerUrl> {
  const { url, urlAt, rate, others: above = [] } = projectOrStop(io, resolve(io.cwd, path));
  const ofPlan = projectOrStop(io, resolve(io.cwd, folder));
  const others = [...above, ofPlan, ...(ofPlan.others ?? [])];
  return {
    ...(url !== undefined && { url }),
    ...(urlAt && { urlAt }),
    ...(rate !== undefined && { rate }),
    others,
  };
}
