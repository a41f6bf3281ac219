// Finds drift, attributes it, and reports it.

import { resolve } from 'node:path';
import type { Moment } from '../../api/events/time.ts';
import type { TransportOptions } from '../../api/transport/transport.ts';
import { unattributed } from '../../attribution/attribute.ts';
import { selected } from '../../engine/scope/selection.ts';
import type { Selection } from '../../engine/types/selection.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { findKind } from '../../kinds/lookup.ts';
import type { Attributions } from '../../model/audit/attribution.ts';
import type { ShownChange } from '../../model/change.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import type { ComparedAccount } from '../../model/comparedAccount.ts';
import { spanText } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { ReportedRun } from '../../model/reportedRun.ts';
import { shortRun } from '../../model/runName.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadSchemas, type Schemas } from '../../pipeline/schemas.ts';
import {
  accessKinds,
  type DriftReport,
  driftReport,
  unfinishedNotes,
} from '../../report/drift/drift.ts';
import type { DriftFormat } from '../../report/driftFormats.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import { pastMomentFrom } from '../events/eventTimes.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import { planOrStop } from '../files/planning.ts';
import { renderDrift } from '../files/planOutput.ts';
import { printFindings } from '../findings.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { leftUnfinished } from '../lock/leftUnfinished.ts';
import { type OpenedRuns, withSharedBases } from '../lock/sharedBases.ts';
import { asksAccount } from '../server/accountOf.ts';
import { withConnection } from '../server/connect.ts';
import { attributeDrift } from './attributing.ts';
import { type AttributedReport, type Watch, type WatchFlags, watchRun } from './watching.ts';

/** The flags of `drift`. */
export interface DriftFlags extends SourceFlags, AccountFlags, Selection, WatchFlags {
  readonly format: DriftFormat;
  /** How much of the report is shown. */
  readonly extent?: Extent;
  readonly since?: string;
  readonly own?: readonly string[];
}

/**
 * Reports drift; resolves to the exit code. If the account cannot be compared, a notification is
 * sent and the run is counted before it fails.
 */
export async function reportDrift(path: string, flags: DriftFlags, io: Io): Promise<number> {
  const report = await foundDrift(path, flags, io);
  const isHidden = report.plan.diagnostics.some(({ code }) => code === 'RUNS_NOT_VERIFIED');
  return report.open.length > 0 || isHidden ? EXIT.changes : EXIT.done;
}

/** Reports drift like `reportDrift`; resolves to the printed report. */
export async function foundDrift(
  path: string,
  flags: DriftFlags,
  io: Io,
): Promise<AttributedReport> {
  const watch = await watchRun(path, flags, io);
  let report: AttributedReport;
  try {
    report = await withSharedBases(path, flags, io, (own, runs) =>
      compared(path, { ...flags, runs }, watch, own),
    );
  } catch (error) {
    await watch.failed(error);
    throw error;
  }
  await watch.found(report);
  return report;
}

/** The flags, and the runs on all machines. */
export interface ComparedFlags extends DriftFlags {
  /** The applies on all machines. */
  readonly runs: OpenedRuns;
}

async function compared(
  path: string,
  flags: ComparedFlags,
  watch: Watch,
  io: Io,
): Promise<AttributedReport> {
  const tools = loadSchemas();
  const since =
    flags.since === undefined ? undefined : pastMomentFrom(flags.since, '--since', io.now());
  const state = await desiredOrStop(
    tools,
    path,
    {
      ...flags,
      isPlanned: true,
      isOnlyCompared: true,
      accountBehind: asksAccount(tools.kinds, flags, io),
    },
    io,
  );
  const report = await withConnection(flags, state.project, io, async own => {
    const connection = { ...own, dispatcher: watch.counted(own.dispatcher) };
    return attributedDrift({ tools, path, state, connection, since }, flags, io);
  });
  printFindings(report.findings, io);
  for (const note of unfinishedNotes(report)) say(io.stderr, note);
  const declared = state.desired.filter(selected(flags, tools.kinds));
  io.stdout.write(
    await renderDrift(report, declared, { format: flags.format, ...flags.extent }, io),
  );
  return report;
}

/** An account to compare with the files at a path. */
export interface DriftSearch {
  readonly tools: Schemas;
  readonly path: string;
  readonly state: DesiredState;
  readonly connection: TransportOptions;
  /** The time since which somebody may have caused the drift. */
  readonly since: Moment | undefined;
}

/** The drift of an account, with the users who caused it. */
export async function attributedDrift(
  { tools, path, state, connection, since }: DriftSearch,
  flags: ComparedFlags,
  io: Io,
): Promise<AttributedReport> {
  const { kinds } = tools;
  const reading = { kinds, connection, runs: flags.runs, isWhole: false };
  const { left, unfinished } = await leftByRuns(path, reading, io);
  const { found, account } = await driftFound(
    { tools, state: { ...state, left }, connection },
    flags,
    io,
  );
  const changes = [...found.open, ...found.acknowledged.map(({ change }) => change)];
  const isOfAccount = ({ address }: ShownChange) => !found.twice.has(address);
  const twice = changes.filter(change => !isOfAccount(change));
  const attributions = await attributeDrift(
    changes.filter(isOfAccount),
    connection,
    {
      kinds,
      account,
      path: resolve(io.cwd, path),
      folder: path,
      base: flags.base,
      own: flags.own ?? [],
      since,
      accountId: state.project.account,
      name: state.project.name,
    },
    io,
  );
  const unattributable = unattributed(twice, 'two folders declare it');
  const named = namingRuns(attributions, found);
  return { ...found, unfinished, attributions: new Map([...named, ...unattributable]) };
}

// The unfinished applies, and what they left in the account.
async function leftByRuns(
  path: string,
  reading: Omit<Parameters<typeof leftUnfinished>[1], 'onNoted'>,
  io: Io,
) {
  let unfinished: readonly ReportedRun[] = [];
  const onNoted = (runs: readonly ReportedRun[]) => {
    unfinished = runs;
  };
  const left = await leftUnfinished(path, { ...reading, onNoted }, io);
  return { left, unfinished };
}

// Names the unfinished apply as the cause of what it left, if the audit log names nobody.
const namingRuns = (attributions: Attributions, { left = new Map() }: DriftReport): Attributions =>
  new Map(
    [...attributions].map(([change, one]) => {
      const run = left.get(change.address);
      if (run === undefined || one.confidence !== 'none') return [change, one];
      const reason = `the apply ${shortRun(run)}, which was not finished, left it`;
      return [change, { confidence: 'none', reason }];
    }),
  );

const kindsNamed = (names: readonly string[], table: KindTable): ReadonlySet<KindName> =>
  new Set(names.flatMap(name => findKind(table, name)?.name ?? []));

/** Findings of a plan that the comparison tolerates. */
const TOLERATED = new Set([
  // A moved object is drift, although a plan cannot move it back.
  'OBJECT_IN_THE_WAY',
  'OBJECT_DUPLICATE',
  // Pending changes must not hide drift.
  'WAITS_OPEN',
  'GROUP_NAME_BLOCKED',
  'GRANT_REFUSED',
  // A missing lock is drift, although its secret is unknown.
  'SECRET_UNDEFINED',
] as const);

async function driftFound(
  account: Pick<DriftSearch, 'tools' | 'state' | 'connection'>,
  flags: ComparedFlags,
  io: Io,
): Promise<{ readonly found: DriftReport; readonly account: ComparedAccount }> {
  const isLimited = Boolean(flags.kinds ?? flags.only ?? flags.except);
  const { tools, state } = account;
  let compared: ComparedAccount | undefined;
  const { runs } = flags;
  const settings = {
    ...flags,
    journals: async () => (await runs())?.journals,
    prune: 'none' as const,
    allow: [],
    tolerated: TOLERATED,
    // A user who names kinds sees all objects of these kinds, declared or not.
    ...(flags.kinds && { watch: kindsNamed(flags.kinds, tools.kinds) }),
    ...(!isLimited && { watch: accessKinds(tools.kinds) }),
    onCompared: (found: ComparedAccount) => {
      compared = found;
    },
  };
  const plan = await planOrStop(account, settings, io);
  const planned = { ...state, diagnostics: plan.diagnostics };
  const entries = state.project.acknowledge ?? [];
  const found = driftReport(plan, {
    kinds: tools.kinds,
    entries,
    now: io.now(),
    // The files show which folders declare the same object. The account shows which names are parts
    // of an object that another folder declares.
    declaredTwice: [state, planned].flatMap(one => declaredAt(one, 'OBJECT_DUPLICATE')),
    nameTaken: declaredAt(planned, 'GROUP_NAME_BLOCKED'),
  });
  return { found, account: present(compared, 'the account that was compared') };
}

// The declarations at the positions of findings with this code.
function declaredAt(
  { desired, diagnostics }: Pick<DesiredState, 'desired' | 'diagnostics'>,
  asked: DiagnosticCode,
): readonly Desired[] {
  const places = new Set(
    diagnostics.flatMap(({ code, at }) => (code === asked && at ? spanText(at) : [])),
  );
  return desired.filter(({ at }) => places.has(spanText(at)));
}
