// `test`: judges the access tests of files, offline.
import type { Command } from 'commander';
import type { TestFlags } from '../access/testing.ts';
import type { CommandContext } from '../context.ts';
import { withDialect, withFormat, withSourceFlags } from '../flags/flags.ts';

const EXAMPLES = `
Examples:
  meshform test network/
  meshform test --coverage
  meshform test --format junit > access.xml`;

/** Adds the command. */
export function addTest(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('test')
    .argument('[path]', 'a folder of desired state, or one file', '.')
    .description('evaluate the access tests of the files offline; exit 6 when a test fails');
  withFormat(withDialect(withSourceFlags(command)), ['text', 'json', 'junit'])
    .option('--coverage', 'list the policies that no test covers')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: TestFlags) => {
      const { runTests } = await import('../access/testing.ts');
      finish(await runTests(path, flags, io));
    });
}
