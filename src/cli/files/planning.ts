// Computes a plan for a command, or stops the command with every reason why there is none.
import type { UsedTraffic } from '../../access/gates/usedAccess.ts';
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { projectSettings } from '../../apply/projectSettings.ts';
import { markWith } from '../../apply/secrets/mark.ts';
import type { Selection } from '../../engine/types/selection.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { ComparedAccount } from '../../model/compared.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { SuggestedRenames } from '../../model/suggestedRename.ts';
import type { OnStates } from '../../pipeline/access/accessSettings.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { planDesired } from '../../pipeline/planning/planDesired.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { withEstimate } from '../../report/plan/duration.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from '../flags/flags.ts';
import { namedObjects, objectFlags } from '../flags/objectFlags.ts';
import type { Io } from '../io.ts';
import { progressOn } from '../progress.ts';
import type { AccessFlags } from '../refusals/gates.ts';
import { stopOf } from '../refusals/refusals.ts';
import { secretComparison } from '../secrets/fingerprints.ts';
import { Stop } from '../stop.ts';
import { doubtsOfBase, olderBaseNote } from './baseDoubts.ts';
import { type DocumentFlags, printIfInvalid } from './desired.ts';
import { findingsLeft, isHeld } from './heldFindings.ts';

/** How a command uses a plan that it does not apply. */
interface Tolerance {
  /** Errors that are reported without stopping the command. */
  readonly tolerated?: ReadonlySet<DiagnosticCode>;
  /** The plan undoes a run, which is its base. */
  readonly isUndo?: boolean;
}

/** Throws a `Stop` for flags that require `--base`. */
export function refuseWithoutBase({
  prune,
  resolve,
  base,
}: Pick<PlanFlags, 'prune' | 'resolve'> & Pick<SourceFlags, 'base'>): void {
  if (base !== undefined) return;
  const hint = 'add --base with the git revision or folder of the last apply';
  if (prune === 'removed')
    throw new Stop(EXIT.usage, '`--prune removed` needs a base to find what was removed', hint);
  if (resolve !== undefined)
    throw new Stop(EXIT.usage, '`--resolve` has no effect without a base', hint);
}

/** Whether an apply with these flags takes back all that the files do not declare any more. */
export const takesBackAll = ({
  prune,
  only,
  except,
  kinds,
}: Pick<PlanFlags, 'prune'> & Selection): boolean =>
  prune === 'removed' && only === undefined && except === undefined && kinds === undefined;

/** The plan for `state`, computed with a transport that can only read. */
export async function planOrStop(
  tools: Schemas,
  state: DesiredState,
  connection: TransportOptions,
  given: AccountFlags &
    PlanFlags &
    Pick<SourceFlags, 'base' | 'recordBase' | 'strict'> &
    DocumentFlags &
    Pick<PlanSettings, 'watch'> &
    Tolerance & {
      readonly access?: AccessFlags;
      readonly onStates?: OnStates;
      /** The flows that were in use. */
      readonly used?: UsedTraffic;
      readonly onCompared?: (account: ComparedAccount) => void;
      readonly isWritten?: boolean;
      /** Whether the plan only ends what has ended. */
      readonly onlyEnds?: boolean;
      /** How long before its end something is listed, in milliseconds. */
      readonly expiring?: number;
      /** Receives the renames that the plan suggests, also those of a plan with errors: they may be why it has them. */
      readonly onRenames?: ((renames: SuggestedRenames) => Promise<void>) | undefined;
      /** The journals of the applies on all machines; resolves to undefined if they do not count. */
      readonly journals?: () => Promise<SharedJournals | undefined>;
      /** Receives a plan that has errors only because objects that differ cannot be written: it has no actions. */
      readonly onUnwritable?: ((plan: Plan) => Promise<void>) | undefined;
      /** Receives the findings about the files that the plan leaves. */
      readonly onLeft?: (findings: readonly Diagnostic[]) => void;
    },
  io: Io,
): Promise<Plan> {
  const flags = objectFlags(given, tools.kinds);
  if (!given.isUndo) refuseWithoutBase(given);
  const isOtherSecret =
    flags.fingerprints && (await secretComparison(flags.fingerprints, state, io));
  const mark = markWith(connection.token, io.env);
  const progress = progressOn(io);
  const { access, guards, dialect, ...ofFiles } = projectSettings(state, {
    allow: flags.allow,
    mayGainAccess: flags.access?.newAccess ?? true,
    areTestsJudged: flags.access?.tests ?? true,
  });
  // Whoever only reports differences is held to no guards of access, and to no former guards.
  const judged = flags.access && {
    ...(guards && { guards }),
    access: {
      ...access,
      ...(flags.onStates && { onStates: flags.onStates }),
      ...(flags.used && { used: flags.used }),
    },
  };
  const plan = await planDesired(tools, state, readTransport(connection), {
    ...ofFiles,
    ...judged,
    dialect: flags.dialect ?? dialect,
    prune: flags.prune,
    resolve: flags.resolve,
    ...(flags.isUndo && { isUndo: true }),
    named: namedObjects(flags),
    select: selectionOf(flags),
    ...(flags.watch && { watch: flags.watch }),
    ...(flags.isWritten && { isWritten: true }),
    ...(flags.onlyEnds && { onlyEnds: true }),
    ...(flags.expiring !== undefined && { expiring: flags.expiring }),
    ...(flags.onRenames && { suggestRenames: true }),
    forget: flags.forget ?? [],
    recordBase: flags.recordBase ?? false,
    now: io.now(),
    rotate: flags.rotate,
    hasSink: flags.secretsTo !== undefined,
    ...(isOtherSecret && { isOtherSecret }),
    ...(mark && { mark }),
    onHidden: value => io.secrets.add(value),
    ...(flags.onCompared && { onCompared: flags.onCompared }),
    concurrency: flags.concurrency,
    onProgress: progress.fetching,
  }).finally(progress.clear);
  const { journals } = given;
  const { notes, older } = await doubtsOfBase(
    { plan, state, flags, journals },
    connection.token,
    io,
  );
  // A question whether a base can be recorded is answered like an apply, which has its own refusal.
  const isAsked = flags.recordBase === true && given.isWritten !== true;
  const doubts = older && !isAsked ? [...notes, olderBaseNote(older, io)] : notes;
  const left = findingsLeft(state, plan, { kinds: tools.kinds, isStrict: given.strict === true });
  flags.onLeft?.(left);
  const found = [...left, ...plan.diagnostics, ...doubts];
  printFindings(found, io);
  const diagnostics = [...state.diagnostics.filter(one => !isHeld(one)), ...found];
  const refusing = [...left, ...plan.diagnostics].filter(({ code }) => !flags.tolerated?.has(code));
  const isRefused = hasErrors(refusing);
  if (isRefused) printIfInvalid({ desired: state.desired, diagnostics }, flags, io);
  await flags.onRenames?.(plan.renames ?? NONE);
  if (hasErrors(plan.diagnostics) && plan.diagnostics.every(isOfWriting))
    await flags.onUnwritable?.(plan);
  stopOnErrors(refusing);
  if (older && isAsked) throw stopOf(older, io);
  if (diagnostics.length > 0) separate(io);
  const rate = connection.throttle?.rate() ?? null;
  const requests = withEstimate(plan.requests, { rate, concurrency: flags.concurrency });
  return { ...plan, requests, server: connection.url };
}

// Of an object that cannot be written without a secret that nobody declares, the differences are known all the same.
const isOfWriting = ({ severity, code }: Diagnostic): boolean =>
  severity !== 'error' || code === 'SECRET_UNDEFINED';

const NONE: SuggestedRenames = { suggested: [], alike: [] };

// On a terminal the plan follows the findings on the same screen.
function separate({ stdout, stderr }: Io): void {
  if (stdout.isTerminal && stderr.isTerminal) stderr.write('\n');
}

function selectionOf(flags: Selection): Selection {
  const { kinds, only, except } = flags;
  return {
    ...(kinds && { kinds }),
    ...(only && { only }),
    ...(except && { except }),
    ...(flags.withDependencies && { withDependencies: true }),
  };
}
