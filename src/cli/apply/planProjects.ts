// Which project files have a say in where a saved plan or a journal is carried out.
import { resolve } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import { projectOrStop } from '../api/apiProject.ts';
import type { Io } from '../io.ts';
import type { ServerUrl } from '../server/server.ts';

/**
 * Only the project file of the folder that the person names, or stands in, may choose the server. The plan itself says which
 * folder it was made from, so that folder's project file may object and no more.
 */
export async function projectsFor({ folder }: Plan, path: string, io: Io): Promise<ServerUrl> {
  const { url, urlAt, rate } = await projectOrStop(io, resolve(io.cwd, path));
  const others = [await projectOrStop(io, resolve(io.cwd, folder))];
  return {
    ...(url !== undefined && { url }),
    ...(urlAt && { urlAt }),
    ...(rate !== undefined && { rate }),
    others,
  };
}
