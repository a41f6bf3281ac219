// The formats of a plan. A new format needs a file that exports `render`, and a line here.
import type { Formats } from './format.ts';
import type { PlanReport } from './plan/planReport.ts';

/** The file of each format, by name; the first is the default. */
export const PLAN_FORMATS = {
  text: () => import('./plan/planText.ts'),
  json: () => import('./plan/planJson.ts'),
  markdown: () => import('./plan/planMarkdown.ts'),
  comment: () => import('./comment/planComment.ts'),
} as const satisfies Formats<PlanReport>;

/** The name of a format. */
export type PlanFormat = keyof typeof PLAN_FORMATS;
