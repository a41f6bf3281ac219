// `fleet`: applies one desired state to many accounts.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Shard } from '../../model/rollout.ts';
import type { CommandContext } from '../context.ts';
import {
  allowOption,
  collect,
  digestOf,
  wholeNumber,
  withFormat,
  withPlanFlags,
  withSecretsTo,
  withSourceFlags,
} from '../flags/flags.ts';
import {
  FLEET_PATH,
  withFleetAccounts,
  withFleetApplies,
  withFleetServers,
} from '../flags/fleetFlags.ts';
import type { ApplyFleetFlags } from '../fleet/applying.ts';
import type { FileFlags, FleetDriftFlags, FleetValidateFlags } from '../fleet/checking.ts';
import type { CompareFlags } from '../fleet/comparing.ts';
import type { ListFlags } from '../fleet/listing.ts';
import type { PlanFleetFlags } from '../fleet/planning.ts';
import type { StatusFlags } from '../fleet/status.ts';
import { addFleetQueue, withDatabase } from './fleetQueue.ts';

const EXAMPLES = `
Credentials:
  MESHFORM_FLEET_CREDENTIALS names a file outside the checkout: for each name its
  url, its token_env, and the variables that \${env:} may read in its files.

Examples:
  meshform fleet list
  meshform fleet plan --out plans/
  meshform fleet apply plans/ --digest sha256:3f0c…
  meshform fleet status`;

/** Adds the command and its subcommands. */
export function addFleet(program: Command, context: CommandContext): void {
  const fleet = program
    .command('fleet')
    .description('plan and apply one desired set for many accounts')
    .addHelpText('after', EXAMPLES);
  addList(fleet, context);
  addChecks(fleet, context);
  addPlan(fleet, context);
  addApply(fleet, context);
  addStatus(fleet, context);
  addCompare(fleet, context);
  addFleetQueue(fleet, context);
}

function addList(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('list')
    .argument(...FLEET_PATH)
    .description('show the accounts of a fleet, their layers and their waves');
  withFormat(withFleetAccounts(withFleetServers(command)), ['text', 'json']).action(
    async (path: string, flags: ListFlags) => {
      const { listFleet } = await import('../fleet/listing.ts');
      finish(await listFleet(path, flags, io));
    },
  );
}

function addChecks(fleet: Command, { io, version, finish }: CommandContext): void {
  const validated = fleet
    .command('validate')
    .argument(...FLEET_PATH)
    .description('check the fleet file and the files of every account, offline');
  withFormat(withFleetAccounts(withSourceFlags(validated)), ['text', 'json'])
    .option('--lint', 'also report what is valid but probably unintended')
    .action(async (path: string, flags: FleetValidateFlags) => {
      const { validateFleet } = await import('../fleet/checking.ts');
      finish(await validateFleet(path, flags, { io, version }));
    });
  const tested = fleet
    .command('test')
    .argument(...FLEET_PATH)
    .description('judge the access tests of every account, by its files alone');
  withFormat(withFleetAccounts(withSourceFlags(tested)), ['text', 'json']).action(
    async (path: string, flags: FileFlags) => {
      const { testFleet } = await import('../fleet/checking.ts');
      finish(await testFleet(path, flags, io));
    },
  );
  const drifted = fleet
    .command('drift')
    .argument(...FLEET_PATH)
    .description('compare every account with its own layers');
  withFormat(withFleetAccounts(withFleetServers(withSourceFlags(drifted))), [
    'text',
    'json',
    'junit',
  ])
    .option(
      '--base <revision>',
      'the desired state of the last apply; `auto` uses the recorded base',
    )
    .action(async (path: string, flags: FleetDriftFlags) => {
      const { driftFleet } = await import('../fleet/checking.ts');
      finish(await driftFleet(path, flags, io));
    });
}

function addPlan(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('plan')
    .argument(...FLEET_PATH)
    .description('show what an apply would change in every account, and equal plans only once');
  const planned = withFleetAccounts(withPlanFlags(withFleetServers(withSourceFlags(command))));
  withFormat(planned, ['text', 'json', 'comment', 'html'])
    .option('--record-base', 'check that an apply will be able to record the bases')
    .option('--out <folder>', 'save a plan for each account, and one digest for all')
    .option('--force', 'allow --out to replace the plans of a fleet')
    .option('--detailed-exitcode', 'exit 2 when there are changes')
    .action(async (path: string, flags: PlanFleetFlags) => {
      const { planFleet } = await import('../fleet/planning.ts');
      finish(await planFleet(path, flags, io));
    });
}

function addApply(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('apply')
    .argument('[path]', 'the folder with the plans; with --continue also the fleet', '.')
    .description('apply the saved plans of a fleet, wave by wave');
  const applied = withDatabase(withFleetServers(command))
    .optionsGroup('Rollout:')
    .option('--digest <digest>', 'apply the plans only if they have this digest', digestOf)
    .option('--yes', 'apply the plans without a digest')
    .option('--continue', 'continue the open rollout of the fleet')
    .option(
      '--accept <name>',
      'with --continue: continue although this account is not healthy; may be repeated',
      collect,
    )
    .addOption(
      new Option(
        '--abandon <reason>',
        'give up the open rollout: what was applied stays, and another rollout may begin',
      ).conflicts(['continue', 'accept', 'shard']),
    )
    .option(
      '--shard <i/n>',
      'apply one part of the accounts: the jobs of a matrix are 1/n to n/n',
      shardOf,
    )
    .option('--queue', 'give the accounts to the workers of a queue, and exit')
    .option('--at-once <number>', 'how many accounts are applied at a time', wholeNumber, 4)
    .option(
      '--notify',
      'send a notification to MESHFORM_NOTIFY_URL when the rollout starts, stops and ends',
    )
    .option('--notify-url-file <file>', 'file that contains the address')
    .option('--record-base', 'record the bases, even of plans that were made without this flag')
    .addOption(allowOption());
  withSecretsTo(withFleetApplies(applied)).action(async (path: string, flags: ApplyFleetFlags) => {
    const { applyFleet } = await import('../fleet/applying.ts');
    finish(await applyFleet(path, flags, io));
  });
}

function addStatus(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('status')
    .argument(...FLEET_PATH)
    .description('show the progress of the open rollout, and what to do next');
  withFormat(withDatabase(command), ['text', 'json', 'junit'])
    .option('--all', 'list every account, not only those that need somebody to act')
    .option('--html <file>', 'write a page with all accounts by wave')
    .option('--metrics <file>', 'write metrics for the textfile collector of Prometheus')
    .option('--force', 'allow --html and --metrics to replace other files')
    .option('--drift <file>', 'also show the drift that `fleet drift --format json` printed')
    .option('--once', 'at a terminal, print the status once instead of following a running rollout')
    .action(async (path: string, flags: StatusFlags) => {
      const { rolloutStatus } = await import('../fleet/status.ts');
      finish(await rolloutStatus(path, flags, io));
    });
}

function addCompare(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('compare')
    .argument('[account...]', 'the two accounts; with --baseline any number, by default all')
    .description('show how the files of two accounts differ');
  withFormat(withSourceFlags(command), ['text', 'json'])
    .option('--baseline', 'show what each account has in addition to its shared layers')
    .option('--fleet <path>', 'a folder with a fleet.yaml, or the file', '.')
    .option('--at-once <number>', 'how many accounts are read at a time', wholeNumber, 8)
    .action(async (names: readonly string[], flags: CompareFlags) => {
      const { compareFleet } = await import('../fleet/comparing.ts');
      finish(await compareFleet(names, flags, io));
    });
}

function shardOf(text: string): Shard {
  const [, index = '', of = ''] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  if (index === '' || Number(index) > Number(of))
    throw new InvalidArgumentError('It must be a part and the number of parts, such as 1/4.');
  return { index: Number(index), of: Number(of) };
}
