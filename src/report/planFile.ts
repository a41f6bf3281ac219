// The JSON document of a plan → the plan. Checks its form first: a plan file is carried out as it is.

import type { ValidateFunction } from 'ajv';
import { constraintWords } from '../kinds/constraintWords.ts';
import type { Change, FieldChange } from '../model/change.ts';
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import { pathName } from '../model/pathName.ts';
import type { Action, Pin, Plan } from '../model/plan.ts';
import { pathOf } from '../model/pointer.ts';
import { isList, isObject, type Json, type JsonObject } from '../model/value.ts';
import { planDigest } from './planDigest.ts';
import { FORMAT_VERSION } from './planDocument.ts';

/** A plan as it was read, with the digest that its document carries. */
export interface ReadPlan {
  readonly plan: Plan;
  readonly digest: string;
}

/** The plan in a document's text, or why there is none. `isDocument` is the schema `plan.schema.json`, compiled. */
export function planOfText(
  text: string,
  file: string,
  isDocument: ValidateFunction,
): ReadPlan | { diagnostic: Diagnostic } {
  const document = parsed(text);
  if (document === undefined) return { diagnostic: invalid(file, notJson(text)) };
  const fault = faultOf(document, isDocument);
  if (fault !== null) return { diagnostic: invalid(file, fault) };
  const { meshform } = document as unknown as { meshform: StoredPlan };
  const { digest } = meshform;
  if (digest !== planDigest(document)) return { diagnostic: edited(file) };
  return { plan: restored(meshform), digest };
}

const notJson = (text: string): string =>
  text.trimStart().startsWith('{') ? 'it is not whole, or was edited' : 'it is not JSON';

function faultOf(document: JsonObject, isDocument: ValidateFunction): string | null {
  const { format_version: version, meshform, applyable } = document;
  if (typeof version !== 'string' || !isObject(meshform)) return 'it is JSON, but not a plan';
  if (version.split('.')[0] !== FORMAT_VERSION.split('.')[0])
    return `it is of format ${version}, and this meshform reads ${FORMAT_VERSION}`;
  if (!isDocument(document)) {
    const [error] = isDocument.errors ?? [];
    return `its ${pathName(pathOf(error?.instancePath ?? '')) || 'top'} ${error ? constraintWords(error) : 'has a fault'}`;
  }
  // What `drift` prints has the form of a plan, and nobody has approved it as one.
  if (meshform.digest === undefined) return 'it reports drift: there is nothing to apply';
  const hasActions = isList(meshform.actions) && meshform.actions.length > 0;
  return hasActions && applyable === false ? 'it is a plan with errors' : null;
}

type StoredChange = Omit<Change, 'fields' | 'at'> & { readonly fields: readonly JsonObject[] };

interface StoredPlan extends Omit<Plan, 'actions' | 'changes' | 'leftAlone' | 'pins'> {
  readonly digest: string;
  readonly changes: readonly StoredChange[];
  readonly origins: Readonly<Record<string, Span>>;
  readonly actions: readonly JsonObject[];
  readonly left_alone: Plan['leftAlone'];
  readonly pins: readonly JsonObject[];
}

function restored(stored: StoredPlan): Plan {
  const { dialect, account, server, revision, folder, declared, requests, diagnostics } = stored;
  const { unselected, base } = stored;
  return {
    ...{ dialect, folder, declared, requests, diagnostics },
    ...(unselected && { unselected }),
    ...(account && { account }),
    ...(server && { server }),
    ...(revision && { revision }),
    ...(base && { base }),
    changes: stored.changes.map(change => restoredChange(change, stored.origins)),
    actions: stored.actions.map(restoredAction),
    leftAlone: stored.left_alone,
    pins: stored.pins.map(({ server_fields: serverFields, ...pin }) =>
      as<Pin>({ ...pin, ...(serverFields !== undefined && { serverFields }) }),
    ),
  };
}

function restoredChange(change: StoredChange, origins: StoredPlan['origins']): Change {
  const at = origins[change.address];
  return { ...change, ...(at && { at }), fields: change.fields.map(restoredField) };
}

const restoredField = ({ by_default: byDefault, ...field }: JsonObject): FieldChange =>
  as<FieldChange>({ ...field, ...(byDefault !== undefined && { byDefault }) });

const restoredAction = ({
  remote_id: remoteId,
  parent_id: parentId,
  ...action
}: JsonObject): Action =>
  as<Action>({
    ...action,
    ...(remoteId !== undefined && { remoteId }),
    ...(parentId !== undefined && { parentId }),
  });

// The schema has vouched for the form.
const as = <T>(value: JsonObject): T => value as unknown as T;

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function edited(file: string): Diagnostic {
  return {
    code: 'PLAN_FILE_INVALID',
    severity: 'error',
    message: `\`${file}\` was changed after the plan was made: its digest does not match its content`,
    hint: 'make a new plan; a plan file is not edited by hand',
  };
}

function invalid(file: string, why: string): Diagnostic {
  return {
    code: 'PLAN_FILE_INVALID',
    severity: 'error',
    message: `\`${file}\` is not a plan that this meshform can read: ${why}`,
    hint: 'make it with `meshform plan --out FILE`, with this version',
  };
}
