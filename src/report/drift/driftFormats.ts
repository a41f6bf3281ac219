// The formats of a drift report. A new format is a file that exports `render`, and a line here.
import type { Formats } from '../format.ts';
import type { DriftRequest } from './drift.ts';

/** The file of each format by name; the first is the default. */
export const DRIFT_FORMATS = {
  text: () => import('./driftText.ts'),
  json: () => import('./driftDocument.ts'),
  markdown: () => import('./driftMarkdown.ts'),
  comment: () => import('../comment/driftComment.ts'),
  junit: () => import('./driftJunit.ts'),
} as const satisfies Formats<DriftRequest>;

/** The name of a format. */
export type DriftFormat = keyof typeof DRIFT_FORMATS;
