// `render`: prints what files declare, with all templates, `for_each`, layers and variables
// resolved.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { RenderFlags } from '../files/rendering.ts';
import { withFormat, withSourceFlags } from '../flags/flags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';

const NOTES = `
The output is a file of desired state that declares the same objects. Read again, it gives an empty plan. Secrets are printed
as references. A web address that is written in the files is masked, and meshform refuses to read a mask back.

Examples:
  meshform render network/
  meshform render --origin network/
  meshform render common/ production/ > production.yaml`;

/** Adds the command. */
export function addRender(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('render')).description(
    'print what files declare: templates, for_each, layers and variables filled in',
  );
  withFormat(withSourceFlags(command), ['yaml', 'json'])
    .option('--origin', 'also print the file and line where each value is written and used')
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: RenderFlags) => {
      const { renderFiles } = await import('../files/rendering.ts');
      const { path, ...named } = filesNamed(paths);
      finish(await renderFiles(path, { ...given, ...named }, io));
    });
}
