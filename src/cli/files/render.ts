// A plan in the format that was asked for, on stdout or in a file.
import type { KindTable } from '../../kinds/kind.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonOf, jsonText } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import { driftComment } from '../../report/comment/driftComment.ts';
import { planComment } from '../../report/comment/planComment.ts';
import { type DriftReport, driftText } from '../../report/drift/drift.ts';
import { driftDocument } from '../../report/drift/driftDocument.ts';
import { driftJunit } from '../../report/drift/driftJunit.ts';
import { driftMarkdown } from '../../report/drift/driftMarkdown.ts';
import { planDocument } from '../../report/plan/planDocument.ts';
import { planMarkdown } from '../../report/plan/planMarkdown.ts';
import { planText } from '../../report/plan/planText.ts';
import { styleFor } from '../colour.ts';
import type { Io } from '../io.ts';
import { type Output, type OutputFlags, outputAt } from '../output.ts';

export type PlanFormat = 'text' | 'json' | 'markdown' | 'comment';

/** The plan as stdout carries it. */
export function renderPlan(plan: Plan, kinds: KindTable, format: PlanFormat, io: Io): string {
  switch (format) {
    case 'json':
      return jsonText(planDocument(plan, kinds));
    case 'markdown':
      return planMarkdown(plan, kinds, 'meshform plan');
    case 'comment':
      return planComment(plan, kinds);
    case 'text':
      return planText(plan, kinds, styleFor(io.stdout, io));
  }
}

/** Drift as stdout carries it. */
export function renderDrift(
  report: DriftReport,
  declared: readonly Desired[],
  format: PlanFormat | 'junit',
  io: Io,
): string {
  switch (format) {
    case 'json':
      return jsonText(driftDocument(report));
    case 'junit':
      return driftJunit(report, declared);
    case 'markdown':
      return driftMarkdown(report, 'meshform drift');
    case 'comment':
      return driftComment(report);
    case 'text':
      return driftText(report, styleFor(io.stdout, io));
  }
}

/** The place that a plan is saved at, if it is. Throws a `Stop` where that has anything but a plan in it. */
export async function planOutput(
  { out, force = false }: OutputFlags,
  io: Io,
): Promise<Output | undefined> {
  const kind = { name: 'the plan', ours: 'a plan', isOurs: isPlanText };
  return out === undefined ? undefined : outputAt(out, { kind, force }, io);
}

function isPlanText(text: string): boolean {
  const document = jsonOf(text);
  return isObject(document) && 'format_version' in document && isObject(document.meshform);
}

/** Saves a plan, to be shown or applied later. Throws a `Stop` where it cannot be written there. */
export function savePlan(plan: Plan, kinds: KindTable, output: Output): Promise<void> {
  return output.write(jsonText(planDocument(plan, kinds)));
}
