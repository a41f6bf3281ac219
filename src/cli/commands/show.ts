// `show`: prints a saved plan in any format, without network or token.
import type { Command } from 'commander';
import { PLAN_FORMATS, type PlanFormat } from '../../report/planFormats.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type ExtentFlags, extentOf, withExtentFlags } from '../flags/extent.ts';
import { withFormat } from '../flags/flags.ts';

/** Adds the command. */
export function addShow(program: Command, { io, argv, finish }: CommandContext): void {
  const command = program
    .command('show')
    .argument('<file>', 'a plan that `plan --out` saved')
    .description('show a saved plan');
  withExtentFlags(withFormat(command, Object.keys(PLAN_FORMATS)))
    .addHelpText(
      'after',
      '\nExamples:\n  meshform show plan.json\n  meshform show plan.json --format markdown',
    )
    .action(async (file: string, flags: ExtentFlags & { readonly format: PlanFormat }) => {
      const { readKinds } = await import('../../kinds/registry.ts');
      const { planFileOrStop } = await import('../apply/savedPlan.ts');
      const { renderPlan } = await import('../files/planOutput.ts');
      const kinds = readKinds();
      const saved = await planFileOrStop(file, kinds, io);
      io.stdout.write(
        await renderPlan(saved, kinds, { format: flags.format, ...extentOf(flags, argv) }, io),
      );
      finish(EXIT.done);
    });
}
