// Asks a person whether to apply a plan. The answer is "yes", or the number of objects if everything is deleted.

import type { KindTable } from '../../kinds/kind.ts';
import { InvariantError } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import { planText } from '../../report/plan/planText.ts';
import { countChanges, counted } from '../../report/text/summary.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { DestroyFlag } from '../files/destroying.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import type { RunFormat } from './runObservers.ts';

/** The flags that determine how a plan is confirmed and shown. */
interface ConfirmFlags extends DestroyFlag {
  readonly format: RunFormat;
  readonly extent: Extent;
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
}

/** Asks for confirmation; undefined if the flags already confirm every plan. */
export function confirmation(
  kinds: KindTable,
  flags: ConfirmFlags,
  io: Io,
): ((plan: Plan, digest: string) => Promise<boolean>) | undefined {
  if (flags.destroy !== undefined)
    return (...made) => isDestructionMeant(made, { kinds, flags }, io);
  if (flags.yes || flags.autoApprove) return undefined;
  return async (...made) => {
    const answer = await asked(made, { kinds, flags }, 'Apply this plan? Type "yes"', io);
    return answer === 'yes';
  };
}

/** Throws a `Stop` if nobody can confirm the plan. Called before the first request. */
export function refuseUnasked(
  { yes, autoApprove, destroy }: Omit<ConfirmFlags, 'format' | 'extent'>,
  { ask }: Io,
): void {
  if (destroy !== undefined) {
    if (typeof destroy === 'number' || ask) return;
    const hint = 'run `meshform plan --destroy`, and add the number of objects: --destroy=NUMBER';
    throw new Stop(EXIT.usage, 'there is no terminal to ask how many objects are deleted', hint);
  }
  if (yes || autoApprove || ask) return;
  const hint =
    'review the plan with `meshform plan`, or a saved plan with `meshform show`, then add --yes';
  throw new Stop(EXIT.usage, 'there is no terminal to ask for confirmation', hint);
}

type Made = readonly [plan: Plan, digest: string];

interface Asking {
  readonly kinds: KindTable;
  readonly flags: ConfirmFlags;
}

// --yes does not answer this question: a script that always passes --yes does not know how much is deleted.
async function isDestructionMeant(made: Made, asking: Asking, io: Io): Promise<boolean> {
  const { destroy: count } = countChanges(made[0].changes);
  const { destroy } = asking.flags;
  if (typeof destroy !== 'number') {
    const question = 'This deletes everything that the files declared. Type the number of objects';
    return (await asked(made, asking, question, io)) === String(count);
  }
  if (destroy === count) return true;
  throw new Stop(
    EXIT.refused,
    `the plan deletes ${counted(count, 'object')}, and ${quoted(`--destroy=${destroy}`)} confirms ${destroy}`,
    'review the plan with `meshform plan --destroy`, and give the number at its end',
  );
}

async function asked(
  [plan, digest]: Made,
  { kinds, flags }: Asking,
  question: string,
  io: Io,
): Promise<string> {
  if (!io.ask) throw new InvariantError('an apply began with nobody to ask');
  // Text output has already shown the plan. A JSON document on stdout is hard to read, so the
  // question shows the plan as text.
  const shown = () => planText(plan, kinds, styleFor(io.stderr, io), { ...flags.extent, digest });
  const above = flags.format === 'text' ? '' : shown();
  return (await io.ask(`${above}\n${question} to continue: `, io.interrupts?.first)).trim();
}
