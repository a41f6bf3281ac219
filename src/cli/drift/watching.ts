// Observed runs of `drift`. For every run, whether it succeeds or fails, notifications are sent and
// metrics are written.
import type { Dispatcher } from 'undici';
import type { Attributions } from '../../model/audit/attribution.ts';
import { attributionDocument, attributionText } from '../../report/drift/attribution.ts';
import { type DriftReport, driftLine, whatOf } from '../../report/drift/drift.ts';
import type { DriftedObject } from '../../watch/message.ts';
import type { Io } from '../io.ts';
import { withPlaceStop } from '../refusals/placeStop.ts';
import { Stop } from '../stop.ts';
import { counting, meterFor } from './metering.ts';
import { type NotifyFlags, notifierFor } from './notifying.ts';

/** The flags of an observed run. */
export interface WatchFlags extends NotifyFlags {
  readonly url?: string;
  readonly metrics?: string;
}

/** A report, with the names of the users who caused the drift. */
export type AttributedReport = DriftReport & { readonly attributions: Attributions };

/** An observed run. */
export interface Watch {
  /** The connection, with its requests counted. */
  readonly counted: (connection: Dispatcher) => Dispatcher;
  readonly found: (report: AttributedReport) => Promise<void>;
  readonly failed: (error: unknown) => Promise<void>;
}

/** Begins to observe a run. Throws a `Stop` if the flags contradict each other. */
export async function watchRun(folder: string, flags: WatchFlags, io: Io): Promise<Watch> {
  const server = URL.parse(flags.url ?? io.env.MESHFORM_URL ?? '')?.host ?? '';
  const notify = await notifierFor(flags, `${server} ${folder}`, io);
  const meter = await meterFor(flags.metrics, { server, folder }, io);
  const began = io.now();
  let requests = 0;
  const figures = (drifted: ReadonlyMap<string, number> | null, overdue = 0) => {
    const now = io.now();
    return { now, duration: now - began, requests, drifted, overdue };
  };
  const said = { server, folder };
  return {
    counted: connection =>
      counting(connection, () => {
        requests += 1;
      }),
    found: async report => {
      const { open } = report;
      const outcome = open.length > 0 ? 'drift' : 'clean';
      const now = io.now();
      const drifted = open.map(({ address }) => address);
      const objects = driftedObjects(report);
      const notice = { ...said, outcome, summary: driftLine(report), objects, now } as const;
      await notify?.({ outcome, drifted, now }, notice);
      await meter?.(figures(byKind(report), report.overdue.size));
    },
    failed: async error => {
      const outcome = 'unreadable' as const;
      const now = io.now();
      const notice = { ...said, outcome, summary: whyFailed(error), objects: [], now };
      await notify?.({ outcome, drifted: [], now }, notice);
      await meter?.(figures(null));
    },
  };
}

function driftedObjects(report: AttributedReport): readonly DriftedObject[] {
  const { open, attributions } = report;
  return open.map(change => {
    const { address, kind } = change;
    const found = attributions.get(change) ?? UNKNOWN;
    const cause = attributionText(found);
    const attribution = attributionDocument(found);
    return { address, kind, what: whatOf(change, report), cause, attribution };
  });
}

const UNKNOWN = { confidence: 'none', reason: 'the audit log was not read' } as const;

// The number of differences by kind. A kind without drift has a sample of 0. Without a sample, it
// would look like a kind that was never measured.
function byKind({ open, kinds }: AttributedReport): ReadonlyMap<string, number> {
  const counts = new Map<string, number>([...kinds.keys()].map(name => [name, 0]));
  for (const { kind } of open) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

// Why a run failed. Only messages written for people leave the machine.
function whyFailed(thrown: unknown): string {
  const error = withPlaceStop(thrown);
  return error instanceof Stop ? error.message : 'an unexpected error occurred';
}
