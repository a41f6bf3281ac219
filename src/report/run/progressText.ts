// The progress of a run on one line: a bar, counts, elapsed and remaining time, and the running actions.
import { visible } from '../../model/text/visible.ts';
import { fitted } from '../text/width.ts';

/** A run in progress. */
export interface RunningRun {
  readonly done: number;
  readonly total: number;
  /** Milliseconds since the start. */
  readonly elapsed: number;
  /** The running actions as text, the longest running first. */
  readonly underWay: readonly string[];
}

/** The line, in at most `room` columns. In fewer than 50 columns, it has no bar and no estimate. */
export function progressText(run: RunningRun, room: number): string {
  const { done, total, elapsed, underWay } = run;
  const left = timeLeft(run);
  const bar = room < 50 ? '' : `${barText(done, total, room < 90 ? 10 : 20)} `;
  const times = [
    room < 70 ? clockText(elapsed) : `${clockText(elapsed)} elapsed`,
    ...(left === null || room < 50 ? [] : [`about ${clockText(left)} left`]),
  ];
  const what = underWay.length === 0 ? [] : [underWay.join(', ')];
  const text = [`${done}/${total}`, times.join(', '), ...what].join(room < 50 ? ' ' : '  ');
  return fitted(visible(`${bar}${text}`), room);
}

/** The remaining milliseconds, extrapolated from the finished actions; null in the first two seconds. */
function timeLeft({ done, total, elapsed }: RunningRun): number | null {
  if (done === 0 || done === total || elapsed < 2000) return null;
  return (elapsed / done) * (total - done);
}

function barText(done: number, total: number, width: number): string {
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
}

/** `0:07`, `12:30`, `1:02:03`. */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const end = `:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${two(minutes)}${end}` : `${minutes}${end}`;
}
