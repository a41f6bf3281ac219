// `drift --metrics`: writes a file for the textfile collector. The file is replaced as a whole
// after every run.
import { resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import { readIfThere } from '../../read/files/fileText.ts';
import {
  carriedFrom,
  isMetricsText,
  type Labels,
  metricsText,
  type RunFigures,
} from '../../watch/metrics.ts';
import { type Io, say } from '../io.ts';
import { outputAt } from '../output.ts';
import { Stop } from '../stop.ts';

/** Writes the metrics of a finished run. It never rejects: an error is printed as a warning. */
export type Meter = (figures: RunFigures) => Promise<void>;

/**
 * The mode of the file. It is readable by all, because the collector reads the file as another
 * user.
 */
const READABLE = 0o644;

/** The writer of metrics to `file`. Throws a `Stop` if the file exists and does not contain metrics. */
export async function meterFor(
  file: string | undefined,
  labels: Labels,
  io: Io,
): Promise<Meter | null> {
  if (file === undefined) return null;
  const kind = {
    name: 'the metrics',
    ours: 'a file of metrics of drift',
    isOurs: isMetricsText,
    mode: READABLE,
  };
  const output = await outputAt(file, { kind, force: null }, io);
  return async figures => {
    const text = await readIfThere(resolve(io.cwd, file)).catch(() => null);
    const carried = carriedFrom(text ?? '', labels);
    await output.write(metricsText(figures, carried, labels)).catch((error: unknown) => {
      if (!(error instanceof Stop)) throw error;
      say(io.stderr, `warning: ${error.message}`);
    });
  };
}

/** A connection that counts its requests. */
export function counting(connection: Dispatcher, onRequest: () => void): Dispatcher {
  return connection.compose(dispatch => (options, handler) => {
    onRequest();
    return dispatch(options, handler);
  });
}
