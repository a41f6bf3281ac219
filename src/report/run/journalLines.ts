// The text of a journal ↔ what it tells. Each line is checked before it is believed: a run goes on from it.
import type { ValidateFunction } from 'ajv';
import type { KindTable } from '../../kinds/kind.ts';
import { constraintWords } from '../../kinds/schema/constraintWords.ts';
import type { JournalEntry } from '../../model/journal.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pathOf } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import { planDocument } from '../plan/planDocument.ts';
import { planOfText } from '../plan/planFile.ts';

const FORMAT_VERSION = '1.2';

/** A journal that was read. */
export interface ReadJournal {
  readonly plan: Plan;
  /** The digest of the plan that was approved. */
  readonly digest: string;
  /** Hazards that the flags of the run accepted, as `CODE` or `CODE=kind/name`. */
  readonly allow: readonly string[];
  readonly entries: readonly JournalEntry[];
  /** How the last run ended that wrote it; `cut off` where it does not say. */
  readonly ended: 'complete' | 'incomplete' | 'cut off';
}

/** The schemas of what is read, compiled. */
export interface JournalSchemas {
  readonly line: ValidateFunction;
  readonly plan: ValidateFunction;
}

/** What the first line of a journal says besides the plan. */
export interface JournalHead {
  /** The digest of the plan that was approved. */
  readonly digest: string;
  /** Hazards that the flags of the run accepted, as `CODE` or `CODE=kind/name`. */
  readonly allow: readonly string[];
  /** The journal of the run that this one takes back. */
  readonly undoes?: string | undefined;
}

/** The first line of a journal: the plan that is about to be carried out. */
export function journalHead(
  plan: Plan,
  kinds: KindTable,
  { digest, allow, undoes }: JournalHead,
): JsonObject {
  return {
    ...{ type: 'run', format_version: FORMAT_VERSION, plan_digest: digest },
    plan: planDocument(plan, kinds, { digest }),
    allow,
    ...(undoes !== undefined && { undoes }),
  };
}

/** What a journal's text tells, or in words why it tells nothing. */
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
  const found = planOfText(JSON.stringify(head.plan), 'its plan', schemas.plan);
  if ('diagnostic' in found) return found.diagnostic.message;
  if (found.digest !== head.plan_digest) return 'its plan is not the one whose digest it names';
  const actions = new Set<string>(found.plan.actions.map(({ id }) => id));
  const entries: JsonObject[] = [];
  for (const [index, entry] of rest.entries()) {
    const next = rest[index + 1];
    // A line that a kill cut short says nothing; any other that cannot be read may have said something.
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
    plan: found.plan,
    digest: String(head.plan_digest),
    allow: isList(head.allow) ? head.allow.map(String) : [],
    entries: entries.filter(isEntry),
    ended: endOf(entries),
  };
}

/** Whether the last line says that the run ended: to know only this, the other lines need not be read. */
export function isClosed(text: string): boolean {
  const whole = text.trimEnd();
  return parsed(whole.slice(whole.lastIndexOf('\n') + 1))?.type === 'close';
}

/** The action that an entry tells of. */
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

// The schema has vouched for the form.
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
