// Computes a plan for a command, or stops the command with all reasons why there is no plan.
import type { UsedTraffic } from '../../access/gates/usedFindings.ts';
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { projectSettings } from '../../apply/projectSettings.ts';
import type { OlderBase } from '../../apply/refusal.ts';
import { markWith } from '../../apply/secrets/mark.ts';
import type { Selection } from '../../engine/types/selection.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { ComparedAccount } from '../../model/comparedAccount.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { SuggestedRenames } from '../../model/suggestedRename.ts';
import type { OnStates } from '../../pipeline/access/accessSettings.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { planDesired } from '../../pipeline/planning/planDesired.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { withEstimate } from '../../report/plan/runDuration.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { AccountFlags, PlanFlags, SourceFlags } from '../flags/flags.ts';
import { namedObjects, objectFlags } from '../flags/objectFlags.ts';
import type { Io } from '../io.ts';
import { progressOn } from '../progress.ts';
import type { AccessFlags } from '../refusals/gateRefusals.ts';
import { stopOf } from '../refusals/refusals.ts';
import { secretComparison } from '../secrets/fingerprintsFlag.ts';
import { Stop } from '../stop.ts';
import { doubtsOfBase, olderBaseNote } from './baseDoubts.ts';
import { type DocumentFlags, printIfInvalid } from './desired.ts';
import { findingsLeft, isHeld } from './heldFindings.ts';

/** The options that a command sets for a plan. */
interface PlanAsked
  extends AccountFlags,
    PlanFlags,
    Pick<SourceFlags, 'base' | 'recordBase' | 'strict'>,
    DocumentFlags,
    Pick<PlanSettings, 'watch'>,
    Tolerance {
  readonly access?: AccessFlags;
  readonly onStates?: OnStates;
  /** The flows that were in use. */
  readonly used?: UsedTraffic;
  readonly onCompared?: (account: ComparedAccount) => void;
  readonly isWritten?: boolean;
  /** Whether the plan only removes what has expired. */
  readonly onlyEnds?: boolean;
  /** How long before its expiry an object is listed, in milliseconds. */
  readonly expiring?: number;
  /**
   * Receives the renames that the plan suggests. It is also called for a plan with errors, because the renames may be the reason
   * for the errors.
   */
  readonly onRenames?: ((renames: SuggestedRenames) => Promise<void>) | undefined;
  /** The journals of the applies on all machines; resolves to undefined if they do not count. */
  readonly journals?: () => Promise<SharedJournals | undefined>;
  /**
   * Receives a plan without actions whose only errors are that differing objects cannot be written.
   */
  readonly onUnwritable?: ((plan: Plan) => Promise<void>) | undefined;
  /** Receives the findings about the files that the plan does not replace. */
  readonly onLeft?: (findings: readonly Diagnostic[]) => void;
}

/** Which errors of a plan a command tolerates, and whether the plan undoes an apply. */
interface Tolerance {
  /** Errors that are reported without stopping the command. */
  readonly tolerated?: ReadonlySet<DiagnosticCode>;
  /**
   * Whether the plan undoes an apply. If it does, its base is the state of the account after that
   * apply.
   */
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

/** Whether an apply with these flags removes everything that the files no longer declare. */
export const takesBackAll = ({
  prune,
  only,
  except,
  kinds,
}: Pick<PlanFlags, 'prune'> & Selection): boolean =>
  prune === 'removed' && only === undefined && except === undefined && kinds === undefined;

/** The plan for the desired state, computed over a transport that can only read. Throws a `Stop` if no plan is possible. */
export async function planOrStop(sources: Sources, given: PlanAsked, io: Io): Promise<Plan> {
  const { tools, state, connection } = sources;
  const asked = objectFlags(given, tools.kinds);
  if (!given.isUndo) refuseWithoutBase(given);
  const plan = await computed(sources, asked, io);
  const { notes, refusal } = await baseDoubts(plan, { state, connection }, given, io);
  const left = findingsLeft(state, plan, { kinds: tools.kinds, isStrict: given.strict === true });
  given.onLeft?.(left);
  const found = [...left, ...plan.diagnostics, ...notes];
  const isTolerated = (code: DiagnosticCode) => given.tolerated?.has(code) === true;
  // A tolerated finding does not stop the run, so it is not an error.
  printFindings(
    found.map(one => (isTolerated(one.code) ? { ...one, severity: milder(one) } : one)),
    io,
  );
  const diagnostics = [...state.diagnostics.filter(one => !isHeld(one)), ...found];
  const refusing = [...left, ...plan.diagnostics].filter(({ code }) => !isTolerated(code));
  if (hasErrors(refusing)) printIfInvalid({ desired: state.desired, diagnostics }, given, io);
  await given.onRenames?.(plan.renames ?? NONE);
  if (hasErrors(plan.diagnostics) && plan.diagnostics.every(isOfWriting))
    await given.onUnwritable?.(plan);
  stopOnErrors(refusing);
  if (refusal) throw stopOf(refusal, io);
  if (diagnostics.length > 0) separate(io);
  const rate = connection.throttle?.rate() ?? null;
  const requests = withEstimate(plan.requests, { rate, concurrency: given.concurrency });
  return { ...plan, requests, server: connection.url };
}

const milder = ({ severity }: Diagnostic): Diagnostic['severity'] =>
  severity === 'error' ? 'warning' : severity;

/** The desired state and the account of a plan. */
interface Sources {
  readonly tools: Schemas;
  readonly state: DesiredState;
  readonly connection: TransportOptions;
}

/** The options of the plan. Every object is written in the form in which names are compared. */
type NamedAsked = ReturnType<typeof objectFlags<PlanAsked>>;

async function computed(
  { tools, state, connection }: Sources,
  asked: NamedAsked,
  io: Io,
): Promise<Plan> {
  const isOtherSecret =
    asked.fingerprints && (await secretComparison(asked.fingerprints, state, io));
  const mark = markWith(connection.token, io.env);
  const progress = progressOn(io);
  const { dialect, ...ofProject } = projectConditions(state, asked);
  return planDesired(tools, state, readTransport(connection), {
    ...ofProject,
    dialect: asked.dialect ?? dialect,
    prune: asked.prune,
    resolve: asked.resolve,
    ...(asked.isUndo && { isUndo: true }),
    named: namedObjects(asked),
    select: selectionOf(asked),
    ...(asked.watch && { watch: asked.watch }),
    ...(asked.isWritten && { isWritten: true }),
    ...(asked.onlyEnds && { onlyEnds: true }),
    ...(asked.expiring !== undefined && { expiring: asked.expiring }),
    ...(asked.onRenames && { suggestRenames: true }),
    forget: asked.forget ?? [],
    recordBase: asked.recordBase ?? false,
    now: io.now(),
    rotate: asked.rotate,
    hasSink: asked.secretsTo !== undefined,
    ...(isOtherSecret && { isOtherSecret }),
    ...(mark && { mark }),
    onHidden: value => io.secrets.add(value),
    ...(asked.onCompared && { onCompared: asked.onCompared }),
    concurrency: asked.concurrency,
    onProgress: progress.fetching,
  }).finally(progress.clear);
}

function projectConditions(state: DesiredState, asked: NamedAsked) {
  const { access, guards, ...ofFiles } = projectSettings(state, {
    allow: asked.allow,
    mayGainAccess: asked.access?.newAccess ?? true,
    areTestsJudged: asked.access?.tests ?? true,
  });
  // A command that only reports differences applies neither the guards of access nor the former
  // guards.
  if (!asked.access) return ofFiles;
  return {
    ...ofFiles,
    ...(guards && { guards }),
    access: {
      ...access,
      ...(asked.onStates && { onStates: asked.onStates }),
      ...(asked.used && { used: asked.used }),
    },
  };
}

/**
 * The doubts about the base of a plan, as notes. If the user asks whether the base can be recorded,
 * a doubt may be a refusal.
 */
interface Doubts {
  readonly notes: readonly Diagnostic[];
  readonly refusal?: OlderBase;
}

async function baseDoubts(
  plan: Plan,
  { state, connection }: Omit<Sources, 'tools'>,
  asked: PlanAsked,
  io: Io,
): Promise<Doubts> {
  const { journals } = asked;
  const inUse = { plan, state, flags: asked, journals };
  const { notes, older } = await doubtsOfBase(inUse, connection.token, io);
  if (!older) return { notes };
  // A plan with `--record-base` that is not applied returns the refusal that its apply would
  // return. An apply makes this check itself.
  const isAsked = asked.recordBase === true && asked.isWritten !== true;
  return isAsked ? { notes, refusal: older } : { notes: [...notes, olderBaseNote(older, io)] };
}

// Whether a finding concerns only the write. The differences of an object are known even if the
// object cannot be written because a secret is not declared.
const isOfWriting = ({ severity, code }: Diagnostic): boolean =>
  severity !== 'error' || code === 'SECRET_UNDEFINED';

const NONE: SuggestedRenames = { suggested: [], alike: [], refused: [], unproven: [] };

// Prints an empty line on a terminal, where the findings and the plan are on the same screen.
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
