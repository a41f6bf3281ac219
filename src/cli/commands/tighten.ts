// `tighten`: proposes to remove the access that nobody used, and writes it into the files.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withDialect, withFormat, withSourceFlags } from '../flags/flags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';
import type { TightenFlags } from '../usage/tightening.ts';

const NOTES = `
Nothing is sent to the account. Only findings that are certain are written; their access is not lost to any observed flow, and
nobody gains access (docs/tighten.md). The exit code is 0; with --strict it is 6 if there is a certain finding and it is not written.

Examples:
  meshform tighten network/
  meshform tighten network/ --write && git diff`;

/** Adds the command. */
export function addTighten(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('tighten')).description(
    'propose to remove access that nobody used',
  );
  withFormat(withDialect(withSourceFlags(command)), ['text', 'json', 'comment'])
    .option('--write', 'edit the files: remove what certain findings are about')
    .option('--details', 'list every finding, with flows that its removal would stop')
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: TightenFlags) => {
      const { tighten } = await import('../usage/tightening.ts');
      const { path, ...named } = filesNamed(paths);
      finish(await tighten(path, { ...given, ...named }, io));
    });
}
