// A plan in the format that was asked for, on stdout or in a file.
import { resolve } from 'node:path';
import type { KindTable } from '../kinds/kind.ts';
import { jsonText } from '../model/jsonText.ts';
import type { Desired } from '../model/object.ts';
import type { Plan } from '../model/plan.ts';
import { quoted } from '../model/visible.ts';
import { reasonOf } from '../read/fileText.ts';
import { writeWhole } from '../read/writeFile.ts';
import { type DriftReport, driftText } from '../report/drift.ts';
import { driftDocument } from '../report/driftDocument.ts';
import { driftJunit } from '../report/driftJunit.ts';
import { driftMarkdown } from '../report/driftMarkdown.ts';
import { planDocument } from '../report/planDocument.ts';
import { planMarkdown } from '../report/planMarkdown.ts';
import { planText } from '../report/planText.ts';
import { styleFor } from './colour.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

export type PlanFormat = 'text' | 'json' | 'markdown';

/** The plan as stdout carries it. */
export function renderPlan(plan: Plan, kinds: KindTable, format: PlanFormat, io: Io): string {
  switch (format) {
    case 'json':
      return jsonText(planDocument(plan, kinds));
    case 'markdown':
      return planMarkdown(plan, kinds, 'meshform plan');
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
    case 'text':
      return driftText(report, styleFor(io.stdout, io));
  }
}

/** Saves a plan, to be shown or applied later. Throws a `Stop` where it cannot be written there. */
export async function savePlan(plan: Plan, kinds: KindTable, file: string, io: Io): Promise<void> {
  const text = jsonText(planDocument(plan, kinds));
  await writeWhole(resolve(io.cwd, file), text).catch((error: unknown) => {
    throw new Stop(EXIT.usage, `the plan cannot be saved as ${quoted(file)}: ${reasonOf(error)}`);
  });
}
