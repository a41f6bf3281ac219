// `drift`: compares the account with the files. Read-only; exits with 2 if they differ.
import type { Command } from 'commander';
import { DRIFT_FORMATS } from '../../report/driftFormats.ts';
import type { CommandContext } from '../context.ts';
import type { DriftFlags } from '../drift/drifting.ts';
import { type ExtentFlags, extentOf, withExtentFlags } from '../flags/extent.ts';
import {
  collect,
  wholeNumber,
  withAccountFlags,
  withFormat,
  withSelectionFlags,
  withSourceFlags,
} from '../flags/flags.ts';
import { lifetime } from '../flags/lifetime.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';

const NOTES = `
Encrypted files:
  sops decrypts a file only for the address of a webhook.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform drift network/
  meshform drift --base main --format json
  meshform drift --format junit > drift.xml
  meshform drift --notify --notify-state drift-state.json --notify-remind 24h`;

/** Adds the command. */
export function addDrift(program: Command, { io, argv, finish }: CommandContext): void {
  const command = withPaths(program.command('drift')).description(
    'report how the account differs from the files; exit 2 when it does',
  );
  const limited = withSelectionFlags(withAccountFlags(withSourceFlags(command)));
  withExtentFlags(withFormat(limited, Object.keys(DRIFT_FORMATS)))
    .option(
      '--base <revision|folder>',
      'the desired state of the last apply, or `auto`: report only what changed in the account since',
    )
    .option(
      '--since <time|span>',
      'attribute drift to changes since this time or for this duration: 2026-01-31T12:00:00Z, 7d; default: when the base was recorded, else all that the audit log shows',
    )
    .option(
      '--own <user>',
      'treat all changes of this user, by id, name or email, as changes of meshform; may be repeated',
      collect,
    )
    .option(
      '--metrics <file>',
      'write metrics of the run to this file, for the textfile collector of Prometheus',
    );
  withNotifyFlags(command)
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: DriftFlags & ExtentFlags) => {
      const { path, ...named } = filesNamed(paths);
      const flags = { ...given, ...named };
      const { reportDrift } = await import('../drift/drifting.ts');
      const { withFailureComment } = await import('../failureComments.ts');
      const asked = { command: 'drift', format: flags.format } as const;
      const extent = extentOf(flags, argv);
      finish(
        await withFailureComment(asked, io, own => reportDrift(path, { ...flags, extent }, own)),
      );
    });
}

function withNotifyFlags(command: Command): Command {
  return command
    .optionsGroup('Notification:')
    .option(
      '--notify',
      'send a message about drift, and about a run that could not read the account, to the web address in MESHFORM_NOTIFY_URL; MESHFORM_NOTIFY_SECRET signs it',
    )
    .option('--notify-url-file <file>', 'file that contains the address')
    .option(
      '--notify-state <file>',
      'file in which runs are counted: a message is sent when drift begins, grows and ends; default: every run with drift sends one',
    )
    .option(
      '--notify-after <number>',
      'send the first message after this many runs with drift in a row; default: 1',
      wholeNumber,
    )
    .option(
      '--notify-remind <span>',
      'send another message after this time while drift lasts, such as 24h',
      lifetime,
    );
}
