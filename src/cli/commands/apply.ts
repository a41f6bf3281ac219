// `apply`: makes the account what the files say, or carries out a saved plan. The one verb that writes.
import { type Command, Option } from 'commander';
import type { TransportOptions } from '../../api/transport.ts';
import type { Plan } from '../../model/plan.ts';
import type { Toolbox } from '../../pipeline.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import {
  type AccountFlags,
  type PlanFlags,
  type SourceFlags,
  withAccountFlags,
  withFormat,
  withPlanFlags,
  withSecretsTo,
  withSourceFlags,
} from '../flags.ts';
import type { Io } from '../io.ts';

interface Flags extends SourceFlags, AccountFlags, PlanFlags {
  readonly format: 'text' | 'json';
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
  readonly onError: 'continue' | 'stop';
  readonly recordBase?: boolean;
  readonly anyServer?: boolean;
}

const EXAMPLES = `
Examples:
  meshform apply network/
  meshform apply plan.json --yes
  meshform apply --rotate 'setup_key/ci runners' --secrets-to 'exec:vault kv put -mount=kv ci -'
  meshform apply --prune removed --base origin/main --allow DELETES_OBJECT --yes
  meshform apply --prune removed --base auto --record-base --allow DELETES_OBJECT --yes`;

/** Adds the command. */
export function addApply(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('apply')
    .argument('[path]', 'a folder of desired state, one file, or a saved plan (.json)', '.')
    .description('make the account what the files say');
  const planned = withPlanFlags(withAccountFlags(withSourceFlags(command)));
  withFormat(withSecretsTo(planned), ['text', 'json'])
    .option('--yes', 'do not ask')
    .option('--auto-approve', 'the same, as OpenTofu calls it')
    .addOption(
      new Option('--on-error <what>', 'after a failure, go on with what does not need it, or stop')
        .choices(['continue', 'stop'])
        .default('continue'),
    )
    .option('--record-base', 'remember in git what was applied, for `--base auto`')
    .option('--any-server', 'carry a saved plan out at another address than it was made at')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: Flags) => {
      finish(await apply(path, flags, io));
    });
}

async function apply(path: string, flags: Flags, io: Io): Promise<number> {
  const { toolbox } = await import('../../pipeline.ts');
  const { withConnection } = await import('../connect.ts');
  const { desiredOrStop } = await import('../desired.ts');
  const { planOrStop } = await import('../planning.ts');
  const { renderPlan } = await import('../render.ts');
  const { planLine } = await import('../../report/summary.ts');
  const { isSavedPlan, refuseOtherServer, savedPlanOrStop } = await import('../savedPlan.ts');
  const tools = toolbox();
  if (isSavedPlan(path)) {
    const plan = await savedPlanOrStop(path, io);
    if (flags.format === 'text') io.stdout.write(`${planLine(plan)}\n`);
    return withConnection(flags, {}, io, async transport => {
      refuseOtherServer(plan, transport.url, flags.anyServer === true);
      const { refuseOtherAccount } = await import('../applying.ts');
      await refuseOtherAccount(plan, tools, transport);
      return applyPlan(tools, plan, transport, flags, io);
    });
  }
  const state = await desiredOrStop(tools, path, flags, io);
  return withConnection(flags, state.project, io, async transport => {
    const { withRevision } = await import('../recordBase.ts');
    const planned = await planOrStop(tools, state, transport, flags, io);
    const plan = flags.recordBase ? await withRevision(planned, path, io) : planned;
    if (flags.format === 'text') io.stdout.write(renderPlan(plan, tools.kinds, 'text', io));
    return applyPlan(tools, plan, transport, flags, io);
  });
}

async function applyPlan(
  tools: Toolbox,
  plan: Plan,
  transport: TransportOptions,
  flags: Flags,
  io: Io,
): Promise<number> {
  const { confirm, exitCodeOf, printRun, refuseHazards, runWithInterrupts } = await import(
    '../applying.ts'
  );
  const { secretsFor } = await import('../secrets/runSecrets.ts');
  const { recordApplied, refuseUnrecordable } = await import('../recordBase.ts');
  refuseHazards(plan, flags);
  if (flags.recordBase) await refuseUnrecordable(plan, io);
  const secrets = await secretsFor(plan, tools.kinds, flags, io);
  if (plan.actions.length > 0)
    await confirm(
      plan,
      { format: flags.format, yes: flags.yes === true || flags.autoApprove === true },
      io,
    );
  const { concurrency, onError } = flags;
  const options = { ...secrets, concurrency, onError };
  const { result, signal } = await runWithInterrupts(tools, plan, transport, options, io);
  printRun(plan, result, tools.kinds, flags.format, io);
  const code = exitCodeOf(result, signal);
  if (flags.recordBase && code === EXIT.done) await recordApplied(plan, io);
  return code;
}
