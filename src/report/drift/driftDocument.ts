// Drift as the JSON document that a plan is: what raises the alarm under `resource_drift`, what is known under ours.

import { jsonText } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { planDocument } from '../plan/planDocument.ts';
import type { DriftReport, DriftRequest } from './drift.ts';

/** The document as text. */
export function render({ report }: DriftRequest): string {
  return jsonText(driftDocument(report));
}

/** Drift as a document; `schemas/plan.schema.json` describes it. */
function driftDocument({ plan, kinds, open, acknowledged }: DriftReport): JsonObject {
  const document = planDocument({ ...plan, changes: open }, kinds, { drift: true });
  if (!isObject(document.meshform)) return document;
  const known = acknowledged.map(({ change: { address, fields }, entry: { reason, until } }) => ({
    address,
    fields: fields.map(({ path }) => pathName(path)),
    reason,
    until,
  }));
  return { ...document, meshform: { ...document.meshform, acknowledged: known } };
}
