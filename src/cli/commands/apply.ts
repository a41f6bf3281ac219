// `apply`: applies the files or a saved plan to the account. No other command both plans and
// writes.
import { type Command, Option } from 'commander';
import type { Schemas } from '../../pipeline/schemas.ts';
import type { ApplyFlags } from '../apply/applyRequest.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type ExtentFlags, extentOf, withExtentFlags, wordsOfPlan } from '../flags/extent.ts';
import {
  BASE_GROUP,
  countOf,
  DESTROY,
  digestOf,
  withAccountFlags,
  withFormat,
  withPlanFlags,
  withSecretsTo,
  withSourceFlags,
} from '../flags/flags.ts';
import { withLockFlags } from '../flags/lockFlags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';
import { type StoreFlags, withStoreFlags } from '../flags/storeFlags.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

interface Flags extends Omit<ApplyFlags, 'extent' | 'used'>, ExtentFlags, StoreFlags {
  /** The journal to resume; true means the journal of the last run. */
  readonly resume?: string | true;
  /** The journal of the run to undo. */
  readonly undo?: string | true;
  /** The run to close. */
  readonly abandon?: string;
  /** Whether the objects that the abandoned run left should stay. */
  readonly keepLeft?: boolean;
}

const NOTES = `
Encrypted files:
  sops decrypts a file only for the address of a webhook, and for a value that is sent.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform apply network/
  meshform apply plan.json --yes
  meshform apply plan.json --digest sha256:3f0c… --yes
  meshform apply --rotate 'setup_key/ci runners' --secrets-to 'exec:vault kv put -mount=kv ci -'
  meshform apply --prune removed --base refs/remotes/origin/main --allow DELETES_OBJECT --yes
  meshform apply --prune removed --base auto --record-base --allow DELETES_OBJECT --yes
  meshform apply network/ --resume
  meshform apply network/ --undo
  meshform apply --undo 2026-03-01T09-30-00.000Z.jsonl`;

const DESTROY_COUNT = `${DESTROY}; the terminal asks for their number, or --destroy=NUMBER confirms it`;

/** Adds the command. */
export function addApply(program: Command, { io, argv, finish }: CommandContext): void {
  const command = withPaths(
    program.command('apply'),
    '; or a saved plan, - for a plan on standard input',
  ).description('change the account to match the files');
  const planned = withPlanFlags(withAccountFlags(withSourceFlags(command)));
  planned.optionsGroup(BASE_GROUP).option('--destroy [count]', DESTROY_COUNT, countOf);
  addRunOptions(
    withSecretsTo(withExtentFlags(withFormat(planned, ['text', 'json', 'jsonl', 'comment']))),
  );
  addEarlierRunOptions(withLockFlags(planned));
  withStoreFlags(planned, ['resume', 'undo', 'abandon'])
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], own: Flags, self: Command) => {
      const { path, ...named } = filesNamed(paths);
      const flags = { ...own, ...named };
      const { withFailureComment } = await import('../failureComments.ts');
      const asked = { command: 'apply', format: flags.format } as const;
      const given = { flags, argv, command: self };
      finish(await withFailureComment(asked, io, own => apply(path, given, own)));
    });
}

function addRunOptions(command: Command): void {
  command
    .option('--yes', 'do not ask for confirmation; --auto-approve, as in OpenTofu, is the same')
    .addOption(new Option('--auto-approve', 'the same as --yes').hideHelp())
    .addOption(
      new Option('--on-error <what>', 'after a failure, continue with independent actions, or stop')
        .choices(['continue', 'stop'])
        .default('continue'),
    )
    .option('--record-base', 'record the applied state in git, for `--base auto`')
    .option('--digest <digest>', 'apply a saved plan only if it has this digest', digestOf)
    .option(
      '--any-server',
      'this address leads to the server of the saved plan, and of the account at the Git remote',
    );
}

function addEarlierRunOptions(command: Command): void {
  command
    .option(
      '--resume [journal]',
      'continue an interrupted apply: the last apply, or the apply of this journal or run',
    )
    .addOption(
      new Option(
        '--undo [journal]',
        'plan to undo an apply: the last apply, or the apply of this journal or run',
      ).conflicts('resume'),
    )
    .addOption(
      new Option(
        '--abandon <run>',
        'close the journal of an apply that nobody continues; nothing is sent to the account',
      ).conflicts(['resume', 'undo']),
    )
    .option(
      '--keep-left',
      'with --abandon: keep what the apply left in the account, and name it in no later plan',
    );
}

interface ApplyRequest {
  readonly flags: Flags;
  readonly argv: readonly string[] | undefined;
  readonly command: Command;
}

async function apply(path: string, asked: ApplyRequest, io: Io): Promise<number> {
  const { argv, command } = asked;
  const { loadSchemas } = await import('../../pipeline/schemas.ts');
  const tools = loadSchemas();
  const { refusePlanningFlags } = await import('../apply/savedFlags.ts');
  const flags = { ...asked.flags, extent: extentOf(asked.flags, wordsOfPlan(argv, command)) };
  const { refuseSharedPlace } = await import('../apply/separateSecretsFile.ts');
  refuseSharedPlace(flags, io);
  if (flags.keepLeft && flags.abandon === undefined)
    throw new Stop(
      EXIT.usage,
      '`--keep-left` works only with `--abandon RUN`',
      '`meshform runs FOLDER` lists the applies',
    );
  const earlier = earlierApply(flags);
  if (earlier !== undefined) return continueApply(tools, { path, earlier }, asked, io);
  const { planTextAt, refusePlanAmong } = await import('../apply/savedPlan.ts');
  if (flags.layers) await refusePlanAmong([...flags.layers, path], io);
  const saved = flags.layers ? null : await planTextAt(path, io);
  const { usedTraffic } = await import('../usage/usedTraffic.ts');
  const used = await usedTraffic(flags, io);
  if (saved !== null) {
    const { applySaved } = await import('../apply/applySaved.ts');
    refusePlanningFlags(command, flags.allow);
    const shown = { ...flags, extent: extentOf(asked.flags, argv, path), ...(used && { used }) };
    return applySaved(tools, { ...saved, file: path }, shown, io);
  }
  const { applyFiles } = await import('../apply/applyFiles.ts');
  return applyFiles(tools, path, { ...flags, ...(used && { used }) }, io);
}

/** An earlier apply, and the operation on it; true means the last apply. */
type EarlierApply =
  | { readonly verb: 'resume' | 'undo'; readonly journal: string | true }
  | { readonly verb: 'abandon'; readonly run: string };

function earlierApply({ resume, undo, abandon }: Flags): EarlierApply | undefined {
  if (resume !== undefined) return { verb: 'resume', journal: resume };
  if (undo !== undefined) return { verb: 'undo', journal: undo };
  return abandon === undefined ? undefined : { verb: 'abandon', run: abandon };
}

interface EarlierRequest {
  readonly path: string;
  readonly earlier: EarlierApply;
}

/** Continues, undoes or closes an earlier apply. Reads no files of desired state, and reads the journals at the remote. */
async function continueApply(
  tools: Schemas,
  { path, earlier }: EarlierRequest,
  { flags: given, command }: ApplyRequest,
  io: Io,
): Promise<number> {
  const { refusePlanningFlags } = await import('../apply/savedFlags.ts');
  const { tellSecrets } = await import('../files/fileSecrets.ts');
  const flags = { ...given, extent: extentOf(given, undefined) };
  await tellSecrets(path, flags, io);
  switch (earlier.verb) {
    case 'resume': {
      refusePlanningFlags(command, flags.allow);
      const { resumeJournal } = await import('../apply/resuming.ts');
      return resumeJournal(tools, { resume: earlier.journal, path }, flags, io);
    }
    case 'undo': {
      const { undoJournal } = await import('../apply/undoing.ts');
      return undoJournal(tools, { undo: earlier.journal, path }, flags, io);
    }
    case 'abandon': {
      refusePlanningFlags(command);
      const { abandonRun } = await import('../apply/abandoning.ts');
      const { keepLeft = false } = flags;
      return abandonRun(tools.kinds, { abandon: earlier.run, path, keepLeft }, flags, io);
    }
  }
}
