// `init`: a folder that a newcomer can plan at once.
import type { Command } from 'commander';
import { largest } from '../../model/text/many.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText } from '../../model/text/visible.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';

/** Adds the command. */
export function addInit(program: Command, { io, finish }: CommandContext): void {
  program
    .command('init')
    .argument('[folder]', 'folder for the new files', '.')
    .description('write first files of desired state, with a schema for editors')
    .addHelpText('after', '\nExample:\n  meshform init network && cd network && meshform validate')
    .action(async (folder: string) => {
      const { beginFolder } = await import('../files/begin.ts');
      const written = await beginFolder(folder, io);
      const files = written.map(file => `  ${pathText(file)}`);
      io.stdout.write([`Written:`, ...files, ...next(folder), ''].join('\n'));
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
