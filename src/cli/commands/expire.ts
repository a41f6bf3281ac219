// `expire`: removes what has expired, on a schedule. Changes nothing else.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { ExpireFlags } from '../endings/expiring.ts';
import { type ExtentFlags, extentOf, withExtentFlags } from '../flags/extent.ts';
import { allowOption, withAccountFlags, withFormat, withSourceFlags } from '../flags/flags.ts';
import { withLockFlags } from '../flags/lockFlags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';

const NOTES = `
Removes from the account what has ended, and changes nothing else: it applies no other change of the files, and reverts no
change in the account. A different object of the same name stays, and is listed. Run the command on a schedule: nothing ends
without a run. Access tests are not judged.
Exit code 0: nothing that has ended is left. 4: something that has ended is left. 6: a guard refused,
or another run has the lock.

Encrypted files:
  sops decrypts a file only for the address of a webhook, even if nothing has ended, and for a value that is sent.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform expire network/ --yes
  meshform expire network/ --yes --write && git add -A network/grants && git commit -m 'Grants that have ended'`;

type Flags = Omit<ExpireFlags, 'extent'> & ExtentFlags;

/** Adds the command. */
export function addExpire(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('expire')).description(
    'remove from the account what has ended, and change nothing else',
  );
  const flagged = withAccountFlags(withSourceFlags(command))
    .optionsGroup('Guards:')
    .addOption(allowOption());
  withExtentFlags(withFormat(flagged, ['text', 'json', 'jsonl', 'comment']))
    .optionsGroup('Run:')
    .option('--yes', 'do not ask for confirmation')
    .option('--write', 'remove files under grants/ whose objects are all gone from the account')
    .option(
      '--base <revision|folder>',
      'the desired state of the last apply, which knows objects by their ids; `auto`, the default if a base is recorded, uses the recorded base',
    );
  withLockFlags(flagged)
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: Flags) => {
      const { path, ...named } = filesNamed(paths);
      const { expire } = await import('../endings/expiring.ts');
      const flags = { ...given, ...named, extent: extentOf(given, undefined) };
      finish(await expire(path, flags, io));
    });
}
