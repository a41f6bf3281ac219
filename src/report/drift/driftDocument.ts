// Drift as the JSON document that a plan is: what raises the alarm under `resource_drift`, what is known under ours.
import { pathName } from '../../model/text/pathName.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { planDocument } from '../plan/planDocument.ts';
import type { DriftReport } from './drift.ts';

/** Drift as a document; `schemas/plan.schema.json` describes it. */
export function driftDocument({ plan, kinds, open, acknowledged }: DriftReport): JsonObject {
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
