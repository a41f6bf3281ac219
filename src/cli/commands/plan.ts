// `plan`: shows what an apply would do. Reads the account, writes nothing to it.
import { type Command, Option } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { SuggestedRenames } from '../../model/suggestedRename.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { PLAN_FORMATS, type PlanFormat } from '../../report/planFormats.ts';
import type { Observed } from '../../usage/observed.ts';
import type { PlanPage } from '../access/planPage.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { type ExtentFlags, extentOf, withExtentFlags } from '../flags/extent.ts';
import {
  type AccountFlags,
  BASE_GROUP,
  DESTROY,
  type PlanFlags,
  type SourceFlags,
  withAccountFlags,
  withFormat,
  withPlanFlags,
  withSourceFlags,
} from '../flags/flags.ts';
import { lifetime } from '../flags/lifetime.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';
import { type StoreFlags, withStoreFlags } from '../flags/storeFlags.ts';
import { type Io, say } from '../io.ts';
import type { OpenedRuns } from '../lock/sharedBases.ts';
import type { Output } from '../output.ts';
import { addPlanCheck } from './planCheck.ts';

interface Flags extends StoreFlags, SourceFlags, AccountFlags, PlanFlags, ExtentFlags {
  readonly destroy?: true;
  readonly format: PlanFormat;
  readonly out?: string;
  readonly html?: string;
  readonly force?: boolean;
  readonly detailedExitcode?: boolean;
  readonly adopt?: 'report';
  readonly expiring?: number;
  readonly suggestRenames?: boolean;
}

const NOTES = `
Encrypted files:
  sops decrypts a file only for the address of a webhook, and with --fingerprints.
  MESHFORM_SOPS_ALLOW lists the key services that it may ask.

Examples:
  meshform plan network/
  meshform plan base/ production/
  meshform plan --detailed-exitcode --out plan.json || code=$?
  meshform plan --html plan.html
  meshform plan --suggest-renames > renames.patch
  meshform plan --prune removed --base refs/remotes/origin/main --format markdown`;

/** Adds the command. */
export function addPlan(program: Command, { io, argv, finish }: CommandContext): void {
  const command = withPaths(program.command('plan'))
    .usage('[options] [path...]')
    .helpCommand(false)
    .description('show what an apply would change');
  const planned = withPlanFlags(withAccountFlags(withSourceFlags(command)));
  planned.optionsGroup(BASE_GROUP).option('--destroy', DESTROY);
  addOutputOptions(withExtentFlags(withFormat(planned, Object.keys(PLAN_FORMATS))));
  withStoreFlags(command)
    .addHelpText('after', NOTES)
    .action(async (paths: readonly string[], given: Flags) => {
      const { path, ...named } = filesNamed(paths);
      const flags = { ...given, ...named };
      const { withFailureComment } = await import('../failureComments.ts');
      const asked = { command: 'plan', format: flags.format } as const;
      const { withSharedBases } = await import('../lock/sharedBases.ts');
      const plan = (own: Io) =>
        withSharedBases(path, flags, own, (shared, runs) =>
          planFiles(path, { flags, argv, runs }, shared),
        );
      finish(await withFailureComment(asked, io, plan));
    });
  addPlanCheck(command, { io, finish });
}

function addOutputOptions(command: Command): void {
  command
    .option('--out <file>', 'save the plan, to show or apply it later')
    .option(
      '--html <file>',
      'write an HTML page with the plan and the access after it; - for stdout',
    )
    .option('--force', 'allow --out and --html to replace other files')
    .option('--record-base', 'check that `apply --record-base` will be able to record the base')
    .option('--expiring <span>', 'also list what ends within this time, such as 14d', lifetime)
    .option('--detailed-exitcode', 'exit 2 when there are changes')
    .addOption(
      new Option(
        '--adopt <what>',
        'report: instead of a plan, show how each declared object matches the account',
      )
        .choices(['report'])
        .conflicts('html'),
    )
    .optionsGroup('Renames:')
    .addOption(
      new Option(
        '--suggest-renames',
        'instead of a plan, print a patch for `git apply` that adds `was` to renamed objects',
      ).conflicts(['html', 'out', 'adopt', 'destroy', 'format', 'recordBase']),
    );
}

interface PlanRequest {
  readonly flags: Flags;
  readonly argv: readonly string[] | undefined;
  /** The applies on all machines. */
  readonly runs: OpenedRuns;
}

async function planFiles(path: string, request: PlanRequest, io: Io): Promise<number> {
  const { flags } = request;
  const { loadSchemas } = await import('../../pipeline/schemas.ts');
  const { desiredOrStop } = await import('../files/desired.ts');
  const { refuseDestroyWithout } = await import('../files/destroying.ts');
  const { asksAccount } = await import('../server/accountOf.ts');
  const tools = loadSchemas();
  const outputs = await planOutputs(flags, io);
  refuseDestroyWithout(flags);
  const { isSaved } = outputs;
  const isPlanned = flags.adopt === undefined;
  const accountBehind = asksAccount(tools.kinds, flags, io);
  const loading = { ...flags, isSaved, isPlanned, accountBehind };
  const state = await desiredOrStop(tools, path, loading, io);
  const files = { tools, path, state };
  if (flags.adopt === 'report') return reportAdoption(files, flags, io);
  const planning = { files, request, outputs };
  const computed = await computedPlan(planning, io);
  await showPlan(computed, planning, io);
  return exitOf(computed.plan, flags);
}

/** The outputs of a plan besides stdout. */
interface PlanOutputs {
  readonly output: Output | undefined;
  readonly page: PlanPage | undefined;
  /** Whether the plan can be applied from a file, or is printed as JSON to a pipe from which it can be applied. */
  readonly isDocument: boolean;
  /** Whether the plan contains what its apply would record. */
  readonly isSaved: boolean;
}

async function planOutputs(flags: Flags, io: Io): Promise<PlanOutputs> {
  const { planOutput } = await import('../files/planOutput.ts');
  const { refuseForceAlone } = await import('../output.ts');
  const { planPage } = await import('../access/planPage.ts');
  refuseForceAlone({ ...flags, out: flags.out ?? flags.html });
  const output = await planOutput(flags, io);
  const page = await planPage(flags, io);
  const isDocument = output !== undefined || flags.format === 'json';
  return { output, page, isDocument, isSaved: isDocument || flags.recordBase === true };
}

/** The files from which a plan is computed. */
interface PlannedFiles {
  readonly tools: Schemas;
  readonly path: string;
  readonly state: DesiredState;
}

async function reportAdoption(
  { tools, state }: PlannedFiles,
  flags: Flags,
  io: Io,
): Promise<number> {
  const { adoptionReport } = await import('../files/adoptionReport.ts');
  const { withConnection } = await import('../server/connect.ts');
  const report = await withConnection(flags, state.project, io, transport =>
    adoptionReport({ tools, state, connection: transport }, flags, io),
  );
  io.stdout.write(report);
  return EXIT.done;
}

interface ComputedPlan {
  readonly plan: Plan;
  /** The sentence about secrets that are missing. */
  readonly missing: string | undefined;
  /** The traffic in a store. */
  readonly observed: Observed | undefined;
}

/** The inputs of a plan, the options of the command, and the outputs of the plan. */
interface Planning {
  readonly files: PlannedFiles;
  readonly request: PlanRequest;
  readonly outputs: PlanOutputs;
}

async function computedPlan(
  { files: { tools, path, state }, request: { flags, runs }, outputs: { page } }: Planning,
  io: Io,
): Promise<ComputedPlan> {
  const { missingSecretsLine } = await import('../files/heldFindings.ts');
  const { renderPlan } = await import('../files/planOutput.ts');
  const { suggestRenames } = await import('../files/suggesting.ts');
  const { computePlan } = await import('../apply/computing.ts');
  const { usedIn } = await import('../usage/usedTraffic.ts');
  const { observedFrom } = await import('../usage/observedFrom.ts');
  let missing: string | undefined;
  const onLeft = (findings: readonly Diagnostic[]) => {
    missing = missingSecretsLine(findings);
  };
  const observed = await observedFrom(flags, io);
  const used = observed && usedIn(observed);
  const onRenames = flags.suggestRenames
    ? (renames: SuggestedRenames) => suggestRenames(renames, { tools, path, state, flags }, io)
    : undefined;
  const isForPeople = flags.format === 'text' || flags.format === 'markdown';
  // A plan that cannot be written has no actions. With its access, it would show the access of the
  // account as unchanged.
  const showUnwritable = async ({ access: _, gates: __, ...plan }: Plan) => {
    io.stdout.write(await renderPlan({ plan }, tools.kinds, { format: flags.format }, io));
  };
  const onUnwritable = isShown(flags) && isForPeople ? showUnwritable : undefined;
  const onStates = page?.onStates;
  const plan = await computePlan(
    tools,
    { path, state, runs, onStates, used, onLeft, onRenames, onUnwritable },
    flags,
    io,
  );
  return { plan, missing, observed };
}

/**
 * Writes the plan to its outputs. Throws a `Stop` if access that the plan changes must be allowed
 * first.
 */
async function showPlan(
  { plan, missing, observed }: ComputedPlan,
  { files: { tools, state }, request: { flags, argv }, outputs }: Planning,
  io: Io,
): Promise<void> {
  const { renderPlan, savePlan } = await import('../files/planOutput.ts');
  const { savedPlan } = await import('../../report/plan/savedPlan.ts');
  const { accessRefusal } = await import('../../apply/preconditions/gates.ts');
  const { stopOf } = await import('../refusals/refusals.ts');
  const { gatesWithLabels } = await import('../../report/plan/planWithLabels.ts');
  const { kinds } = tools;
  const refusal = accessRefusal(gatesWithLabels(plan.gates, plan));
  const saved = outputs.isDocument ? savedPlan(plan, kinds, io.now()) : undefined;
  const written = refusal === null ? outputs.output : undefined;
  if (written && saved) await savePlan(saved, written);
  // The digest is shown only if the plan is saved, because otherwise a person cannot approve
  // anything by the digest.
  const digest = written && saved?.digest;
  await outputs.page?.write(plan, { kinds, desired: state.desired, digest, observed });
  if (isShown(flags)) {
    const file = written && flags.out;
    const extent = { format: flags.format, ...extentOf(flags, argv, file) };
    const shown = { plan, digest, document: saved?.document };
    io.stdout.write(await renderPlan(shown, kinds, extent, io));
  }
  if (missing !== undefined) say(io.stderr, missing);
  if (refusal) throw stopOf(refusal, io, flags.format === 'text');
}

const isShown = ({ suggestRenames, html }: Flags): boolean => !suggestRenames && html !== '-';

const exitOf = ({ changes }: Plan, { detailedExitcode }: Flags): number =>
  detailedExitcode && changes.length > 0 ? EXIT.changes : EXIT.done;
