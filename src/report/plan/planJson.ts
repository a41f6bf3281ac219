// A plan as JSON, for programs and for saved plans.
import { jsonText } from '../../model/text/jsonText.ts';
import { planDocument } from './planDocument.ts';
import type { PlanReport } from './planReport.ts';

/** The document as text. Nothing is collapsed or cut. */
export function render({ plan, kinds, document }: PlanReport): string {
  return jsonText(document ?? planDocument(plan, kinds));
}
