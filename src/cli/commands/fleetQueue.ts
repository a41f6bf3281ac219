// `fleet worker` and `fleet schedule`: rollouts that several workers carry out together.
import { type Command, InvalidArgumentError } from 'commander';
import { spanOf } from '../../model/text/duration.ts';
import type { CommandContext } from '../context.ts';
import { wholeNumber, withSecretsTo } from '../flags/flags.ts';
import { FLEET_PATH, withFleetApplies, withFleetConnections } from '../flags/fleetFlags.ts';
import type { ScheduleFlags } from '../fleet/queueing.ts';
import type { WorkerFlags } from '../fleet/working.ts';

const WORKER = `
A worker needs a checkout of the fleet, its credentials and the signing key, as an apply does. It takes jobs
until it gets SIGTERM or SIGINT; then it finishes the accounts that it has begun. A second signal ends it at once.

Examples:
  MESHFORM_DATABASE_URL=postgresql://db.example.com/meshform meshform fleet worker
  meshform fleet apply plans/ --digest sha256:3f0c… --queue`;

/** Adds the option with the database of the queue. */
export const withDatabase = (command: Command): Command =>
  command.option(
    '--database <url>',
    'the PostgreSQL database with the queue, without a password; default: MESHFORM_DATABASE_URL',
  );

/** Adds the commands of the queue. */
export function addFleetQueue(fleet: Command, context: CommandContext): void {
  addWorker(fleet, context);
  addSchedule(fleet, context);
}

function addWorker(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('worker')
    .argument(...FLEET_PATH)
    .description('run the jobs of a queue; any number of workers may share them')
    .addHelpText('after', WORKER);
  const working = withDatabase(withFleetConnections(command))
    .optionsGroup('Worker:')
    .option('--at-once <number>', 'how many accounts this worker has at a time', wholeNumber, 4)
    .option(
      '--plans <folder>',
      'the saved plans, if this machine has them: the worker does not make them again',
    )
    .option('--health <port>', 'answer GET /healthz on this port, at every address', portOf);
  withSecretsTo(withFleetApplies(working)).action(async (path: string, flags: WorkerFlags) => {
    const { workFleet } = await import('../fleet/working.ts');
    finish(await workFleet(path, flags, io));
  });
}

function addSchedule(fleet: Command, { io, finish }: CommandContext): void {
  const command = fleet
    .command('schedule')
    .argument('<what>', 'drift: the workers compare every account with its own layers', whatOf)
    .argument(...FLEET_PATH)
    .description('have the workers check all accounts for drift at an interval');
  withDatabase(command)
    .option('--every <duration>', 'how often, such as 15m, 1h or 1d', cronOf)
    .option('--off', 'stop the schedule')
    .action(async (_what: string, path: string, flags: ScheduleFlags) => {
      const { scheduleDrift } = await import('../fleet/queueing.ts');
      finish(await scheduleDrift(path, flags, io));
    });
}

// Refuses an empty word like other invalid words.
function whatOf(text: string): string {
  if (text !== 'drift' && text !== '') throw new InvalidArgumentError('It must be drift.');
  return text;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The cron expression of a duration that divides an hour or a day. */
export function cronOf(text: string): string {
  const span = spanOf(text) ?? 0;
  if (span === DAY) return '0 0 * * *';
  if (span > 0 && span % HOUR === 0 && DAY % span === 0)
    return span === HOUR ? '0 * * * *' : `0 */${span / HOUR} * * *`;
  if (span > 0 && span % MINUTE === 0 && HOUR % span === 0)
    return span === MINUTE ? '* * * * *' : `*/${span / MINUTE} * * * *`;
  throw new InvalidArgumentError('It must divide an hour or a day, such as 15m, 1h, 6h or 1d.');
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535 || port === 0)
    throw new InvalidArgumentError('It must be a port, from 1 to 65535.');
  return port;
}
