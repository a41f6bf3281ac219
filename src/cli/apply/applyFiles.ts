// `apply` of desired state: the plan is made, shown, approved and carried out under one lock.
import { quoted } from '../../model/text/visible.ts';
import type { Toolbox } from '../../pipeline.ts';
import { planDigestOf } from '../../report/plan/planDocument.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import { planOrStop } from '../files/planning.ts';
import { renderPlan } from '../files/render.ts';
import type { Io } from '../io.ts';
import { tellOfCutOff } from '../record/earlier.ts';
import { withLock } from '../record/lock.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { type ApplyFlags, applyPlan } from './applyPlan.ts';
import { withRevision } from './recordBase.ts';

/** Makes the account what the files at `path` say. Resolves to the exit code; throws a `Stop`. */
export async function applyFiles(
  tools: Toolbox,
  path: string,
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const [misplaced] = [
    ...(flags.digest === undefined ? [] : ['--digest']),
    ...(flags.anyServer ? ['--any-server'] : []),
  ];
  if (misplaced !== undefined) {
    const message = `${quoted(misplaced)} works only with a saved plan, and ${quoted(path)} is desired state`;
    throw new Stop(EXIT.usage, message, 'save the plan with `meshform plan --out FILE`');
  }
  const state = await desiredOrStop(tools, path, flags, io);
  return withConnection(flags, state.project, io, transport => {
    const { url } = transport;
    return withLock({ url, path, journal: flags.journal }, io, async lock => {
      await tellOfCutOff(path, url, io);
      const planReadAt = io.now();
      const settings = { ...flags, access: flags, isWritten: true };
      const planned = await planOrStop(tools, state, transport, settings, io);
      const plan = flags.recordBase ? await withRevision(planned, path, io) : planned;
      if (flags.format === 'text') io.stdout.write(renderPlan(plan, tools.kinds, 'text', io));
      const digest = planDigestOf(plan, tools.kinds);
      const { gates } = plan;
      return applyPlan({ tools, plan, gates, digest, planReadAt, transport, lock, io }, flags);
    });
  });
}
