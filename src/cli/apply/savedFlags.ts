// What a saved plan has settled already: a flag that would decide it otherwise is refused, not ignored.
import type { Command } from 'commander';
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** Flags of `apply` that go with a saved plan, or with the journal of one: how it is carried out, not what it does. */
const WITH_SAVED_PLAN: ReadonlySet<string> = new Set([
  ...[
    'allow',
    'anyServer',
    'autoApprove',
    'digest',
    'fingerprints',
    'format',
    'journal',
    'newAccess',
    'onError',
  ],
  ...['recordBase', 'resume', 'secretsTo', 'tests', 'yes'],
  // The connection.
  ...['url', 'tokenFile', 'caFile', 'timeout', 'concurrency', 'rate', 'deadline', 'verbose'],
]);

/** Throws a `Stop` where a flag is given that decides what a plan holds. */
export function refusePlanningFlags(command: Command): void {
  const given = command.options.filter(
    option =>
      command.getOptionValueSource(option.attributeName()) === 'cli' &&
      !WITH_SAVED_PLAN.has(option.attributeName()),
  );
  if (given.length === 0) return;
  const names = given.map(({ long, flags }) => quoted(long ?? flags)).join(', ');
  const [verb, it, they] = given.length === 1 ? ['does', 'it', 'it'] : ['do', 'them', 'they'];
  throw new Stop(
    EXIT.usage,
    `${names} ${verb} not work with a saved plan: the plan already contains what ${they} would decide`,
    `add ${it} to \`meshform plan --out FILE\`, and apply that plan`,
  );
}
