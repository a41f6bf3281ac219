// `explain`: a kind, or one of its fields, from its schema.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** Adds the command. */
export function addExplain(program: Command, { io, finish }: CommandContext): void {
  program
    .command('explain')
    .argument('[kind[.field]]', 'such as group, or policy.rules.protocol')
    .description('explain a kind or a field: type, default, what the API does with it')
    .addHelpText(
      'after',
      '\nExamples:\n  meshform explain\n  meshform explain policy\n  meshform explain policy.rules.ports',
    )
    .action(async (what: string | undefined) => {
      const { readKinds } = await import('../../kinds/registry.ts');
      const { fieldText, kindList, kindText } = await import('../../report/explainText.ts');
      const { didYouMean } = await import('../../model/nearest.ts');
      const { findField, findKind } = await import('../../kinds/lookup.ts');
      const { styleFor } = await import('../colour.ts');
      const kinds = readKinds();
      const style = styleFor(io.stdout, io);
      const [name = '', ...path] = what?.split('.') ?? [];
      const kind = findKind(kinds, name);
      if (what !== undefined && !kind) {
        const hint = didYouMean(name, kinds.keys()) ?? `one of: ${[...kinds.keys()].join(', ')}`;
        throw new Stop(EXIT.usage, `there is no kind \`${name}\``, hint);
      }
      const found = kind && findField(kind.shape, path);
      if (kind && found && 'unknown' in found) {
        const hint = didYouMean(found.unknown, found.known) ?? `one of: ${found.known.join(', ')}`;
        throw new Stop(EXIT.usage, `\`${kind.name}\` has no field \`${found.unknown}\``, hint);
      }
      if (!kind) io.stdout.write(kindList(kinds, style));
      else if (found && 'field' in found)
        io.stdout.write(fieldText(kind, path, found.field, style));
      else io.stdout.write(kindText(kind, style));
      finish(EXIT.done);
    });
}
