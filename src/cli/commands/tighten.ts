// `tighten`: proposes to remove access that nobody used, and writes the change into the files.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withDialect, withFormat, withSourceFlags } from '../flags/flags.ts';
import { lifetime } from '../flags/lifetime.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';
import type { TightenFlags } from '../usage/tightening.ts';

const NOTES = `
Nothing is sent to the account. --write edits the files only as findings in state \`certain\` propose: no observed flow
loses access, and nobody gains access (docs/tighten.md). The exit code is 0; with --strict it is 6 if a finding in
state \`certain\` is not written. 69: the store cannot be used, or nothing was observed.

Examples:
  meshform tighten network/ --store traffic/ --since 60d
  meshform tighten network/ --store traffic/ --write && git diff`;

/** Adds the command. */
export function addTighten(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('tighten')).description(
    'propose to remove access that nobody used',
  );
  withFormat(withDialect(withSourceFlags(command)), ['text', 'json', 'comment'])
    .option(
      '--store <folder>',
      'the observed traffic (`meshform observe`); without it, only duplicate rules are found',
    )
    .option(
      '--since <span>',
      'use only this duration up to the last observation, such as 30d',
      lifetime,
    )
    .option('--write', 'edit the files as the findings in state `certain` propose')
    .option('--details', 'list every finding, with flows that its removal would stop')
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: TightenFlags) => {
      const { tighten } = await import('../usage/tightening.ts');
      const { path, ...named } = filesNamed(paths);
      finish(await tighten(path, { ...given, ...named }, io));
    });
}
