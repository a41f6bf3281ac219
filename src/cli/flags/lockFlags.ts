// `--lock`, `--wait` and `--journal`: the flags of every command that takes the lock of an account.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { spanOf } from '../../model/text/duration.ts';

/** Adds the flags, under their own heading. */
export function withLockFlags(command: Command): Command {
  return command
    .optionsGroup('Lock and journal:')
    .addOption(
      new Option(
        '--lock <where>',
        'where the lock is: in the Git remote, which all machines share, or in a file of this machine',
      ).choices(['auto', 'git', 'file']),
    )
    .option('--wait <duration>', 'how long to wait for another apply to end, such as 10m', waitOf)
    .option('--journal <file>', 'write the journal to this file');
}

// Parses a wait. Unlike a lifetime, a wait may be zero.
function waitOf(text: string): number {
  const milliseconds = spanOf(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError('It takes a duration such as 90s, 10m or 2h.');
}
