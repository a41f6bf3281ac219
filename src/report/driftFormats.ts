// The formats of a drift report. A new format needs a file that exports `render`, and a line here.

import type { DriftRequest } from './drift/drift.ts';
import type { Formats } from './format.ts';

/** The file of each format, by name; the first is the default. */
export const DRIFT_FORMATS = {
  text: () => import('./drift/driftText.ts'),
  json: () => import('./drift/driftDocument.ts'),
  markdown: () => import('./drift/driftMarkdown.ts'),
  comment: () => import('./comment/driftComment.ts'),
  junit: () => import('./drift/driftJunit.ts'),
} as const satisfies Formats<DriftRequest>;

/** The name of a format. */
export type DriftFormat = keyof typeof DRIFT_FORMATS;
