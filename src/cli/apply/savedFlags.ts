// Decisions that a saved plan already contains: a flag that would change them is refused, not ignored.
import type { Command } from 'commander';
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** Flags of `apply` that are allowed with a saved plan or a journal: they decide how to apply it, not what it does. */
const WITH_SAVED_PLAN: ReadonlySet<string> = new Set([
  'allow',
  'anyServer',
  'autoApprove',
  'digest',
  'fingerprints',
  'format',
  'journal',
  'newAccess',
  'onError',
  'recordBase',
  'resume',
  'secretsTo',
  'tests',
  'yes',
  // The connection.
  'url',
  'tokenFile',
  'caFile',
  'timeout',
  'concurrency',
  'rate',
  'deadline',
  'verbose',
]);

/** Throws a `Stop` for a flag that would change the content of the plan. */
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
