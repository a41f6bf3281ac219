// `runs show`: prints the plan and the outcome of one apply.
import { readKinds } from '../../kinds/registry.ts';
import type { Outcome } from '../../model/outcome.ts';
import { runsNamed } from '../../model/runName.ts';
import type { Extent } from '../../report/plan/planReport.ts';
import { planText } from '../../report/plan/planText.ts';
import { outcomesText } from '../../report/run/runText.ts';
import { isUnread, runRecords } from '../../report/runRecords.ts';
import { runHead } from '../../report/runsText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { refusePathForRun } from '../pathForRun.ts';
import { unclearRunText } from '../refusals/unclearRun.ts';
import { Stop } from '../stop.ts';
import { ownRuns } from './ownRuns.ts';

/** Prints an apply. Resolves to the exit code; throws a `Stop`. */
export async function showRun(
  { run: named, path }: { readonly run: string; readonly path: string },
  extent: Extent,
  io: Io,
): Promise<number> {
  refusePathForRun(named, path, { command: 'runs show', io });
  const runs = await ownRuns(path, io);
  const found = runsNamed(runs, named);
  const [journal] = found;
  if (journal === undefined || found.length > 1)
    throw new Stop(EXIT.usage, ...unclearRunText(named, found));
  const record = runRecords(runs).find(({ run }) => run === journal.run);
  if (record === undefined || isUnread(record) || journal.read === undefined)
    throw new Stop(
      EXIT.invalid,
      `the journal of the run ${journal.run} cannot be used: ${journal.why ?? 'it cannot be read'}`,
      'use the version of meshform that wrote it, or a newer one',
    );
  const { plan, digest, entries } = journal.read;
  const style = styleFor(io.stdout, io);
  if (journal.isVerified === false) say(io.stderr, NOT_VERIFIED);
  io.stdout.write(runHead(record));
  say(io.stdout, '');
  io.stdout.write(planText(plan, readKinds(), style, { ...extent, digest }));
  const ends = new Map(
    entries.flatMap((entry): [string, Outcome][] =>
      // A write that was not read back needs no explanation here.
      entry.type === 'end' && entry.outcome.status !== 'sent'
        ? [[entry.outcome.action, entry.outcome]]
        : [],
    ),
  );
  const outcomes = outcomesText(plan, [...ends.values()], style);
  if (outcomes !== '') say(io.stdout, '');
  io.stdout.write(outcomes);
  return EXIT.done;
}

const NOT_VERIFIED =
  'note: not verified: no key of this run signed the journal; set MESHFORM_SIGNING_KEY, or MESHFORM_TOKEN to the token that applies';
