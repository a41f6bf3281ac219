// `apply`: makes the account what the files say, or carries out a saved plan. The one verb that writes.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PLAN_DIGEST } from '../../report/plan/planDigest.ts';
import type { ApplyFlags } from '../apply/applyRequest.ts';
import type { CommandContext } from '../context.ts';
import {
  withAccountFlags,
  withFormat,
  withPlanFlags,
  withSecretsTo,
  withSourceFlags,
} from '../flags/flags.ts';
import type { Io } from '../io.ts';

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
  meshform apply plan.json --digest sha256:3f0c… --yes
  meshform apply --rotate 'setup_key/ci runners' --secrets-to 'exec:vault kv put -mount=kv ci -'
  meshform apply --prune removed --base origin/main --allow DELETES_OBJECT --yes
  meshform apply --prune removed --base auto --record-base --allow DELETES_OBJECT --yes
  meshform apply network/ --resume
  meshform apply --undo .meshform/journal/2026-03-01T09-30-00.000Z.jsonl`;

/** Adds the command. */
export function addApply(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('apply')
    .argument(
      '[path]',
      'a folder of desired state, one file, or a saved plan; - for a plan that is piped in',
      '.',
    )
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
    .option('--digest <digest>', 'carry a saved plan out only if its digest is this one', oneDigest)
    .option('--any-server', 'carry a saved plan out at another address than it was made at')
    .option('--journal <file>', 'write down what is done here, not in .meshform/journal/')
    .option('--resume [journal]', 'go on with an apply that was cut off: the last one, or this')
    .addOption(
      new Option('--undo <journal>', 'plan the way back from what an apply has done').conflicts(
        'resume',
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: Flags, self: Command) => {
      finish(await apply(path, flags, self, io));
    });
}

function oneDigest(text: string): string {
  if (PLAN_DIGEST.test(text)) return text;
  throw new InvalidArgumentError('It is written sha256: and 64 hexadecimal digits.');
}

async function apply(path: string, flags: Flags, command: Command, io: Io): Promise<number> {
  const { toolbox } = await import('../../pipeline.ts');
  const tools = toolbox();
  const { refusePlanningFlags } = await import('../apply/savedFlags.ts');
  if (flags.resume !== undefined) {
    refusePlanningFlags(command);
    const { resumeJournal } = await import('../apply/resuming.ts');
    return resumeJournal(tools, { resume: flags.resume, path }, flags, io);
  }
  if (flags.undo !== undefined) {
    const { undoJournal } = await import('../apply/undoing.ts');
    return undoJournal(tools, { file: flags.undo, path }, flags, io);
  }
  const { planTextAt } = await import('../apply/savedPlan.ts');
  const saved = await planTextAt(path, io);
  if (saved !== null) {
    const { applySaved } = await import('../apply/applySaved.ts');
    refusePlanningFlags(command);
    return applySaved(tools, { ...saved, file: path }, flags, io);
  }
  const { applyFiles } = await import('../apply/applyFiles.ts');
  return applyFiles(tools, path, flags, io);
}
