// `explain`: describes all kinds, a kind or a field, from the schemas.
import type { Command } from 'commander';
import { quoted } from '../../model/text/visible.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { withFormat } from '../flags/flags.ts';
import { Stop } from '../stop.ts';

interface ExplainFlags {
  readonly all?: boolean;
  readonly format: 'text' | 'markdown';
}

/** Adds the command. */
export function addExplain(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('explain')
    .argument(
      '[kind[.field]]',
      'such as group, policy.rules.protocol, for_each, or lifecycle.until',
    )
    .description(
      'explain a kind, a field or a word of the files: type, default, what the API does with it',
    )
    .option('--all', 'explain every kind at length');
  withFormat(command, ['text', 'markdown'])
    .addHelpText(
      'after',
      '\nExamples:\n  meshform explain\n  meshform explain policy\n  meshform explain policy.rules.ports\n  meshform explain templates' +
        '\n  meshform explain --all --format markdown',
    )
    .action(async (what: string | undefined, { all, format }: ExplainFlags) => {
      if (what !== undefined && all)
        throw new Stop(
          EXIT.usage,
          `\`--all\` explains every kind, not ${quoted(what)} alone`,
          'remove one of the two',
        );
      const { readKinds } = await import('../../kinds/registry.ts');
      const { explained, subjectOf } = await import('../files/explaining.ts');
      const kinds = readKinds();
      const one = what === undefined ? 'list' : subjectOf(what, kinds);
      io.stdout.write(explained(all ? 'all' : one, kinds, format, io));
      finish(EXIT.done);
    });
}
