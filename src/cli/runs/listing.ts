// `runs`: prints the applies of an account as a table or as JSON.
import { runRecords } from '../../report/runRecords.ts';
import { runsJson, runsTable } from '../../report/runsText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { ownRuns } from './ownRuns.ts';

/** The flags of `runs`. */
export interface RunsFlags {
  readonly format: 'table' | 'json';
}

/** Prints the applies. Resolves to the exit code; throws a `Stop`. */
export async function listRuns(path: string, { format }: RunsFlags, io: Io): Promise<number> {
  const records = runRecords(await ownRuns(path, io));
  io.stdout.write(
    format === 'json' ? runsJson(records) : runsTable(records, styleFor(io.stdout, io)),
  );
  return EXIT.done;
}
