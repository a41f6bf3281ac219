// The text of a journal ↔ its entries. Each line is validated, because a resumed run relies on it.
import type { ValidateFunction } from 'ajv';
import { constraintWords } from '../../kinds/schema/constraintWords.ts';
import type { JournalEntry } from '../../model/journal.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pathOf } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import { convertedPlan, isOlderPlan } from '../plan/olderPlan.ts';
import { planOfDocument } from '../plan/planFile.ts';
import type { SavedPlan } from '../plan/savedPlan.ts';

const FORMAT_VERSION = '1.2';

/** The content of a journal. */
export interface ReadJournal extends SavedPlan {
  /** Hazards that the flags of the run accepted, as `CODE` or `CODE=kind/name`. */
  readonly allow: readonly string[];
  readonly entries: readonly JournalEntry[];
  /** How the last run of the journal ended; `cut off` if the journal does not say. */
  readonly ended: 'complete' | 'incomplete' | 'cut off';
}

/** The compiled schemas of journal lines. */
export interface JournalSchemas {
  readonly line: ValidateFunction;
  readonly plan: ValidateFunction;
}

/** The first line of a journal, besides the plan. */
export interface JournalHead {
  /** Hazards that the flags of the run accepted, as `CODE` or `CODE=kind/name`. */
  readonly allow: readonly string[];
  /** The journal of the run that this run undoes. */
  readonly undoes?: string | undefined;
}

/** The first line of a journal: the plan that is applied next. */
export function journalHead(
  { document, digest }: SavedPlan,
  { allow, undoes }: JournalHead,
): JsonObject {
  return {
    type: 'run',
    format_version: FORMAT_VERSION,
    plan_digest: digest,
    plan: document,
    allow,
    ...(undoes !== undefined && { undoes }),
  };
}

/** The content of a journal's text, or why it cannot be read. */
export function journalOfText(text: string, schemas: JournalSchemas): ReadJournal | string {
  const lines = text.split('\n').filter(line => line !== '');
  const [head, ...rest] = lines.map(parsed);
  if (!isObject(head) || head.type !== 'run')
    return lines.length > 1
      ? 'it does not begin with the record of a run'
      : 'the run was cut off before it began';
  const { format_version: version } = head;
  if (typeof version === 'string' && version.split('.')[0] !== FORMAT_VERSION.split('.')[0])
    return `it is of format ${version}, and this meshform reads ${FORMAT_VERSION}`;
  const fault = lineFault(head, schemas.line);
  if (fault !== null) return `line 1 ${fault}`;
  const found = recordedPlan(head, schemas.plan);
  if (typeof found === 'string') return found;
  const actions = new Set<string>(found.plan.actions.map(({ id }) => id));
  const entries: JsonObject[] = [];
  for (const [index, entry] of rest.entries()) {
    const next = rest[index + 1];
    // A line that was cut off by a kill can be ignored; any other unreadable line may contain a result.
    const isCut =
      entry === undefined &&
      (next === undefined ? index === rest.length - 1 : next.type === 'resume');
    const why = entry === undefined ? 'is not JSON' : lineFault(entry, schemas.line);
    if (!isCut && why !== null) return `line ${index + 2} ${why}`;
    if (entry) entries.push(entry);
    const stranger = entry && actionIn(entry);
    if (stranger && !actions.has(stranger))
      return `line ${index + 2} names ${quoted(stranger)}, which is not an action of its plan`;
  }
  return {
    ...found,
    allow: isList(head.allow) ? head.allow.map(String) : [],
    entries: entries.filter(isEntry),
    ended: endOf(entries),
  };
}

// The plan in the first line, or why it cannot be read.
function recordedPlan(
  { plan, plan_digest: named }: JsonObject,
  isDocument: ValidateFunction,
): SavedPlan | string {
  if (!isObject(plan)) return 'its plan is not a JSON object';
  if (isTooDeep(plan)) return 'its plan is nested too deeply';
  const converted = isOlderPlan(plan) ? convertedPlan(plan) : plan;
  if (converted === null) return 'its plan was changed: its digest does not match its content';
  const digest = isObject(plan.meshform) ? plan.meshform.digest : undefined;
  const found = planOfDocument(converted, 'its plan', isDocument);
  if ('diagnostic' in found) return found.diagnostic.message;
  return typeof digest === 'string' && digest === named
    ? { ...found, digest }
    : 'its plan is not the one whose digest it names';
}

/** Whether the last line records the end of the run. The other lines are not parsed. */
export function isClosed(text: string): boolean {
  const whole = text.trimEnd();
  return parsed(whole.slice(whole.lastIndexOf('\n') + 1))?.type === 'close';
}

/** The action of an entry. */
function actionIn({ type, action, outcome }: JsonObject): string | undefined {
  const named = type === 'end' && isObject(outcome) ? outcome.action : action;
  return TYPES.has(String(type)) && typeof named === 'string' ? named : undefined;
}

function endOf(entries: readonly JsonObject[]): ReadJournal['ended'] {
  const last = entries.at(-1);
  if (last?.type !== 'close') return 'cut off';
  return last.complete === true ? 'complete' : 'incomplete';
}

const TYPES = new Set(['send', 'answer', 'kept', 'name', 'log', 'end']);

// The schema guarantees the form.
const isEntry = (entry: JsonObject): entry is JsonObject & JournalEntry =>
  TYPES.has(String(entry.type));

function lineFault(line: JsonObject, isLine: ValidateFunction): string | null {
  if (isLine(line)) return null;
  const [error] = isLine.errors ?? [];
  return `its ${pathName(pathOf(error?.instancePath ?? '')) || 'top'} ${error ? constraintWords(error) : 'has a fault'}`;
}

function parsed(line: string): JsonObject | undefined {
  const value = jsonOf(line);
  return isObject(value) ? value : undefined;
}
