// Flags of `apply` → what is asked of an apply: accepted hazards, secrets, the question, progress, interrupts.
import type { TransportOptions } from '../../api/transport/transport.ts';
import { isRefusal, type Refusal } from '../../apply/refusal.ts';
import type { Applied, ApplyRequest, ApplySecrets } from '../../apply/request.ts';
import { openFingerprints } from '../../apply/secrets/fingerprints.ts';
import { secretPlace } from '../../apply/secrets/place.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { InvariantError } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import { planText } from '../../report/plan/planText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from '../flags/flags.ts';
import { objectFlags } from '../flags/objectFlags.ts';
import { control, type Io } from '../io.ts';
import { secretSources } from '../secrets/sources.ts';
import { Stop } from '../stop.ts';
import { ended } from './ended.ts';
import { hostOf } from './notes.ts';
import { stopOf } from './refusals.ts';
import { type RunFormat, watching } from './watching.ts';

/** What an apply needs besides its plan. */
export interface ApplyFlags extends SourceFlags, AccountFlags, PlanFlags {
  readonly format: RunFormat;
  /** How much of the plan is shown before it is carried out. */
  readonly extent: Extent;
  readonly yes?: boolean;
  readonly autoApprove?: boolean;
  readonly onError: 'continue' | 'stop';
  readonly recordBase?: boolean;
  readonly anyServer?: boolean;
  /** The digest of the plan that was approved. */
  readonly digest?: string;
  /** The file that the run is written down in. */
  readonly journal?: string;
}

/** Who asks for an apply, and what is known before there is a plan. */
export interface Asking {
  readonly kinds: KindTable;
  readonly connection: TransportOptions;
  readonly flags: ApplyFlags;
  readonly io: Io;
  /** Whether the plan is printed before its preconditions are checked. */
  readonly isShown?: boolean;
  /** What is said in place of the result, where an earlier apply had done everything. */
  readonly onAlreadyApplied?: () => void;
}

/** Applies as the flags say, and prints the result. Resolves to the exit code; throws a `Stop`. */
export async function applyWith(
  { kinds, connection, flags, io, isShown = false, onAlreadyApplied }: Asking,
  apply: (request: ApplyRequest) => Promise<Applied | Refusal>,
): Promise<number> {
  const { format } = flags;
  const { allow, resolve } = objectFlags(flags, kinds);
  const watch = watching(format, io);
  const applied = await apply({
    ...{ kinds, connection, concurrency: flags.concurrency, onError: flags.onError },
    host: hostOf(io, { kinds, isText: format === 'text', extent: flags.extent }),
    secrets: secretsOf(flags, connection.token, io),
    ...{ allow, resolve },
    ...{ areTestsJudged: flags.tests ?? true, mayGainAccess: flags.newAccess ?? true },
    ...{ isAnyServer: flags.anyServer === true, recordBase: flags.recordBase === true },
    journal: flags.journal,
    confirm:
      flags.yes || flags.autoApprove ? undefined : plan => confirmed(plan, { kinds, flags }, io),
    ...watch.options,
  });
  if (isRefusal(applied)) throw stopOf(applied, io, isShown && format === 'text');
  if (applied.isAlreadyApplied && onAlreadyApplied) {
    onAlreadyApplied();
    return EXIT.done;
  }
  return ended(applied, { kinds, format, signal: watch.caught() }, io);
}

function secretsOf(flags: ApplyFlags, token: string, io: Io): ApplySecrets {
  const { cwd, env, stdout, stderr } = io;
  const { secretsTo, fingerprints, var: vars } = flags;
  const host = {
    ...{ cwd, env },
    stdout: (text: string) => stdout.write(text),
    stderr: (text: string) => stderr.write(text),
    command: (text: string) => control(stderr, text),
  };
  return {
    sources: folder => secretSources(folder, { vars, token }, io),
    place: secretsTo && secretPlace(secretsTo, host),
    fingerprints:
      fingerprints === undefined
        ? undefined
        : () => openFingerprints(fingerprints, { cwd, env, onSecret: key => io.secrets.add(key) }),
    known: io.secrets,
  };
}

/** Throws a `Stop` where nobody can be asked and nobody has answered: before the first request, so that nothing is read in vain. */
export function refuseUnasked({ yes, autoApprove }: ApplyFlags, { ask }: Io): void {
  if (yes || autoApprove || ask) return;
  const hint = 'review the plan with `meshform plan`, then add --yes';
  throw new Stop(EXIT.usage, 'there is no terminal to ask for confirmation', hint);
}

// Asks a person, where there is a terminal to ask at.
async function confirmed(
  plan: Plan,
  { kinds, flags }: Pick<Asking, 'kinds' | 'flags'>,
  io: Io,
): Promise<boolean> {
  if (!io.ask) throw new InvariantError('an apply began with nobody to ask');
  // As text the plan stands above the question, its counts last. A document on stdout has nothing that a person could read.
  const shown = () => planText(plan, kinds, styleFor(io.stderr, io), flags.extent);
  const above = flags.format === 'text' ? '' : shown();
  const answer = await io.ask(`${above}\nApply this plan? Type "yes" to continue: `);
  return answer.trim() === 'yes';
}
