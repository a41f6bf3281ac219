// `completion`: prints the script for a shell. Also contains the hidden command that the scripts call for candidates.
import { Argument, type Command } from 'commander';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { allowEmptyArguments } from '../flags/emptyFlags.ts';

const EXAMPLES = `
Examples:
  source <(meshform completion bash)                    in ~/.bashrc
  source <(meshform completion zsh)                     in ~/.zshrc, after compinit
  meshform completion fish | source                     in ~/.config/fish/config.fish`;

/** Adds the command. */
export function addCompletion(program: Command, { io, finish }: CommandContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .description('print a script that completes commands, flags, kinds and names of objects')
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => {
      io.stdout.write(SCRIPTS[shell]);
      finish(EXIT.done);
    });
  allowEmptyArguments(program.command('complete', { hidden: true }))
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .argument('[words...]')
    .action(async (shell: Shell, words: readonly string[]) => {
      const { completed } = await import('../completion/completing.ts');
      const lines = await completed(program, shell, words, io);
      io.stdout.write(lines.map(line => `${line}\n`).join(''));
      finish(EXIT.done);
    });
}
