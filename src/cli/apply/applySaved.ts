// `apply` of a saved plan: carries out exactly the approved plan, once.
import { resolve } from 'node:path';
import { applySaved as applySavedPlan } from '../../apply/applySaved.ts';
import { tellPlanVariables } from '../../apply/preconditions/planVariables.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import { planText } from '../../report/plan/planText.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { planLine } from '../../report/text/summary.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings } from '../findings.ts';
import { namedOutsidePlan } from '../flags/objectFlags.ts';
import { type Io, say } from '../io.ts';
import { heldEndsOf } from '../lock/heldEnds.ts';
import { withRunLock } from '../lock/runLock.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { type ApplyFlags, applyWith } from './applyRequest.ts';
import { refuseUnasked } from './confirming.ts';
import { projectsFor } from './planProjects.ts';
import { type PlanText, savedPlanOrStop } from './savedPlan.ts';
import { refuseUnapproved } from './unapproved.ts';

/** Applies the plan in a file. Resolves to the exit code; throws a `Stop`. */
export async function applySaved(
  { kinds }: Schemas,
  { text, isPiped, file }: PlanText & { readonly file: string },
  flags: ApplyFlags,
  io: Io,
): Promise<number> {
  const { digest, format } = flags;
  if (!isPiped) await refuseUnapproved(file, { what: 'a saved plan', digest }, io);
  const saved = savedPlanOrStop(text, { file, digest, kinds }, io);
  const { plan } = saved;
  const isAsked = !flags.yes && !flags.autoApprove;
  if (isPiped && isAsked) {
    const message = 'a plan on standard input cannot be confirmed at the terminal';
    throw new Stop(EXIT.usage, message, 'add --yes, or apply a file');
  }
  refuseUnasked(flags, io);
  printFindings(namedOutsidePlan(plan, flags, kinds), io);
  if (format === 'text') showSaved(saved, { kinds, isAsked, extent: flags.extent }, io);
  const projects = await projectsFor(plan, '.', io);
  const project = projectOrStop(io, resolve(io.cwd, plan.folder));
  const files = { path: plan.folder, project, accountBehind: () => Promise.resolve(plan.account) };
  tellPlanVariables(plan, io, { known: io.secrets });
  return withRunLock(files, flags, io, ({ open }) =>
    withConnection(flags, projects, io, async connection =>
      applyWith(
        {
          kinds,
          connection,
          flags,
          io,
          accountLock: await open(),
          heldEnds: hold => heldEndsOf(plan.folder, hold, io),
        },
        request => applySavedPlan(saved, request),
      ),
    ),
  );
}

// Shows the whole plan if a person is asked next, otherwise only its counts.
function showSaved(
  { plan, digest }: SavedPlan,
  {
    kinds,
    isAsked,
    extent,
  }: { readonly kinds: KindTable; readonly isAsked: boolean; readonly extent: Extent },
  io: Io,
): void {
  if (isAsked)
    io.stdout.write(planText(plan, kinds, styleFor(io.stdout, io), { ...extent, digest }));
  else say(io.stdout, planLine(plan));
}
