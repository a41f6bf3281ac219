// `init`: creates a folder of files that can be planned at once.
import type { Command } from 'commander';
import { largest } from '../../model/text/longLists.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText } from '../../model/text/visible.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { say } from '../io.ts';

const EXAMPLES = `
Examples:
  meshform init network && cd network && meshform validate
  meshform init --update network`;

/** Adds the command. */
export function addInit(program: Command, { io, finish }: CommandContext): void {
  program
    .command('init')
    .argument('[folder]', 'folder for the new files', '.')
    .description('write first files of desired state, with a schema for editors')
    .option('--update', 'write only the schema for editors again, for files that exist')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, { update = false }: { readonly update?: boolean }) => {
      const { beginFolder, updateFolder } = await import('../files/initFiles.ts');
      if (update) {
        const { file, isChanged } = await updateFolder(folder, io);
        say(io.stdout, `${isChanged ? 'Updated' : 'Up to date'}: ${pathText(file)}`);
        return finish(EXIT.done);
      }
      const written = await beginFolder(folder, io);
      const files = written.map(file => `  ${pathText(file)}`);
      io.stdout.write([`Written:`, ...files, ...next(folder), ''].join('\n'));
      const { tellRemoteOf } = await import('../lock/probing.ts');
      await tellRemoteOf(folder, io);
      finish(EXIT.done);
    });
}

const SERVERS = [
  'meshform works with NetBird (cloud and self-hosted) and with servers that have the same Management API.',
  'It is not affiliated with NetBird.',
];

function next(folder: string): readonly string[] {
  const there = folder === '.' ? '' : ` ${shellWord(folder)}`;
  const steps = [
    [`meshform validate${there}`, 'check it, offline'],
    ['meshform emulator', 'start a test account; prints MESHFORM_URL and MESHFORM_TOKEN'],
    [`meshform plan${there}`, 'show what an apply would change'],
  ];
  const width = largest(
    0,
    steps.map(([command = '']) => command.length),
  );
  return [
    '',
    'Next:',
    ...steps.map(([command = '', what]) => `  ${command.padEnd(width)}  ${what}`),
    '',
    ...SERVERS,
  ];
}
