// Drift as a JSON document in the form of a plan: drift that fails the run is in `resource_drift`, acknowledged drift under
// `meshform`.
import type { ShownChange } from '../../model/change.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { planDocument } from '../plan/planDocument.ts';
import { unfinishedDocument } from '../run/unfinishedText.ts';
import { attributionDocument } from './attribution.ts';
import type { DriftReport, DriftRequest } from './drift.ts';

/** The document as text. */
export function render({ report }: DriftRequest): string {
  return jsonText(driftDocument(report));
}

/** Drift as a document; `schemas/plan.schema.json` describes it. */
export function driftDocument(report: DriftReport): JsonObject {
  const { plan, kinds, open, acknowledged, attributions, unfinished = [] } = report;
  const document = planDocument({ ...plan, changes: open }, kinds, { drift: true });
  if (!isObject(document.meshform)) return document;
  const cause = (change: ShownChange) => {
    const found = attributions?.get(change);
    return found && attributionDocument(found);
  };
  const known = acknowledged.map(({ change, entry: { reason, until } }) => ({
    address: change.address,
    fields: change.fields.map(({ path }) => pathName(path)),
    reason,
    until,
  }));
  const causes = [
    ...open.map(change => ({ address: change.address, ...cause(change) })),
    ...acknowledged.map(({ change }) => ({
      address: change.address,
      ...cause(change),
      acknowledged: true,
    })),
  ];
  return {
    ...document,
    meshform: {
      ...document.meshform,
      acknowledged: known,
      ...(attributions && { attribution: causes }),
      ...(unfinished.length > 0 && { unfinished: unfinished.map(unfinishedDocument) }),
    },
  };
}
