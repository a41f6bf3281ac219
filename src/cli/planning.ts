// Makes a plan for a command, or stops it with the reasons why there is none.
import { readTransport, type TransportOptions } from '../api/transport.ts';
import { present } from '../model/errors.ts';
import type { Plan } from '../model/plan.ts';
import { type DesiredState, planDesired, type Toolbox } from '../pipeline.ts';
import type { Project } from '../source/project.ts';
import { printFindings, stopOnErrors } from './desired.ts';
import { EXIT } from './exitCodes.ts';
import { type AccountFlags, allowance, type PlanFlags, type SourceFlags } from './flags.ts';
import type { Io } from './io.ts';
import { progressOn } from './progress.ts';
import { Stop } from './stop.ts';

/** The plan for `state`. It is given a transport that can only read. */
export async function planOrStop(
  tools: Toolbox,
  state: DesiredState,
  connection: TransportOptions,
  flags: AccountFlags & PlanFlags & Pick<SourceFlags, 'base'>,
  io: Io,
): Promise<Plan> {
  if (flags.prune === 'removed' && flags.base === undefined) {
    const hint = 'add --base with the git revision or the folder that was applied last';
    throw new Stop(EXIT.usage, '`--prune removed` cannot tell what was removed since', hint);
  }
  const progress = progressOn(io);
  const plan = await planDesired(tools, state, readTransport(connection), {
    dialect: flags.dialect ?? state.project.dialect ?? 'spec',
    prune: flags.prune,
    allow: [...(flags.allow ?? []), ...projectAllowances(state.project)],
    account: state.project.account,
    protect: state.project.protect ?? [],
    thresholds: state.project.thresholds ?? {},
    concurrency: flags.concurrency,
    onProgress: progress.fetching,
  }).finally(progress.clear);
  printFindings(plan.diagnostics, io);
  stopOnErrors(plan.diagnostics);
  return plan;
}

// The schema of the project file has vouched for their form.
function projectAllowances({ allow = [] }: Project) {
  return allow.map(text => present(allowance(text), `the hazard ${text}`));
}
