// `drift`: how the account differs from the files. Read-only; exit 2 when it does.
import type { Command } from 'commander';
import { DRIFT_FORMATS } from '../../report/drift/driftFormats.ts';
import type { CommandContext } from '../context.ts';
import type { DriftFlags } from '../drift/drifting.ts';
import {
  collect,
  withAccountFlags,
  withFormat,
  withSelectionFlags,
  withSourceFlags,
} from '../flags/flags.ts';

const EXAMPLES = `
Examples:
  meshform drift network/
  meshform drift --base main --format json
  meshform drift --format junit > drift.xml`;

/** Adds the command. */
export function addDrift(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('drift')
    .argument('[path]', 'a folder of desired state, or one file', '.')
    .description('report how the account differs from the files; exit 2 when it does');
  const limited = withSelectionFlags(withAccountFlags(withSourceFlags(command)));
  withFormat(limited, Object.keys(DRIFT_FORMATS))
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
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: DriftFlags) => {
      const { reportDrift } = await import('../drift/drifting.ts');
      finish(await reportDrift(path, flags, io));
    });
}
