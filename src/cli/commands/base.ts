// `base`: shows, records, signs and forgets the recorded base of a folder, and adopts the base of a
// folder that was moved.
import { type Command, Option } from 'commander';
import type { AdoptFlags } from '../base/adopting.ts';
import type { RecordFlags } from '../base/recording.ts';
import type { CommandContext } from '../context.ts';
import { digestOf, withFormat, withSourceFlags } from '../flags/flags.ts';

const PATH = ['[path]', 'a folder of desired state, or one file', '.'] as const;

const EXAMPLES = `
Examples:
  meshform base show network/
  meshform base adopt network overlay/
  meshform base sign network/ --digest sha256:3f0c…`;

/** Adds the command and its subcommands. */
export function addBase(program: Command, context: CommandContext): void {
  const base = program
    .command('base')
    .description('show, record, take over, sign or forget the recorded base of a folder')
    .addHelpText('after', EXAMPLES);
  addShow(base, context);
  addAdopt(base, context);
  addRecord(base, context);
  addForget(base, context);
  addSign(base, context);
}

function addShow(base: Command, { io, finish }: CommandContext): void {
  const show = base.command('show').argument(...PATH);
  withFormat(show.description('show what was recorded, and whether it is signed'), [
    'text',
    'json',
  ]).action(async (path: string, flags: { readonly format: 'text' | 'json' }) => {
    const { showBase } = await import('../base/showing.ts');
    finish(await showBase(path, flags, io));
  });
}

function addAdopt(base: Command, { io, finish }: CommandContext): void {
  const adopt = base
    .command('adopt')
    .argument('<name>', 'the name of the base: the former path of the folder, or its `name`')
    .argument(...PATH)
    .description('take over the base of a folder that was moved or renamed');
  withSourceFlags(adopt)
    .addOption(new Option('--yes', 'do not ask for confirmation'))
    .action(async (name: string, path: string, flags: AdoptFlags) => {
      const { adoptBase } = await import('../base/adopting.ts');
      finish(await adoptBase(name, path, flags, io));
    });
}

function addRecord(base: Command, { io, finish }: CommandContext): void {
  base
    .command('record')
    .argument(...PATH)
    .description('record the base of the last apply, if the push at its end failed')
    .option('--commit <commit>', 'record a base again that has this commit')
    .option('--as-newest', 'make that base the newest, for example after a backup was restored')
    .addOption(new Option('--yes', 'do not ask for confirmation'))
    .action(async (path: string, flags: RecordFlags) => {
      const { recordBase } = await import('../apply/recordLastBase.ts');
      finish(await recordBase(path, flags, io));
    });
}

function addForget(base: Command, { io, finish }: CommandContext): void {
  base
    .command('forget')
    .argument('<name>', 'the name of the base: the path of its folder, or its `name`')
    .argument(...PATH)
    .description('remove a base: what it alone declares stays in the account')
    .addOption(new Option('--yes', 'do not ask for confirmation'))
    .action(async (name: string, path: string, flags: { readonly yes?: boolean }) => {
      const { forgetBase } = await import('../base/forgetting.ts');
      finish(await forgetBase({ name, path }, flags, io));
    });
}

function addSign(base: Command, { io, finish }: CommandContext): void {
  base
    .command('sign')
    .argument(...PATH)
    .description('sign a base with the key of this run, after a change of key or token')
    .option(
      '--digest <digest>',
      'sign only the base with this digest, without a question',
      digestOf,
    )
    .action(async (path: string, { digest }: { readonly digest?: string }) => {
      const { signBase } = await import('../base/signing.ts');
      finish(await signBase(path, digest === undefined ? {} : { digest }, io));
    });
}
