// What the access of a plan is held against, and the refusal where it does not pass: tests, and access that may not be gained.
import { acceptedAccess, hazardsNow } from '../../access/gates/accepted.ts';
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import type { AccessGates, AccessGuards, AccessHazard } from '../../model/access/accessGates.ts';
import type { TestVerdict } from '../../model/access/accessTest.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Plan } from '../../model/plan.ts';
import { visible } from '../../model/text/visible.ts';
import type { DesiredState, Toolbox } from '../../pipeline.ts';
import type { AccessSettings } from '../../planAccess.ts';
import { testsLine } from '../../report/plan/planGatesText.ts';
import { counted } from '../../report/plan/summary.ts';
import { failureLines } from '../../report/tests/testText.ts';
import type { Project } from '../../source/project/project.ts';
import { progressOn } from '../apply/progress.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../files/desired.ts';
import type { AccountFlags, PlanFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';

/** What a run decides about its access; both are true unless `--no-…` is given. */
export type AccessFlags = Pick<PlanFlags, 'tests' | 'newAccess'>;

/** What the plan of a run is held against. */
export function gateSettings(
  { tests = true, newAccess = true }: AccessFlags,
  { accessTests, project }: Pick<DesiredState, 'accessTests' | 'project'>,
): Pick<AccessSettings, 'tests' | 'areTestsJudged' | 'guards'> {
  const guards = guardsOf(project, newAccess);
  return { tests: accessTests, areTestsJudged: tests, ...(guards && { guards }) };
}

function guardsOf(
  { access_thresholds: thresholds, guarded = [] }: Project,
  mayGain: boolean,
): AccessGuards | undefined {
  if (thresholds === undefined && guarded.length === 0 && mayGain) return undefined;
  return { ...(thresholds && { thresholds }), guarded, noNewAccess: !mayGain };
}

/** A saved plan, and the account that it is about to be carried out in. */
interface OnAccount {
  readonly plan: Plan;
  readonly tools: Toolbox;
  readonly transport: TransportOptions;
  readonly io: Io;
}

/**
 * The gates of a saved plan on the account as it is now. A plan with the tests left out keeps them left out: who approved it
 * has read so.
 */
export async function gatesOnAccount(
  { plan, tools, transport, io }: OnAccount,
  flags: AccessFlags & Pick<PlanFlags, 'allow'> & Pick<AccountFlags, 'concurrency'>,
  earlier?: EarlierRun,
): Promise<AccessGates | undefined> {
  const { tests = true, newAccess = true, allow = [], concurrency } = flags;
  if (plan.gates === undefined && newAccess) return undefined;
  const { gatesNow } = await import('../../planAccess.ts');
  const progress = progressOn(io);
  const { gates, findings } = await gatesNow(plan, tools.kinds, readTransport(transport), {
    ...{ dialect: dialectOf(plan), concurrency, onProgress: progress.fetching },
    ...{ areTestsJudged: tests, noNewAccess: !newAccess },
    allowances: { byFlag: allow, byProject: [] },
    done: new Set([...(earlier?.done.keys() ?? []), ...(earlier?.sent.keys() ?? [])]),
  }).finally(progress.clear);
  printFindings(findings, io);
  stopOnErrors(findings);
  return gates;
}

const dialectOf = ({ dialect }: Plan) => (dialect === 'netbird' ? 'netbird' : 'spec');

/** Says how the tests of a plan were judged again, or that they were not. */
export function tellTests(gates: AccessGates | undefined, isText: boolean, io: Io): void {
  if (gates?.tests === undefined) return;
  if (isText) say(io.stdout, testsLine(gates.tests));
  else if (gates.tests.verdicts === undefined) say(io.stderr, testsLine(gates.tests));
}

/** The refusal where a test fails, or access is gained that may not be. `isShown`: the plan has shown the details. */
export function gatesRefusal(gates: AccessGates | undefined, isShown: boolean): Stop | undefined {
  const failed = (gates?.tests?.verdicts ?? []).filter(({ failures }) => failures.length > 0);
  const gained = gates?.newAccess ?? [];
  if (failed.length + gained.length === 0) return undefined;
  const tests = failed.length > 0 ? [`${counted(failed.length, 'access test')} failed`] : [];
  const gains =
    gained.length > 0 ? ['the plan grants new access, which --no-new-access refuses'] : [];
  const hints = [
    ...(failed.length > 0 ? ['change the files until the tests pass'] : []),
    ...(gained.length > 0 ? ['remove the changes that widen access'] : []),
  ];
  return new Stop(EXIT.refused, `refused: ${[...tests, ...gains].join('; ')}`, hints.join('; '), [
    ...failed.flatMap(verdict => failedLines(verdict, isShown)),
    ...gained.map(text => `  + ${visible(text)}`),
  ]);
}

function failedLines({ name, failures }: TestVerdict, isShown: boolean): string[] {
  const details = isShown ? [] : failures.flatMap(failureLines).map(text => `    ${text}`);
  return [`  FAIL  ${visible(name)}`, ...details];
}

/** The hazards of access of a run, with what its flags accept. */
export function accessHazards(
  hazards: readonly AccessHazard[],
  allow: NonNullable<PlanFlags['allow']>,
): readonly AccessHazard[] {
  return hazardsNow(hazards, acceptedAccess(hazards, { byFlag: allow, byProject: [] }));
}
