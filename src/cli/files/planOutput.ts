// Prints or saves a plan in the requested format.
import type { KindTable } from '../../kinds/kind.ts';
import type { Desired } from '../../model/object.ts';
import { jsonOf, jsonText } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import type { DriftReport } from '../../report/drift/drift.ts';
import { DRIFT_FORMATS, type DriftFormat } from '../../report/driftFormats.ts';
import type { Extent, PlanReport } from '../../report/plan/planReport.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { PLAN_FORMATS, type PlanFormat } from '../../report/planFormats.ts';
import { styleFor } from '../colour.ts';
import type { Io } from '../io.ts';
import { type Output, type OutputFlags, outputAt } from '../output.ts';

/** The plan as printed on stdout. */
export async function renderPlan(
  shown: Pick<PlanReport, 'plan' | 'digest' | 'document'>,
  kinds: KindTable,
  { format, ...extent }: Extent & { readonly format: PlanFormat },
  io: Io,
): Promise<string> {
  const { render } = await PLAN_FORMATS[format]();
  return render({ ...shown, ...extent, kinds, style: styleFor(io.stdout, io) });
}

/** Drift as printed on stdout. */
export async function renderDrift(
  report: DriftReport,
  declared: readonly Desired[],
  { format, ...extent }: Extent & { readonly format: DriftFormat },
  io: Io,
): Promise<string> {
  const { render } = await DRIFT_FORMATS[format]();
  return render({ report, declared, style: styleFor(io.stdout, io), ...extent });
}

/**
 * The file to which a plan is saved, if a flag names one. Throws a `Stop` if the file exists and is
 * not a plan.
 */
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

/** Saves a plan, so that it can be shown or applied later. Throws a `Stop` if it cannot be written. */
export function savePlan({ document }: SavedPlan, output: Output): Promise<void> {
  return output.write(jsonText(document));
}
