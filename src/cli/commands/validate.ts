// `validate`: everything that files alone can tell, offline.
import type { Command } from 'commander';
import { hasErrors, spanText } from '../../model/diagnostic.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { styleFor } from '../colour.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type SourceFlags, withFormat, withSourceFlags } from '../flags.ts';
import { say } from '../io.ts';

interface Flags extends SourceFlags {
  readonly format: 'text' | 'json';
}

/** Adds the command. */
export function addValidate(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('validate')
    .argument('[path]', 'a folder of desired state, or one file', '.')
    .description('check files offline: YAML, schema, references');
  withFormat(withSourceFlags(command), ['text', 'json'])
    .addHelpText(
      'after',
      '\nExamples:\n  meshform validate network/\n  meshform validate --strict --format json',
    )
    .action(async (path: string, flags: Flags) => {
      const { loadDesired, toolbox } = await import('../../pipeline.ts');
      const { diagnosticCounts, diagnosticsText } = await import('../../report/diagnosticText.ts');
      const { findingsDocument } = await import('../../report/findingsDocument.ts');
      const { counted } = await import('../../report/summary.ts');
      const { loadRequest } = await import('../desired.ts');
      const { dialectFindings } = await import('../../engine/checks/dialectFindings.ts');
      const tools = toolbox();
      const request = loadRequest(path, flags, io);
      const { desired, project, diagnostics: found } = await loadDesired(tools, request);
      const { strict } = request;
      const { dialect } = project;
      // What is wrong on any server has been reported for that.
      const faulty = new Set(found.map(({ at }) => at && spanText(at)));
      const refused = dialectFindings(tools.kinds, desired, { dialect, strict });
      const diagnostics = [
        ...found,
        ...refused.filter(({ at }) => !faulty.has(at && spanText(at))),
      ];
      const isValid = !hasErrors(diagnostics);
      if (flags.format === 'json') {
        io.stdout.write(jsonText(findingsDocument(desired.length, diagnostics)));
      } else {
        const counts = diagnosticCounts(diagnostics);
        const verdict = isValid
          ? `Valid: ${counted(desired.length, 'object')} declared`
          : 'Not valid';
        io.stdout.write(diagnosticsText(diagnostics, styleFor(io.stdout, io)));
        say(io.stdout, `${verdict}${counts ? `; ${counts}` : ''}.`);
      }
      finish(isValid ? EXIT.done : EXIT.invalid);
    });
}
