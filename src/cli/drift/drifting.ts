// Finds drift, says who caused it, and reports it.
import { resolve } from 'node:path';
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import { selected } from '../../engine/scope/selection.ts';
import type { Selection } from '../../engine/types/selection.ts';
import type { ComparedAccount } from '../../model/compared.ts';
import { present } from '../../model/errors.ts';
import { type DesiredState, type Toolbox, toolbox } from '../../pipeline.ts';
import { accessKinds, type DriftReport, driftReport } from '../../report/drift/drift.ts';
import type { DriftFormat } from '../../report/drift/driftFormats.ts';
import { momentFrom } from '../events/eventTimes.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop, printFindings } from '../files/desired.ts';
import { planOrStop } from '../files/planning.ts';
import { renderDrift } from '../files/render.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { withConnection } from '../server/connect.ts';
import { attributeDrift } from './attributing.ts';

/** The flags of `drift`. */
export interface DriftFlags extends SourceFlags, AccountFlags, Selection {
  readonly format: DriftFormat;
  readonly since?: string;
  readonly own?: readonly string[];
}

/** Reports drift; resolves to the exit code. */
export async function reportDrift(path: string, flags: DriftFlags, io: Io): Promise<number> {
  const tools = toolbox();
  const since =
    flags.since === undefined ? undefined : momentFrom(flags.since, '--since', io.now());
  const state = await desiredOrStop(tools, path, flags, io);
  const report = await withConnection(flags, state.project, io, async connection => {
    const { found, account } = await driftFound(tools, state, connection, flags, io);
    const changes = [...found.open, ...found.acknowledged.map(({ change }) => change)];
    const attributions = await attributeDrift(
      changes,
      readTransport(connection),
      {
        ...{ kinds: tools.kinds, account, path: resolve(io.cwd, path), folder: path },
        ...{ base: flags.base, accountId: state.project.account, own: flags.own ?? [], since },
      },
      io,
    );
    return { ...found, attributions };
  });
  printFindings(report.findings, io);
  const declared = state.desired.filter(selected(flags, tools.kinds));
  io.stdout.write(await renderDrift(report, declared, flags.format, io));
  return report.open.length > 0 ? EXIT.changes : EXIT.done;
}

async function driftFound(
  tools: Toolbox,
  state: DesiredState,
  connection: TransportOptions,
  flags: DriftFlags,
  io: Io,
): Promise<{ readonly found: DriftReport; readonly account: ComparedAccount }> {
  const isLimited = Boolean(flags.kinds ?? flags.only ?? flags.except);
  let account: ComparedAccount | undefined;
  const settings = {
    ...{ ...flags, prune: 'none' as const, allow: [] },
    // That somebody moved an object is drift, although a plan would not know what to do about it.
    tolerated: new Set(['OBJECT_IN_THE_WAY'] as const),
    ...(!isLimited && { watch: accessKinds(tools.kinds) }),
    onCompared: (compared: ComparedAccount) => {
      account = compared;
    },
  };
  const plan = await planOrStop(tools, state, connection, settings, io);
  const entries = state.project.acknowledge ?? [];
  const found = driftReport(plan, tools.kinds, entries, io.now());
  return { found, account: present(account, 'the account that was compared') };
}
