// `runs`: lists the applies of an account, and shows one apply.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { type ExtentFlags, extentOf, withExtentFlags } from '../flags/extent.ts';
import { withFormat } from '../flags/flags.ts';
import type { RunsFlags } from '../runs/listing.ts';

const PATH = ['[path]', 'a folder of desired state, or one file', '.'] as const;

const EXAMPLES = `
Examples:
  meshform runs network/
  meshform runs network/ --format json
  meshform runs show 7d0c6f1e network/`;

/** Adds the command and its subcommand. */
export function addRuns(program: Command, { io, argv, finish }: CommandContext): void {
  const runs = program
    .command('runs')
    .description('list the last applies of the account: when, by whom, of what, with which outcome')
    .addHelpText('after', EXAMPLES);
  const list = runs.command('list', { isDefault: true }).argument(...PATH);
  withFormat(list.description('list the last applies of the account'), ['table', 'json']).action(
    async (path: string, flags: RunsFlags) => {
      const { listRuns } = await import('../runs/listing.ts');
      finish(await listRuns(path, flags, io));
    },
  );
  const show = runs
    .command('show')
    .argument('<run>', 'the run, as `runs` names it; its first eight characters are enough')
    .argument(...PATH);
  withExtentFlags(show.description('show the plan and the outcome of an apply')).action(
    async (run: string, path: string, flags: ExtentFlags) => {
      const { showRun } = await import('../runs/showing.ts');
      finish(await showRun({ run, path }, extentOf(flags, argv), io));
    },
  );
}
