// Computes the plan of files, for `plan` and for a fleet. The plan includes what unfinished applies left, and what an apply would
// record.

import type { UsedTraffic } from '../../access/gates/usedFindings.ts';
import { otherTraffic } from '../../apply/preconditions/accountOfPlan.ts';
import { unrecordable } from '../../apply/recordedBase/recordable.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { SuggestedRenames } from '../../model/suggestedRename.ts';
import type { OnStates } from '../../pipeline/access/accessSettings.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { planOrStop, takesBackAll } from '../files/planning.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { leftUnfinished } from '../lock/leftUnfinished.ts';
import type { OpenedRuns } from '../lock/sharedBases.ts';
import { stopOf } from '../refusals/refusals.ts';
import { type ConnectFlags, withConnection } from '../server/connect.ts';

/** The inputs of a plan. */
export interface Computing {
  readonly path: string;
  readonly state: DesiredState;
  /** The applies on all machines. */
  readonly runs: OpenedRuns;
  readonly onStates?: OnStates | undefined;
  /** The flows that were in use. */
  readonly used?: UsedTraffic | undefined;
  /** Receives the findings about the files for which the plan has no replacement. */
  readonly onLeft?: (findings: readonly Diagnostic[]) => void;
  readonly onRenames?: ((renames: SuggestedRenames) => Promise<void>) | undefined;
  /** Receives a plan whose only errors are that differing objects cannot be written. */
  readonly onUnwritable?: ((plan: Plan) => Promise<void>) | undefined;
}

/**
 * Resolves to the plan and prints its findings. Throws a `Stop` if there is no plan, or if
 * `--record-base` would be impossible.
 */
export async function computePlan(
  tools: Schemas,
  { path, state, runs, onStates, used, onLeft, onRenames, onUnwritable }: Computing,
  flags: SourceFlags & AccountFlags & PlanFlags & ConnectFlags & { readonly format?: string },
  io: Io,
): Promise<Plan> {
  const isWhole = takesBackAll(flags);
  const plan = await withConnection(flags, state.project, io, async connection => {
    const { kinds } = tools;
    const left = await leftUnfinished(path, { kinds, connection, runs, isWhole }, io);
    const given = {
      ...flags,
      access: flags,
      journals: async () => (await runs())?.journals,
      ...(onStates && { onStates }),
      ...(used && { used }),
      ...(onLeft && { onLeft }),
      onRenames,
      onUnwritable,
    };
    return planOrStop({ tools, state: { ...state, left }, connection }, given, io);
  });
  const foreign = otherTraffic(plan, { used });
  if (foreign) throw stopOf(foreign, io);
  const unrecorded = flags.recordBase ? await unrecordable(plan, io) : null;
  if (unrecorded) throw stopOf(unrecorded, io);
  return plan;
}
