// `test`: judges the access tests of files, offline.
import type { Command } from 'commander';
import type { TestFlags } from '../access/testing.ts';
import type { CommandContext } from '../context.ts';
import { withDialect, withFormat, withSourceFlags } from '../flags/flags.ts';
import { moment } from '../flags/moment.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';

const EXAMPLES = `
Examples:
  meshform test network/
  meshform test --coverage
  meshform test --at 2026-12-02
  meshform test --format junit > access.xml`;

/** Adds the command. */
export function addTest(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('test')).description(
    'evaluate the access tests of the files offline; exit 6 when a test fails',
  );
  withFormat(withDialect(withSourceFlags(command)), ['text', 'json', 'junit'])
    .option('--at <time>', 'judge the files as they are at this time; default: now', moment)
    .option('--coverage', 'list the policies that no test covers')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], given: TestFlags) => {
      const { runTests } = await import('../access/testing.ts');
      const { path, ...named } = filesNamed(paths);
      finish(await runTests(path, { ...given, ...named }, io));
    });
}
