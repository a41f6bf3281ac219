// `studio`: serves a local page that follows the files while they are edited. With --live, reads
// the account, but writes nothing to it.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { portNumber, withReadingFlags, withSourceFlags } from '../flags/flags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';
import type { StudioFlags } from '../studio/studio.ts';

const NOTES = `
The page is for a browser on this machine: the server listens on 127.0.0.1 only, and the printed address contains a
token that is new at each start. No value of a secret is read, and nothing is written to an account.

Examples:
  meshform studio network/
  meshform studio --base main base/ production/
  meshform studio --live --base auto`;

/** Adds the command. */
export function addStudio(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('studio')).description(
    'while you edit the files, show findings, tests, access and changes of access on a local page',
  );
  withReadingFlags(withSourceFlags(command))
    .optionsGroup('Page:')
    .option('--port <number>', 'port on 127.0.0.1; 0 chooses a free port', portNumber, 0)
    .option('--live', 'show the account beside the files, with who changed what; read only')
    .option(
      '--base <revision|folder>',
      'what the files are compared with; `auto` uses the base that apply recorded; default: the last commit',
    )
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: StudioFlags) => {
      const { serveStudio } = await import('../studio/studio.ts');
      const { path, ...named } = filesNamed(paths);
      finish(await serveStudio(path, { ...given, ...named }, io));
    });
}
