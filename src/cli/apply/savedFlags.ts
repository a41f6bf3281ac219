// Refuses flags that would change a decision in a saved plan.
import type { Command } from 'commander';
import { LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import type { Allowance } from '../../model/allowance.ts';
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/**
 * Flags of `apply` that are allowed with a saved plan or a journal, because they affect how the
 * plan is applied, not what it does.
 */
const WITH_SAVED_PLAN: ReadonlySet<string> = new Set([
  'abandon',
  'allow',
  'anyServer',
  'autoApprove',
  'digest',
  'fingerprints',
  'format',
  'journal',
  'keepLeft',
  'lock',
  'newAccess',
  'onError',
  'recordBase',
  'resume',
  'secretsTo',
  'since',
  'store',
  'tests',
  'wait',
  'yes',
  // The flags of the connection.
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
export function refusePlanningFlags(command: Command, allow: readonly Allowance[] = []): void {
  const options = command.options.filter(
    option =>
      command.getOptionValueSource(option.attributeName()) === 'cli' &&
      !WITH_SAVED_PLAN.has(option.attributeName()),
  );
  // The plan already contains which guards apply. So hazards are checked again, but guards are not.
  const isLoosening = allow.some(({ code }) => code === LOOSENS_GUARDS);
  const given = [
    ...options.map(({ long, flags }) => long ?? flags),
    ...(isLoosening ? [`--allow ${LOOSENS_GUARDS}`] : []),
  ];
  if (given.length === 0) return;
  const names = given.map(quoted).join(', ');
  const [verb, it, they] = given.length === 1 ? ['does', 'it', 'it'] : ['do', 'them', 'they'];
  throw new Stop(
    EXIT.usage,
    `${names} ${verb} not work with a saved plan: the plan already contains what ${they} would decide`,
    `add ${it} to \`meshform plan --out FILE\`, and apply that plan`,
  );
}
