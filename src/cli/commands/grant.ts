// `grant`: writes a file of access that expires, for a review. Reads the account, but writes
// nothing to it.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { GrantFlags } from '../endings/granting.ts';
import { withAccountFlags, withSourceFlags } from '../flags/flags.ts';
import { lifetime } from '../flags/lifetime.ts';

const NOTES = `
Writes one file under grants/ with a policy that ends, shows the access that it gives, and says what to commit. If, with
this file, the files are not valid, exceed \`grants\` in meshform.yaml, or fail an access test, the file is removed again.

Encrypted files:
  sops decrypts a file only for the address of a webhook.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform grant from group/contractors to network_resource/prod/db:tcp/5432 --for 4h --reason "restore, ticket 1234"
  meshform grant from peer/mia to group/servers:tcp/22 network/ --for 30m --reason "disk is full"`;

/** Adds the command. */
export function addGrant(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('grant')
    .argument(
      '<grant...>',
      'from SELECTOR to SELECTOR, with ports such as :tcp/5432; then a folder, . by default',
    )
    .description('write a file that grants access for a time');
  withAccountFlags(withSourceFlags(command))
    .optionsGroup('Grant:')
    .requiredOption('--for <span>', 'how long it lasts from now, such as 4h', lifetime)
    .requiredOption('--reason <text>', 'why, for the review and the description of the policy')
    .addHelpText('after', NOTES)
    .action(async (words: readonly string[], flags: GrantFlags) => {
      const { grantAccess } = await import('../endings/granting.ts');
      finish(await grantAccess(words, flags, io));
    });
}
