// `plan check`: checks whether a saved plan still matches the account, for merge queues and required checks. Writes nothing.
import type { Command } from 'commander';
import { quoted } from '../../model/text/visible.ts';
import type { CheckFlags } from '../apply/checkPlan.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { digestOf, withAccountFlags, withFormat } from '../flags/flags.ts';
import { type StoreFlags, withStoreFlags } from '../flags/storeFlags.ts';
import { Stop } from '../stop.ts';

const NOTES = `
Makes the checks that an apply makes before its first write, with a read-only token and without a lock.
Exit code 0: the plan is fresh. 3: the file is not a plan. 5: the plan is stale, or the plan of \`--same-as\` does something else;
every stale object and every difference is listed.
6: the plan is for another account or server, an access test fails now, or the plan has a hazard of access now that it did not show.
The flags that an apply of the plan needs are printed, and do not change the exit code. The recorded base and journals are not checked, because
they belong to the job that applies: \`apply\` refuses a plan with an older base, and a plan that was applied already.
A folder named "check" is planned with \`meshform plan ./check\`.

Encrypted files:
  sops decrypts a file only for the address of a webhook.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform plan check plan.json
  meshform plan check plan.json --digest sha256:3f0c…
  meshform plan check plan.json --same-as made-now.json
  meshform plan check plan.json --format json`;

/** Adds the command below `plan`. */
export function addPlanCheck(
  plan: Command,
  { io, finish }: Pick<CommandContext, 'io' | 'finish'>,
): void {
  const command = plan
    .command('check')
    .argument('<file>', 'a plan that `plan --out` saved; - for a plan on standard input')
    .description('check whether a saved plan still matches the account; exit 5 when it does not');
  withFormat(withAccountFlags(command), ['text', 'json'])
    .option('--digest <digest>', 'refuse a plan that does not have this digest', digestOf)
    .option('--same-as <file>', 'fail unless this saved plan does the same; exit 5')
    .option('--any-server', 'check at a different address from the address the plan was made for')
    .option('--no-tests', 'skip the access tests of the plan');
  withStoreFlags(command)
    .addHelpText('after', NOTES)
    .action(async (file: string) => {
      takeFlags(plan, command);
      const { checkPlan } = await import('../apply/checkPlan.ts');
      const { usedTraffic } = await import('../usage/usedTraffic.ts');
      const flags = command.opts<CheckFlags & StoreFlags>();
      const used = await usedTraffic(flags, io);
      finish(await checkPlan(file, { ...flags, used }, io));
    });
}

// Gives `check` its flags. If both commands have a flag, Commander assigns it to `plan`, wherever
// the user writes it. Commander also assigns flags to `plan` that only `plan` has; these are
// refused here.
function takeFlags(plan: Command, check: Command): void {
  for (const option of plan.options) {
    const name = option.attributeName();
    if (plan.getOptionValueSource(name) !== 'cli') continue;
    const flag = option.long ?? option.flags;
    const own = check.options.find(one => one.attributeName() === name);
    const value = plan.getOptionValue(name);
    if (own === undefined)
      throw new Stop(
        EXIT.usage,
        `${quoted(flag)} does not work with ${quoted('plan check')}: the plan already contains what it would decide`,
        'remove it, or create a new plan with it',
      );
    if (own.argChoices && !own.argChoices.includes(value))
      throw new Stop(
        EXIT.usage,
        `${quoted(`${flag} ${value}`)} does not work with ${quoted('plan check')}`,
        `its formats are: ${own.argChoices.join(', ')}`,
      );
    check.setOptionValueWithSource(name, value, 'cli');
  }
}
