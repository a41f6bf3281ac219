// `apply` of desired state: plans, shows, asks and applies under one lock.
import { planAndApply } from '../../apply/planAndApply.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Schemas } from '../../pipeline.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import { refuseDestroyWithout } from '../files/destroying.ts';
import { planOrStop, refuseWithoutBase } from '../files/planning.ts';
import type { Io } from '../io.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { type ApplyFlags, applyWith } from './applyRequest.ts';
import { refuseUnasked } from './confirming.ts';

/** Applies the files at `path` to the account. Resolves to the exit code; throws a `Stop`. */
export async function applyFiles(
  tools: Schemas,
  path: string,
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const misplaced =
    flags.digest !== undefined ? '--digest' : flags.anyServer ? '--any-server' : undefined;
  if (misplaced !== undefined) {
    const message = `${quoted(misplaced)} works only with a saved plan, and ${quoted(path)} is desired state`;
    throw new Stop(EXIT.usage, message, 'save the plan with `meshform plan --out FILE`');
  }
  refuseWithoutBase(flags);
  refuseDestroyWithout(flags);
  refuseUnasked(flags, io);
  const { kinds } = tools;
  const state = await desiredOrStop(tools, path, { ...flags, isPlanned: true }, io);
  return withConnection(flags, state.project, io, connection => {
    const settings = { ...flags, access: flags, isWritten: true };
    const plan = () => planOrStop(tools, state, connection, settings, io);
    return applyWith({ kinds, connection, flags, io, isShown: true }, request =>
      planAndApply({ path, plan }, request),
    );
  });
}
