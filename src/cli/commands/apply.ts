// `apply`: makes the account what the files say, or carries out a saved plan. The one verb that writes.
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ApplyFlags } from '../applyPlan.ts';
import type { CommandContext } from '../context.ts';
import {
  withAccountFlags,
  withFormat,
  withPlanFlags,
  withSecretsTo,
  withSourceFlags,
} from '../flags.ts';
import { type Io, say } from '../io.ts';

interface Flags extends ApplyFlags {
  /** The journal to go on with; the last one where it is not named. */
  readonly resume?: string | true;
  /** The journal of the run to take back. */
  readonly undo?: string;
}

const EXAMPLES = `
Examples:
  meshform apply network/
  meshform apply plan.json --yes
  meshform apply --rotate 'setup_key/ci runners' --secrets-to 'exec:vault kv put -mount=kv ci -'
  meshform apply --prune removed --base origin/main --allow DELETES_OBJECT --yes
  meshform apply --prune removed --base auto --record-base --allow DELETES_OBJECT --yes
  meshform apply network/ --resume
  meshform apply --undo .meshform/journal/2026-03-01T09-30-00.000Z.jsonl`;

/** Adds the command. */
export function addApply(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('apply')
    .argument('[path]', 'a folder of desired state, one file, or a saved plan (.json)', '.')
    .description('make the account what the files say');
  const planned = withPlanFlags(withAccountFlags(withSourceFlags(command)));
  withSecretsTo(withFormat(planned, ['text', 'json', 'jsonl']))
    .option('--yes', 'do not ask')
    .option('--auto-approve', 'the same, as OpenTofu calls it')
    .addOption(
      new Option('--on-error <what>', 'after a failure, go on with what does not need it, or stop')
        .choices(['continue', 'stop'])
        .default('continue'),
    )
    .option('--record-base', 'remember in git what was applied, for `--base auto`')
    .option('--any-server', 'carry a saved plan out at another address than it was made at')
    .option('--journal <file>', 'write down what is done here, not in .meshform/journal/')
    .option('--resume [journal]', 'go on with an apply that was cut off: the last one, or this')
    .addOption(
      new Option('--undo <journal>', 'plan the way back from what an apply has done').conflicts(
        'resume',
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: Flags) => {
      finish(await apply(path, flags, io));
    });
}

async function apply(path: string, flags: Flags, io: Io): Promise<number> {
  const { toolbox } = await import('../../pipeline.ts');
  const { withConnection } = await import('../connect.ts');
  const { applyPlan } = await import('../applyPlan.ts');
  const { isSavedPlan, refuseOtherServer, savedPlanOrStop } = await import('../savedPlan.ts');
  const tools = toolbox();
  if (flags.resume !== undefined) {
    const { journalToResume, resumeRun } = await import('../resuming.ts');
    const journal = await journalToResume(flags.resume, path, io);
    const { server } = journal.plan;
    return withConnection(flags, server === undefined ? {} : { url: server }, io, transport =>
      resumeRun(tools, journal, transport, flags, io),
    );
  }
  if (flags.undo !== undefined) {
    const { undoRun } = await import('../undoing.ts');
    const { journalOrStop } = await import('../record/earlier.ts');
    const { projectOrStop } = await import('../apiProject.ts');
    const journal = await journalOrStop(flags.undo, io);
    const project = await projectOrStop(io, resolve(io.cwd, journal.plan.folder));
    return withConnection(flags, project, io, transport =>
      undoRun({ tools, journal, transport, project, io }, flags),
    );
  }
  if (isSavedPlan(path)) {
    const { planLine } = await import('../../report/summary.ts');
    const plan = await savedPlanOrStop(path, io);
    if (flags.format === 'text') say(io.stdout, planLine(plan));
    return withConnection(flags, {}, io, async transport => {
      refuseOtherServer(plan, transport.url, flags.anyServer === true);
      const { refuseOtherAccount } = await import('../applying.ts');
      await refuseOtherAccount(plan, tools, transport);
      return applyPlan({ tools, plan, transport, io }, flags);
    });
  }
  const { desiredOrStop } = await import('../desired.ts');
  const { planOrStop } = await import('../planning.ts');
  const { renderPlan } = await import('../render.ts');
  const { withRevision } = await import('../recordBase.ts');
  const { tellOfCutOff } = await import('../record/earlier.ts');
  const state = await desiredOrStop(tools, path, flags, io);
  return withConnection(flags, state.project, io, async transport => {
    await tellOfCutOff(path, transport.url, io);
    const planned = await planOrStop(tools, state, transport, flags, io);
    const plan = flags.recordBase ? await withRevision(planned, path, io) : planned;
    if (flags.format === 'text') io.stdout.write(renderPlan(plan, tools.kinds, 'text', io));
    return applyPlan({ tools, plan, transport, io }, flags);
  });
}
