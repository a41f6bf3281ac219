// `plan`: shows what an apply would do. Reads the account, writes nothing to it.
import { type Command, Option } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { SuggestedRenames } from '../../model/suggestedRename.ts';
import { PLAN_FORMATS, type PlanFormat } from '../../report/planFormats.ts';
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
  withExtentFlags(withFormat(planned, Object.keys(PLAN_FORMATS)))
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
        'report: no plan, but how each declared object matches the account',
      )
        .choices(['report'])
        .conflicts('html'),
    )
    .optionsGroup('Renames:')
    .addOption(
      new Option(
        '--suggest-renames',
        'no plan, but a patch for `git apply` that adds `was` to renamed objects',
      ).conflicts(['html', 'out', 'adopt', 'destroy', 'format', 'recordBase']),
    );
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

interface PlanRequest {
  readonly flags: Flags;
  readonly argv: readonly string[] | undefined;
  /** The applies on all machines. */
  readonly runs: OpenedRuns;
}

async function planFiles(
  path: string,
  { flags, argv, runs }: PlanRequest,
  io: Io,
): Promise<number> {
  const { loadSchemas } = await import('../../pipeline/schemas.ts');
  const { desiredOrStop } = await import('../files/desired.ts');
  const { refuseDestroyWithout } = await import('../files/destroying.ts');
  const { withConnection } = await import('../server/connect.ts');
  const { asksAccount } = await import('../server/accountOf.ts');
  const { missingSecretsLine } = await import('../files/heldFindings.ts');
  const { planOutput, renderPlan, savePlan } = await import('../files/render.ts');
  const { refuseForceAlone } = await import('../output.ts');
  const { planPage } = await import('../access/planPage.ts');
  const { savedPlan } = await import('../../report/plan/savedPlan.ts');
  const tools = loadSchemas();
  refuseForceAlone({ ...flags, out: flags.out ?? flags.html });
  const output = await planOutput(flags, io);
  const page = await planPage(flags, io);
  // A plan that is printed as JSON can be applied from a pipe.
  const isDocument = output !== undefined || flags.format === 'json';
  const isSaved = isDocument || flags.recordBase === true;
  const isPlanned = flags.adopt === undefined;
  refuseDestroyWithout(flags);
  const accountBehind = asksAccount(tools.kinds, flags, io);
  const loading = { ...flags, isSaved, isPlanned, accountBehind };
  const state = await desiredOrStop(tools, path, loading, io);
  if (flags.adopt === 'report') {
    const { adoptionReport } = await import('../files/adopting.ts');
    const report = await withConnection(flags, state.project, io, transport =>
      adoptionReport(tools, state, transport, flags, io),
    );
    io.stdout.write(report);
    return EXIT.done;
  }
  let missing: string | undefined;
  const { computePlan } = await import('../apply/computing.ts');
  const onLeft = (findings: readonly Diagnostic[]) => {
    missing = missingSecretsLine(findings);
  };
  const onStates = page?.onStates;
  const { usedIn } = await import('../usage/usedTraffic.ts');
  const { observedFrom } = await import('../usage/observedFrom.ts');
  const observed = await observedFrom(flags, io);
  const used = observed && usedIn(observed);
  const { suggestRenames } = await import('../files/suggesting.ts');
  const onRenames = flags.suggestRenames
    ? (renames: SuggestedRenames) => suggestRenames(renames, { tools, path, state, flags }, io)
    : undefined;
  const isShown = !flags.suggestRenames && flags.html !== '-';
  const isForPeople = flags.format === 'text' || flags.format === 'markdown';
  // It has no actions, so the access of the account would be shown as unchanged.
  const showUnwritable = async ({ access: _, gates: __, ...plan }: Plan) => {
    io.stdout.write(await renderPlan({ plan }, tools.kinds, { format: flags.format }, io));
  };
  const onUnwritable = isShown && isForPeople ? showUnwritable : undefined;
  const plan = await computePlan(
    tools,
    { path, state, runs, isSaved, onStates, used, onLeft, onRenames, onUnwritable },
    flags,
    io,
  );
  const { accessRefusal } = await import('../../apply/preconditions/gates.ts');
  const { stopOf } = await import('../refusals/refusals.ts');
  const { gatesForPeople } = await import('../../report/plan/forPeople.ts');
  const refusal = accessRefusal(gatesForPeople(plan.gates, plan));
  const saved = isDocument ? savedPlan(plan, tools.kinds, io.now()) : undefined;
  const written = refusal === null ? output : undefined;
  if (written && saved) await savePlan(saved, written);
  // Without a file there is nothing that a person could approve by the digest.
  const digest = written && saved?.digest;
  await page?.write(plan, { kinds: tools.kinds, desired: state.desired, digest, observed });
  if (isShown) {
    const file = written && flags.out;
    const extent = { format: flags.format, ...extentOf(flags, argv, file) };
    const shown = { plan, digest, document: saved?.document };
    io.stdout.write(await renderPlan(shown, tools.kinds, extent, io));
  }
  if (missing !== undefined) say(io.stderr, missing);
  if (refusal) throw stopOf(refusal, io, flags.format === 'text');
  return exitOf(plan, flags);
}

const exitOf = ({ changes }: Plan, { detailedExitcode }: Flags): number =>
  detailedExitcode && changes.length > 0 ? EXIT.changes : EXIT.done;
