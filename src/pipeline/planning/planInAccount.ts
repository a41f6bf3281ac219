// The steps from desired state to a plan: read the account, resolve names in it, plan the files, add the findings, and judge
// access.

import { acceptedByFiles } from '../../engine/checks/acceptedByFiles.ts';
import type { Planned } from '../../engine/plan/plan.ts';
import type { FoundEndings } from '../../engine/plan/planEndings.ts';
import { declaringNothing, type PlanInput } from '../../engine/scope/planInput.ts';
import type { Allowance } from '../../model/allowance.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { objectsOf } from '../../read/git/storedBases.ts';
import type { ReadableAccount } from '../access/readForAccess.ts';
import { declarationsOf } from '../names/declarations.ts';
import { type KnownNames, knownNames } from '../names/knownNames.ts';
import { plannedWithNames } from '../names/plannedWithNames.ts';
import type { UnreadAccount } from '../unreadAccount.ts';
import { accountToPlan } from './accountToPlan.ts';
import { forgottenLayers, notVerified } from './earlierApplies.ts';
import { endingsIn, endsWithFiles, formerEndsIn } from './endsToPlan.ts';
import { type FilesInput, filesInput, type NamedState } from './filesInput.ts';
import { planOfHarmlessEnds } from './harmlessEnds.ts';
import { notesAbout, withIdLabelsInMessages, withLoosenedGuards } from './planNotes.ts';
import type { PlanRequest, StateToPlan } from './planRequest.ts';
import { withRecordedContent } from './recordedContent.ts';
import { clockMissing, stateAtTime } from './stateAtTime.ts';
import { unusedAllowances } from './unusedAllowances.ts';

/** Reads the account, and plans the desired state against it. */
export async function planInAccount(
  given: StateToPlan,
  account: UnreadAccount,
  request: PlanRequest,
): Promise<Plan> {
  const { kinds, transport } = account;
  const state = stateAtTime(given, kinds, request.now);
  const { stored, left, folder } = state;
  const ids = stored?.base.ids ?? [];
  const declarations = declarationsOf({ ...state, ids }, kinds, request.mark);
  const read = await accountToPlan(declarations, { ...request, kinds, left }, transport);
  const { dialect, findings } = read.snapshot;
  if (hasErrors(findings)) {
    const { planWithout } = await import('../../engine/plan/planWithout.ts');
    return planWithout(read.snapshot, { desired: declarations.desired, folder });
  }
  const recordedNow = stored ? objectsOf(stored, kinds) : [];
  const lookup = { ...request, kinds, dialect, recordedNow, transport };
  const names = await knownNames(declarations, read.snapshot, lookup);
  const named = { ...state, declarations, names };
  const readable = { ...account, widen: widenWith(read.widen, names.marked) };
  const judged = request.onlyEnds
    ? await planOfHarmlessEnds(ends => judgedPlan(named, readable, { ...request, ...ends }))
    : await judgedPlan(named, readable, request);
  const { byFlag } = allowancesOf(request);
  const found = withLoosenedGuards(judged, byFlag);
  const unused = unusedAllowances(found, byFlag);
  return withIdLabelsInMessages({ ...found, diagnostics: [...found.diagnostics, ...unused] });
}

// Marks secret hosts in objects that are read later.
const widenWith =
  (widen: ReadableAccount['widen'], marked: KnownNames['marked']): ReadableAccount['widen'] =>
  async kinds => {
    const found = await widen(kinds);
    return { ...found, objects: marked(found.objects) };
  };

interface AskedOfEnds {
  readonly onGivingEnds?: (objects: readonly string[]) => void;
}

async function judgedPlan(
  named: NamedState,
  readable: UnreadAccount & ReadableAccount,
  request: PlanRequest & AskedOfEnds,
): Promise<Plan> {
  const planned = await plannedFiles(named, readable, request);
  const plan = await completedPlan(planned, request);
  return withAskedAccess({ ...planned, plan }, readable, request);
}

/** The plan, of all files or of removals only, and the input from which it was computed. */
interface PlannedFiles {
  readonly named: NamedState;
  readonly files: FilesInput;
  /** The input of the plan: all files, or only what has ended. */
  readonly input: PlanInput;
  readonly ending: FoundEndings | undefined;
  readonly found: Planned;
}

async function plannedFiles(
  named: NamedState,
  { kinds, transport }: UnreadAccount,
  request: PlanRequest,
): Promise<PlannedFiles> {
  const files = await filesInput(named, kinds, request);
  const skew = transport.skew?.();
  const ending = await endingsIn(files.input, named.endings, { ...request, skew });
  const input = request.onlyEnds ? (ending?.input ?? declaringNothing(files.input)) : files.input;
  const found = await plannedWithNames(input, named.names.ids, transport);
  request.onCompared?.({ objects: input.snapshot.objects, idOf: found.idOf });
  return { named, files, input, ending, found };
}

// The plan with the content of the next base, and with all its findings.
async function completedPlan(
  { named, files, input, ending, found }: PlannedFiles,
  request: PlanRequest,
): Promise<Plan> {
  const { names, before, unstored = [], layers, left, committed } = named;
  const { written, countedRuns } = names;
  const { held } = files;
  const content = withRecordedContent(found, input, { ...names, before, unstored, held });
  const ends = request.onlyEnds ? await endsWithFiles(content, files.input) : undefined;
  const plan = ends?.plan ?? content;
  const formerEnds = await formerEndsIn(input, plan, found.idOf);
  return {
    ...plan,
    ...(layers && { layers }),
    ...(committed && ('why' in committed ? { notCommitted: committed } : committed)),
    diagnostics: [
      ...names.input.snapshot.findings,
      ...notesAbout(input, { ...named, written, held, prune: request.prune }),
      ...(ends?.diagnostics ?? []),
      ...notVerified(left?.unverified ?? [], input.folder),
      ...forgottenLayers(named, request),
      ...plan.diagnostics,
      ...clockMissing(named, request.now),
      ...(ending?.diagnostics ?? []),
      ...acceptedByFiles(plan, input.kinds, allowancesOf(request)),
    ],
    ...(ending && { endings: ending.endings }),
    ...(formerEnds.length > 0 && { formerEnds }),
    ...(countedRuns.length > 0 && { countedRuns }),
  };
}

// The plan with its access, if the caller asks for the gates.
async function withAskedAccess(
  { plan, named, ending, found }: PlannedFiles & { readonly plan: Plan },
  { transport, ...readable }: UnreadAccount & ReadableAccount,
  request: PlanRequest & AskedOfEnds,
): Promise<Plan> {
  const { access, isOtherSecret, allow, resolve, hasSink = false, onGivingEnds } = request;
  if (access === undefined) return plan;
  const [{ withAccess }, { temporaryIn }] = await Promise.all([
    import('../access/withAccess.ts'),
    import('../auditLog.ts'),
  ]);
  const { names, declarations, isBaseApplied } = named;
  const { kinds } = readable;
  const computed = { ...found, plan, ids: names.idsEverywhere, meant: names.input.meant };
  return withAccess(computed, readable, {
    ...access,
    desired: declarations.desired,
    acceptance: { allow, hasSink, ...(resolve && { resolve }) },
    temporaryIn: (objects: readonly Live[]) => temporaryIn(objects, kinds, transport),
    ...(ending?.alone && { endings: ending.alone }),
    ...(onGivingEnds && { onGivingEnds }),
    isBaseUnapplied: isBaseApplied !== true,
    areSecretsCompared: isOtherSecret !== undefined,
  });
}

// Hazards that are accepted in advance.
function allowancesOf({
  access,
  allow,
  guards,
}: PlanRequest): Readonly<Record<'byFlag' | 'byProject', readonly Allowance[]>> {
  return {
    byFlag: access?.allowances.byFlag ?? allow,
    // If there is a base, hazards that the project file accepts are not accepted here, so that a
    // change cannot accept its own hazard.
    byProject: guards ? [] : (access?.allowances.byProject ?? []),
  };
}
