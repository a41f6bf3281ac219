// Converts between the text of a journal and its entries. Each line is validated, because a resumed run relies on it.
import type { ValidateFunction } from 'ajv';
import { constraintWords } from '../../kinds/schema/constraintWords.ts';
import type { JournalEntry } from '../../model/journal.ts';
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { isTooDeep } from '../../model/text/depth.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { pathName } from '../../model/text/pathName.ts';
import { pathOf } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import { convertedPlan, isOlderPlan } from '../plan/olderPlan.ts';
import { planOfDocument } from '../plan/planFile.ts';
import type { SavedPlan } from '../plan/savedPlan.ts';
import { JournalChain, type JournalRun } from './journalChain.ts';

const FORMAT_VERSION = '1.4';

/** The journal formats of versions that did not sign journals. */
const UNSIGNED: ReadonlySet<unknown> = new Set(['1.0', '1.1', '1.2']);

/** The content of a journal. */
export interface ReadJournal extends SavedPlan {
  readonly entries: readonly JournalEntry[];
  /**
   * How the last run of the journal ended; `cut off` if the journal does not contain an end. `closed`: a later run has completed
   * the rest, or somebody has abandoned the run.
   */
  readonly ended: 'complete' | 'incomplete' | 'cut off' | 'closed';
  /** Whether the journal does not contain how the run itself ended, even if the run was closed later. */
  readonly isCutOff: boolean;
  /** The addresses of the objects that a run left in the account when it was closed; absent if the journal does not list them. */
  readonly leaves?: readonly string[];
  /** Every line, as it was read. */
  readonly lines: readonly JsonObject[];
  /** Signs the lines that a resumed run adds; null if an older version wrote the journal without signatures. */
  readonly chain: JournalChain | null;
  /** The address to which the run wrote, which may differ from the address in the plan. */
  readonly server?: string | undefined;
  /** Whether the run records the base when it is complete. */
  readonly recordsBase: boolean;
}

/** Why a journal cannot be used: a reason in words, or the number of the first line that is not signed as the next line. */
export type JournalFault = { readonly why: string } | { readonly unverified: number };

/**
 * The tools to read a journal: the compiled schemas of its lines and of its plan, and the signer
 * that verifies its signatures.
 */
export interface JournalReading {
  readonly line: ValidateFunction;
  readonly plan: ValidateFunction;
  readonly signer: Signer;
}

/** The person or the pipeline that runs meshform. */
export interface RunBy {
  readonly machine: string;
  readonly person?: string | undefined;
  readonly link?: string | undefined;
}

/** The content of the first line of a journal, apart from the plan. */
export interface JournalHead extends JournalRun {
  /** The person or the pipeline that began the run. */
  readonly by?: RunBy | undefined;
  /** The id of the run that this run undoes. */
  readonly undoesRun?: string | undefined;
  /** Hazards that the flags of the run accepted, as `CODE` or `CODE=kind/name`. */
  readonly allow: readonly string[];
  /** The journal of the run that this run undoes. */
  readonly undoes?: string | undefined;
  /** Whether the run records the base when it is complete. */
  readonly recordsBase?: boolean;
  /** Whether the run only removes what has expired. */
  readonly onlyEnds?: boolean;
  /** Whether the run writes nothing and records a base with changed expiry times. */
  readonly changesEnds?: boolean;
}

/** The first line of a journal, with the plan that is about to be applied. */
export function journalHead({ document, digest }: SavedPlan, head: JournalHead): JsonObject {
  const { account, server, run, allow, undoes, undoesRun, by } = head;
  return {
    type: 'run',
    format_version: FORMAT_VERSION,
    account,
    server,
    run,
    plan_digest: digest,
    plan: document,
    allow,
    ...(undoes !== undefined && { undoes }),
    ...(undoesRun !== undefined && { undoes_run: undoesRun }),
    ...byWhom(by),
    ...(head.recordsBase && { records_base: true }),
    ...(head.onlyEnds && { only_ends: true }),
    ...(head.changesEnds && { changes_ends: true }),
  };
}

/** A line that begins the continuation of a run. */
export const journalResume = (by?: RunBy): JsonObject => ({ type: 'resume', ...byWhom(by) });

function byWhom(by: RunBy | undefined): JsonObject {
  if (by === undefined) return {};
  const { machine, person, link } = by;
  return {
    by: { machine, ...(person !== undefined && { person }), ...(link !== undefined && { link }) },
  };
}

/**
 * The last line of a run that nobody will continue, because a later run has completed the rest or a person has abandoned the run.
 */
export const journalEnd = (
  by: { readonly run: string } | 'person',
  leaves: readonly string[],
): JsonObject => ({
  type: 'close',
  complete: false,
  ...(by === 'person' ? { abandoned: true } : { closed_by: by.run }),
  leaves,
});

/** The last line of a run that was not interrupted. Says whether every action is done, and which base was recorded afterwards. */
export function journalClose(complete: boolean, base?: BaseCommit): JsonObject {
  if (base === undefined) return { type: 'close', complete };
  const { ref, commit, digest, recordedAt } = base;
  return { type: 'close', complete, base: { ref, commit, digest, recorded_at: recordedAt } };
}

/** The content of a journal, or why the journal cannot be used. */
export function journalOfText(text: string, reading: JournalReading): ReadJournal | JournalFault {
  const lines = text.split('\n').filter(line => line !== '');
  const [head, ...rest] = lines.map(parsed);
  if (!isObject(head) || head.type !== 'run') {
    return {
      why: isCutBeforeBegin(text)
        ? 'the run was cut off before it began'
        : 'it does not begin with the record of a run',
    };
  }
  const { format_version: version } = head;
  if (typeof version === 'string' && version.split('.')[0] !== FORMAT_VERSION.split('.')[0])
    return { why: `it is of format ${version}, and this meshform reads ${FORMAT_VERSION}` };
  const chain = isUnsigned(head) ? null : verifiedChain(lines, head, reading.signer);
  if (chain !== null && 'unverified' in chain) return chain;
  const content = contentOf(head, rest, reading);
  if (typeof content === 'string') return { why: content };
  const recordsBase = head.records_base === true;
  return { ...content, chain, server: chain?.server ?? content.plan.server, recordsBase };
}

/**
 * The content of a journal without verified signatures, from all readable lines or only from the first line. No action may rely
 * on this content. Undefined if the first line cannot be read.
 */
export function unverifiedJournal(
  text: string,
  reading: Omit<JournalReading, 'signer'>,
): ReadJournal | undefined {
  const [head, ...rest] = text.split('\n').map(line => withoutSignature(parsed(line)));
  if (!head || typeof head.server !== 'string' || typeof head.run !== 'string') return undefined;
  const { account, server, run } = head;
  const readable = rest.filter(line => line && lineFault(line, reading.line) === null);
  const whole = contentOf(head, readable, reading);
  const content = typeof whole === 'string' ? contentOf(head, [], reading) : whole;
  if (typeof content === 'string') return undefined;
  const of = { account: typeof account === 'string' ? account : null, server, run };
  const recordsBase = head.records_base === true;
  return { ...content, chain: new JournalChain(of, NO_KEY), server, recordsBase };
}

function withoutSignature(line: JsonObject | undefined): JsonObject | undefined {
  const { hmac: _, ...unsigned } = line ?? {};
  return line && unsigned;
}

const NO_KEY: Signer = { sign: () => '', isSigned: () => false };

/** Whether a journal contains only an incomplete first line, because its run was killed before it began. */
export function isCutBeforeBegin(text: string): boolean {
  const [first = '', ...more] = text.split('\n').filter(line => line !== '');
  return more.length === 0 && parsed(first) === undefined;
}

/** Whether every line of a journal is signed as the next line of one run; if `run` is given, of that run. */
export function isSignedJournal(text: string, signer: Signer, run?: string): boolean {
  const lines = text.split('\n').filter(line => line !== '');
  const head = parsed(lines[0] ?? '');
  if (head === undefined || (run !== undefined && head.run !== run)) return false;
  return !('unverified' in verifiedChain(lines, head, signer));
}

/** The address of the server in the first line of a journal, verified or not; undefined if the line contains none. */
export const serverIn = (text: string): string | undefined => textInHead(text, 'server');

/** The account in the first line of a journal, verified or not; undefined if the line contains none. */
export const accountIn = (text: string): string | undefined => textInHead(text, 'account');

function textInHead(text: string, name: 'server' | 'account'): string | undefined {
  const value = runInHead(text)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The fields of the run in the first line of a journal, verified or not; undefined if they cannot be read. The plan in this line
 * is not parsed, because it may be large.
 */
export function runInHead(text: string): JsonObject | undefined {
  const head = text.slice(0, text.indexOf('\n'));
  const plan = head.indexOf(PLAN_IN_HEAD);
  return (plan < 0 ? undefined : parsed(`${head.slice(0, plan)}}`)) ?? parsed(head);
}

/** The text before the plan in the first line. No JSON string can contain this text, because quotes would be escaped. */
const PLAN_IN_HEAD = ',"plan":';

/** Whether the first line of a journal, verified or not, belongs to a run that only removed what had expired. */
export const isOfEnds = (text: string): boolean =>
  parsed(text.slice(0, text.indexOf('\n')))?.only_ends === true;

const isUnsigned = ({ format_version: version, hmac }: JsonObject): boolean =>
  hmac === undefined && UNSIGNED.has(version);

// Verifies all lines. A line that is not JSON is the incomplete line of a killed run; it has no signature, and its content is
// ignored.
function verifiedChain(
  lines: readonly string[],
  { account, server, run }: JsonObject,
  signer: Signer,
): JournalChain | { readonly unverified: number } {
  if (typeof server !== 'string' || typeof run !== 'string') return { unverified: 1 };
  const of = { account: typeof account === 'string' ? account : null, server, run };
  const chain = new JournalChain(of, signer);
  const foreign = lines.findIndex(line => !chain.isNext(line) && jsonOf(line) !== undefined);
  return foreign < 0 ? chain : { unverified: foreign + 1 };
}

// The content of the lines, or why they cannot be read.
function contentOf(
  head: JsonObject,
  rest: readonly (JsonObject | undefined)[],
  reading: Omit<JournalReading, 'signer'>,
): Omit<ReadJournal, 'chain' | 'server' | 'recordsBase'> | string {
  const fault = lineFault(head, reading.line);
  if (fault !== null) return `line 1 ${fault}`;
  const found = recordedPlan(head, reading.plan);
  if (typeof found === 'string') return found;
  const actions = new Set<string>(found.plan.actions.map(({ id }) => id));
  const entries: JsonObject[] = [];
  for (const [index, entry] of rest.entries()) {
    const next = rest[index + 1];
    // A line that was cut off by a kill can be ignored. Any other unreadable line may contain a result.
    const isCut =
      entry === undefined &&
      (next === undefined ? index === rest.length - 1 : next.type === 'resume');
    const why = entry === undefined ? 'is not JSON' : lineFault(entry, reading.line);
    if (!isCut && why !== null) return `line ${index + 2} ${why}`;
    if (entry) entries.push(entry);
    const stranger = entry && actionIn(entry);
    if (stranger && !actions.has(stranger))
      return `line ${index + 2} names ${quoted(stranger)}, which is not an action of its plan`;
  }
  const lines = [head, ...entries];
  const ended = endOf(entries);
  const ownLines = entries.filter(entry => endOf([entry]) !== 'closed');
  const leaves = ended === 'closed' ? leavesIn(entries.at(-1)) : undefined;
  return {
    ...found,
    lines,
    entries: entries.filter(isEntry),
    ended,
    isCutOff: endOf(ownLines) === 'cut off',
    ...(leaves && { leaves }),
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
    : 'its plan does not have the digest that it names';
}

/** Whether the last line records the end of the run. The other lines are not parsed. */
export const isClosed = (text: string): boolean => lastLine(text)?.type === 'close';

/** Whether nothing of a run remains to be done, according to its last line. The other lines are not parsed. */
export function isFinished(text: string): boolean {
  const last = lastLine(text);
  return last !== undefined && endOf([last]) !== 'cut off' && endOf([last]) !== 'incomplete';
}

/**
 * Whether a complete run sent nothing: its journal is kept because it superseded an earlier run or
 * changed expiry times, and there is nothing to undo or to resume. The lines are not parsed.
 */
export const wroteNothing = (text: string): boolean =>
  isFinished(text) && !isClosedUnfinished(text) && !text.includes('"type":"send"');

/**
 * Whether the first line of a journal, verified or not, belongs to a run that wrote nothing and
 * only changed expiry times in the base.
 */
export const changesEnds = (text: string): boolean =>
  parsed(text.slice(0, text.indexOf('\n')))?.changes_ends === true;

/** Whether a later run, or a person, closed a run that was not finished. The other lines are not parsed. */
export function isClosedUnfinished(text: string): boolean {
  const last = lastLine(text);
  return last !== undefined && endOf([last]) === 'closed';
}

/** Whether a person closed an unfinished run, whose changes stay. The other lines are not parsed. */
export const isAbandoned = (text: string): boolean =>
  isClosedUnfinished(text) && lastLine(text)?.closed_by === undefined;

/**
 * Whether changes of a closed run may still be in the account. If a person closed it without listing them, the result is true.
 * The other lines are not parsed.
 */
export function leavesSomething(text: string): boolean {
  const last = lastLine(text);
  if (last === undefined || endOf([last]) !== 'closed') return false;
  return (
    leavesIn(last)?.length !== 0 && (last.leaves !== undefined || last.closed_by === undefined)
  );
}

/** The run that closed this run; undefined if a person closed it, or if it is not closed. The other lines are not parsed. */
export function closedBy(text: string): string | undefined {
  const by = lastLine(text)?.closed_by;
  return typeof by === 'string' ? by : undefined;
}

/** The time in the last line of a journal's text, in RFC 3339. */
export function lastMoment(text: string): string | undefined {
  const at = lastLine(text)?.at;
  return typeof at === 'string' ? at : undefined;
}

/**
 * The run that this run has undone completely, and the time at which the undo began; undefined if
 * this run has not undone any.
 */
export function undoIn(text: string): { readonly run: string; readonly at: string } | undefined {
  const first = text.slice(0, text.indexOf('\n'));
  if (!isFinished(text) || isClosedUnfinished(text) || !first.includes('"undoes_run":"'))
    return undefined;
  const head = parsed(first);
  const { undoes_run: run, at } = head ?? {};
  return typeof run === 'string' && typeof at === 'string' ? { run, at } : undefined;
}

/** Whether the last line of a journal contains the base that its run recorded. */
export const hasRecordedBase = (text: string): boolean => lastLine(text)?.base !== undefined;

/** Whether every action of a run is done, and the run was not meant to record a base. The other lines are not parsed. */
export function isCompleteWithoutBase(text: string): boolean {
  const last = lastLine(text);
  if (last === undefined || endOf([last]) !== 'complete' || last.base !== undefined) return false;
  return !recordsBaseIn(text);
}

/**
 * Whether every action of a run is done, and the base that it was meant to record is not recorded. The other lines are not
 * parsed.
 */
export function awaitsBase(text: string): boolean {
  const last = lastLine(text);
  if (last === undefined || endOf([last]) !== 'complete' || last.base !== undefined) return false;
  return recordsBaseIn(text);
}

function recordsBaseIn(text: string): boolean {
  const head = text.slice(0, text.indexOf('\n'));
  // The text is searched first, because most lines contain a large plan and need not be parsed.
  return head.includes('"records_base":true') && parsed(head)?.records_base === true;
}

function lastLine(text: string): JsonObject | undefined {
  const whole = text.trimEnd();
  return parsed(whole.slice(whole.lastIndexOf('\n') + 1));
}

/** The action of an entry. */
function actionIn({ type, action, outcome }: JsonObject): string | undefined {
  const named = type === 'end' && isObject(outcome) ? outcome.action : action;
  return TYPES.has(String(type)) && typeof named === 'string' ? named : undefined;
}

function endOf(entries: readonly JsonObject[]): ReadJournal['ended'] {
  const last = entries.at(-1);
  if (last?.type !== 'close') return 'cut off';
  if (last.abandoned === true || last.closed_by !== undefined) return 'closed';
  return last.complete === true ? 'complete' : 'incomplete';
}

const leavesIn = (last: JsonObject | undefined): readonly string[] | undefined =>
  isList(last?.leaves) ? last.leaves.map(String) : undefined;

const TYPES = new Set(['send', 'answer', 'kept', 'name', 'log', 'copied', 'members', 'end']);

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
