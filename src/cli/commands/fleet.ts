// `fleet`: one desired set, many accounts.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import {
  collect,
  withAccountFlags,
  withFormat,
  withPlanFlags,
  withSourceFlags,
  wholeNumber,
} from '../flags/flags.ts';
import type { PlanFleetFlags } from '../fleet/planning.ts';
import type { FileFlags, FleetDriftFlags } from '../fleet/checking.ts';
import type { ListFlags } from '../fleet/listing.ts';

const PATH = ['[path]', 'a folder with a fleet.yaml, or the file', '.'] as const;

const EXAMPLES = `
Credentials:
  MESHFORM_FLEET_CREDENTIALS names a file outside of the checkout: for each name its
  url, its token_env, and the variables that \${env:} may read in its files.

Examples:
  meshform fleet list
  meshform fleet plan --out plans/
  meshform fleet apply plans/ --digest sha256:3f0c…
  meshform fleet status`;

/** Adds the command and those below it. */
export function addFleet(program: Command, context: CommandContext): void {
  const fleet = program
    .command('fleet')
    .description('plan and apply one desired set for many accounts')
    .addHelpText('after', EXAMPLES);
  addList(fleet, context);
  addChecks(fleet, context);
  addPlan(fleet, context);
}

const withAccounts = (command: Command): Command =>
  command
    .optionsGroup('Fleet:')
    .option('--at-once <number>', 'how many accounts are looked at at a time', wholeNumber, 8)
    .option(
      '--account <name>',
      'only this account; `*` matches any text; may be repeated',
      collect,
    );

function addList(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('list')
    .argument(...PATH)
    .description('show the accounts of a fleet, their layers and their waves');
  withFormat(withAccounts(withAccountFlags(command)), ['text', 'json']).action(
    async (path: string, flags: ListFlags) => {
      const { listFleet } = await import('../fleet/listing.ts');
      finish(await listFleet(path, flags, io));
    },
  );
}

function addChecks(fleet: Command, { io, version, finish }: CommandContext): void {
  const validated = fleet
    .command('validate')
    .argument(...PATH)
    .description('check the fleet file and the files of every account, offline');
  withFormat(withAccounts(withSourceFlags(validated)), ['text', 'json'])
    .option('--lint', 'also report what is valid but probably unintended')
    .action(async (path: string, flags: FileFlags) => {
      const { validateFleet } = await import('../fleet/checking.ts');
      finish(await validateFleet(path, flags, { io, version }));
    });
  const tested = fleet
    .command('test')
    .argument(...PATH)
    .description('judge the access tests of every account, by its files alone');
  withFormat(withAccounts(withSourceFlags(tested)), ['text', 'json']).action(
    async (path: string, flags: FileFlags) => {
      const { testFleet } = await import('../fleet/checking.ts');
      finish(await testFleet(path, flags, io));
    },
  );
  const drifted = fleet
    .command('drift')
    .argument(...PATH)
    .description('compare every account with its own layers');
  withFormat(withAccounts(withAccountFlags(withSourceFlags(drifted))), ['text', 'json'])
    .option('--base <revision>', 'the desired state of the last apply; `auto` uses the recorded base')
    .action(async (path: string, flags: FleetDriftFlags) => {
      const { driftFleet } = await import('../fleet/checking.ts');
      finish(await driftFleet(path, flags, io));
    });
}

function addPlan(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('plan')
    .argument(...PATH)
    .description('show what an apply would change in every account, alike plans once');
  const planned = withAccounts(withPlanFlags(withAccountFlags(withSourceFlags(command))));
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
