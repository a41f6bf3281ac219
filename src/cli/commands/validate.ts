// `validate`: runs all checks that need only the files, offline.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { ValidateFlags } from '../files/validating.ts';
import { withDialect, withFormat, withSourceFlags } from '../flags/flags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';

const NOTES = `
With --lint, valid files are also searched for rules, routes and names whose effect differs from their appearance
(docs/lints.md). Findings are warnings and the exit code is 0; with --strict they are errors and the exit code is 6.

Examples:
  meshform validate network/
  meshform validate --strict --format json
  meshform validate --lint --strict
  meshform validate --lint --format sarif > meshform.sarif`;

/** Adds the command. */
export function addValidate(program: Command, { io, version, finish }: CommandContext): void {
  const command = withPaths(program.command('validate')).description(
    'check files offline: YAML, schema, references',
  );
  withFormat(withDialect(withSourceFlags(command)), ['text', 'json', 'sarif'])
    .option(
      '--lint',
      'also report what is valid but probably unintended, with a code for each finding',
    )
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: ValidateFlags) => {
      const { validate } = await import('../files/validating.ts');
      const { path, ...named } = filesNamed(paths);
      finish(await validate(path, { ...given, ...named }, { io, version }));
    });
}
