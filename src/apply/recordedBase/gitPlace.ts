// The folder and the host for the git commands that concern the base of a plan.
import { resolve } from 'node:path';
import type { ProgramHost } from '../../read/environment.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import type { ApplyHost } from '../host.ts';
import type { JournalsHost } from '../journal/journalFolder.ts';

/** The parts of the host that are needed to record a base. */
export type BaseHost = Pick<ApplyHost, 'cwd' | keyof ProgramHost>;

/** A machine that notes the newest bases. */
export type NotingHost = BaseHost & JournalsHost;

/** The folder of desired state at `path`. */
export const placeOf = (path: string, host: BaseHost): GitPlace => ({
  folder: folderOf(resolve(host.cwd, path)),
  host,
});
