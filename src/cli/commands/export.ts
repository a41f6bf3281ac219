// `export`: writes the objects of an account as files that can be applied. Reads the account, but
// writes nothing to it.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { ExportFlags } from '../export/exportRun.ts';
import { listed } from '../flags/emptyFlags.ts';
import { withAccountFlags } from '../flags/flags.ts';
import { withVariables } from '../flags/variableFlags.ts';

const NOTES = `
Encrypted files:
  sops decrypts a file only for the address of a webhook.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform export --out network/
  meshform export --kinds groups,policies
  meshform export --only network/office --only policy/office
  meshform export --out network/ --except 'peer/*'
  meshform export --from-state terraform.tfstate --out network/ > removed.tf
  meshform export --check network/
  meshform export --state account.json

An export into existing files keeps their layout and comments: it changes what differs and adds what is new.`;

/** Adds the command. */
export function addExport(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('export')
    .description('write the objects of the account as desired state');
  withVariables(withAccountFlags(command).optionsGroup('Existing files:'))
    .optionsGroup('What:')
    .option('--kinds <names>', 'only these kinds, by name or by YAML key', listed('--kinds'))
    .option(
      '--only <kind/name>',
      'this object, and what nests in it; `*` is any text; may be repeated',
      collected,
    )
    .option('--except <kind/name>', 'leave this object out, and what nests in it', collected)
    .option(
      '--with-unknown-services',
      'also services if the audit log does not show who created them',
    )
    .option(
      '--from-state <file>',
      'the objects of this state of OpenTofu or Terraform (`-`: stdin); prints `removed` blocks',
    )
    .optionsGroup('Where:')
    .option('--out <place>', 'a folder with a file for each kind, a .yaml file, or - for stdout')
    .option('--force', 'allow --out to replace files that are not desired state')
    .option('--check <folder>', 'write nothing; exit 2 unless these files match the account')
    .option('--state <file>', 'save the API responses that access depends on, for `access --state`')
    .addHelpText('after', NOTES)
    .action(async (flags: ExportFlags) => {
      if (flags.state !== undefined) {
        const { exportState } = await import('../export/exportState.ts');
        return finish(await exportState(flags.state, flags, io));
      }
      const { exportOrCheck } = await import('../export/exporting.ts');
      finish(await exportOrCheck(flags, io));
    });
}

const collected = (value: string, before: readonly string[] = []): string[] => [...before, value];
