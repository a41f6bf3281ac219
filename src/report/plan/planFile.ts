// Reads a plan from its JSON document. The form of the document is checked first, because a plan file is applied as it is.
import type { ValidateFunction } from 'ajv';
import { constraintWords } from '../../kinds/schema/constraintWords.ts';
import type { PlanAccess } from '../../model/access/planAccess.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { LoosenedGuard } from '../../model/guards.ts';
import type { Key } from '../../model/names.ts';
import type { Pin, Plan, PlanEndings, ShownAction } from '../../model/plan.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pathOf } from '../../model/text/pointer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { isOlderPlan } from './olderPlan.ts';
import { planDigests } from './planDigest.ts';
import { FORMAT_VERSION } from './planDocument.ts';
import type { SavedPlan } from './savedPlan.ts';
import { restoredGates, type StoredGates } from './storedGates.ts';
import { findingOf, placeOf, withPlace } from './storedPlaces.ts';
import { withPositions, type YamlPositions } from './yamlPositions.ts';

/** The plan in the text of a document, or why it cannot be read. `isDocument` is the compiled schema `plan.schema.json`. */
export function planOfText(
  text: string,
  file: string,
  isDocument: ValidateFunction,
): SavedPlan | { diagnostic: Diagnostic } {
  if (isJournal(text)) return { diagnostic: journal(file) };
  const document = jsonOf(text);
  if (!isObject(document)) return { diagnostic: invalid(file, notDocument(text, document)) };
  return planOfDocument(document, file, isDocument);
}

/** The plan in a parsed document, or why it cannot be read. */
export function planOfDocument(
  document: JsonObject,
  file: string,
  isDocument: ValidateFunction,
): SavedPlan | { diagnostic: Diagnostic } {
  if (isTooDeep(document)) return { diagnostic: invalid(file, 'it is nested too deeply') };
  if (isOlderPlan(document)) return { diagnostic: older(file, document) };
  const fault = faultOf(document, isDocument);
  if (fault !== null) return { diagnostic: invalid(file, fault) };
  const { meshform } = document as unknown as { meshform: StoredPlan };
  const digests = planDigests(document);
  const isWhole =
    meshform.digest === digests.digest && meshform.content_digest === digests.contentDigest;
  if (!isWhole) return { diagnostic: edited(file) };
  return { plan: restored(meshform), document, ...digests };
}

// Whether a text is a journal: its first line describes the run that it records.
function isJournal(text: string): boolean {
  const start = text.slice(0, text.indexOf('\n') + 1 || undefined);
  const first = start.startsWith('{') ? jsonOf(start) : undefined;
  return isObject(first) && first.type === 'run' && first.plan_digest !== undefined;
}

function notDocument(text: string, found: Json | undefined): string {
  if (found !== undefined) return `it is ${nameOf(found)}, not a plan`;
  return text.trimStart().startsWith('{') ? 'it is incomplete, or was edited' : 'it is not JSON';
}

const nameOf = (found: Json): string =>
  found === null ? 'the JSON value `null`' : `a JSON ${isList(found) ? 'list' : typeof found}`;

function faultOf(document: JsonObject, isDocument: ValidateFunction): string | null {
  const { format_version: version, meshform, applyable } = document;
  if (typeof version !== 'string' || !isObject(meshform)) return 'it is JSON, but it is not a plan';
  if (version.split('.')[0] !== FORMAT_VERSION.split('.')[0])
    return `it is of format ${version}, and this meshform reads ${FORMAT_VERSION}`;
  if (!isDocument(document)) {
    const [error] = isDocument.errors ?? [];
    return `its ${pathName(pathOf(error?.instancePath ?? '')) || 'top'} ${error ? constraintWords(error) : 'has a fault'}`;
  }
  // The output of `drift` has the form of a plan, but nobody has approved it as a plan.
  if (meshform.content_digest === undefined) return 'it reports drift: there is nothing to apply';
  if (meshform.digest === undefined) return 'it was not saved: it has no digest';
  const hasActions = isList(meshform.actions) && meshform.actions.length > 0;
  return hasActions && applyable === false ? 'it is a plan with errors' : null;
}

type StoredChange = Omit<ShownChange, 'fields' | 'at' | 'partOf'> & {
  readonly fields: readonly JsonObject[];
  readonly part_of?: Key;
};

interface StoredPlan
  extends StoredGates,
    Omit<
      Plan,
      | 'access'
      | 'actions'
      | 'changes'
      | 'endings'
      | 'formerEnds'
      | 'gates'
      | 'judgedWith'
      | 'leftAlone'
      | 'madeAt'
      | 'pins'
    > {
  readonly access?: Omit<PlanAccess, 'changes' | 'gains' | 'steps'>;
  readonly access_changes?: PlanAccess['changes'];
  readonly access_gains?: PlanAccess['gains'];
  readonly access_steps?: PlanAccess['steps'];
  readonly loosened_guards?: readonly LoosenedGuard[];
  readonly counted_runs?: Plan['countedRuns'];
  readonly former_ends?: Plan['formerEnds'];
  readonly judged_with?: Plan['judgedWith'];
  readonly endings?: Omit<PlanEndings, 'alone'> & {
    readonly alone?: Record<'actions' | 'pins', readonly JsonObject[]>;
  };
  readonly digest: string;
  readonly content_digest: string;
  readonly made_at: string;
  readonly changes: readonly StoredChange[];
  readonly origins: Readonly<Record<string, Span>>;
  readonly secret_sources?: Readonly<Record<string, YamlPositions>>;
  readonly actions: readonly JsonObject[];
  readonly left_alone: Plan['leftAlone'];
  readonly pins: readonly JsonObject[];
}

function restored(stored: StoredPlan): Plan {
  const { dialect, account, server, revision, folder, declared, requests } = stored;
  const { unselected, base, called, layers, made_at: madeAt, counted_runs: countedRuns } = stored;
  const diagnostics = stored.diagnostics.map(findingOf);
  const loosened = stored.loosened_guards?.map(withPlace);
  const { access, access_changes: changes = [], access_steps: steps = [] } = stored;
  const { access_gains: gains = [] } = stored;
  const gates = restoredGates(stored);
  return {
    madeAt,
    dialect,
    folder,
    ...(layers && { layers }),
    declared,
    requests,
    diagnostics,
    ...(unselected && { unselected }),
    ...(called && { called }),
    ...(account && { account }),
    ...(server && { server }),
    ...(revision && { revision }),
    ...(base && { base }),
    ...(access && { access: { ...access, changes, gains, steps } }),
    ...(gates && { gates }),
    ...(loosened && { loosened }),
    ...(countedRuns && { countedRuns }),
    changes: stored.changes.map(change => restoredChange(change, stored)),
    actions: stored.actions.map(action => restoredAction(action, stored)),
    leftAlone: stored.left_alone,
    pins: stored.pins.map(restoredPin),
    ...(stored.endings && { endings: restoredEndings(stored) }),
    ...(stored.former_ends && { formerEnds: stored.former_ends }),
    ...(stored.judged_with && { judgedWith: stored.judged_with }),
  };
}

const restoredPin = ({ server_fields: serverFields, ...pin }: JsonObject): Pin =>
  as<Pin>({ ...pin, ...(serverFields !== undefined && { serverFields }) });

function restoredEndings(stored: StoredPlan): PlanEndings {
  const { alone, ...endings } = present(stored.endings, 'the ends of the plan');
  if (alone === undefined) return endings;
  const actions = alone.actions.map(action => restoredAction(action, stored));
  return { ...endings, alone: { actions, pins: alone.pins.map(restoredPin) } };
}

function restoredChange(
  { part_of: partOf, ...change }: StoredChange,
  { origins, secret_sources: sources = {} }: StoredPlan,
): ShownChange {
  const { after, address } = change;
  const at = origins[address];
  const secrets = sources[address] ?? [];
  return {
    ...change,
    ...(partOf && { partOf }),
    ...(at && { at: placeOf(at) }),
    ...(after && { after: as<ShownFields>(withPositions(after, secrets)) }),
    fields: change.fields.map(field =>
      restoredField(as<JsonObject>(withPositions(field, secrets))),
    ),
  };
}

const restoredField = ({ by_default: byDefault, ...field }: JsonObject): FieldChange<Shown> =>
  as<FieldChange<Shown>>({ ...field, ...(byDefault !== undefined && { byDefault }) });

function restoredAction(
  { remote_id: remoteId, parent_id: parentId, part_of: partOf, ...action }: JsonObject,
  { secret_sources: sources = {} }: StoredPlan,
): ShownAction {
  const secrets = sources[String(action.address)] ?? [];
  return as<ShownAction>({
    ...action,
    ...(partOf !== undefined && { partOf }),
    ...(action.fields !== undefined && { fields: withPositions(action.fields, secrets) }),
    ...(remoteId !== undefined && { remoteId }),
    ...(parentId !== undefined && { parentId }),
  });
}

// The schema guarantees the form of the document, and the digest guarantees its content, so its values may be shown.
const as = <T>(value: Json): T => value as unknown as T;

function edited(file: string): Diagnostic {
  return {
    code: 'PLAN_FILE_INVALID',
    severity: 'error',
    message: `${quoted(file)} was changed after the plan was made: its digest does not match its content`,
    hint: 'create a new plan with `meshform plan --out FILE`; do not edit plan files',
  };
}

function older(file: string, { format_version: version }: JsonObject): Diagnostic {
  return {
    code: 'PLAN_FILE_INVALID',
    severity: 'error',
    message: `${quoted(file)} was saved by an older version of meshform: it is of format ${version}, and this version reads ${FORMAT_VERSION}`,
    hint: 'create the plan again with `meshform plan --out FILE`, and review it',
  };
}

function journal(file: string): Diagnostic {
  const word = shellWord(file);
  return {
    code: 'PLAN_FILE_INVALID',
    severity: 'error',
    message: `${quoted(file)} is the journal of an apply, not a plan`,
    hint: `continue that apply with \`meshform apply --resume ${word}\`, or undo it with \`meshform apply --undo ${word}\``,
  };
}

function invalid(file: string, why: string): Diagnostic {
  return {
    code: 'PLAN_FILE_INVALID',
    severity: 'error',
    message: `${quoted(file)} is not a plan that this meshform can read: ${why}`,
    hint: 'create it with `meshform plan --out FILE` of this version',
  };
}
