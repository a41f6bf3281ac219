// Reads a saved plan for a command.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openPlan } from '../../apply/preconditions/openPlan.ts';
import { isRefusal } from '../../apply/refusal.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { Stop } from '../stop.ts';

const SAVE_ONE = 'create a plan with `meshform plan --out FILE`';

/**
 * The maximum size in bytes. A JavaScript string cannot be longer, so a larger file is refused
 * before it is read.
 */
const LARGEST = 2 ** 29 - 25;

/** The text of a file that may be a saved plan. */
export interface PlanText {
  readonly text: string;
  /** Whether the text came from a pipe and cannot be read again. */
  readonly isPiped: boolean;
}

/**
 * The text at `path` if its content or its name shows that it is a saved plan; null if it is
 * desired state. `-` is stdin.
 */
export async function planTextAt(path: string, io: Io): Promise<PlanText | null> {
  if (path === '-') return { text: await io.stdin(), isPiped: true };
  const file = resolve(io.cwd, path);
  const found = await stat(file).catch(() => null);
  if (found === null ? !isNamedPlan(path) : found.isDirectory()) return null;
  const unread = (why: string): Stop =>
    new Stop(EXIT.invalid, `the plan ${quoted(path)} cannot be read: ${why}`, SAVE_ONE);
  if (found !== null && found.size > LARGEST) throw unread('it is larger than 512 MB');
  const text = await readFile(file, 'utf8').catch(error => {
    throw unread(reasonOf(error));
  });
  const isPiped = found?.isFile() !== true;
  return isPiped || isNamedPlan(path) || looksLikePlan(text) ? { text, isPiped } : null;
}

/**
 * Throws a `Stop` if one of several paths is a saved plan. Several paths are layers of desired
 * state, and a plan is applied alone.
 */
export async function refusePlanAmong(paths: readonly string[], io: Io): Promise<void> {
  for (const path of paths) {
    if (path !== '-' && (await planTextAt(path, io)) === null) continue;
    const message = `${quoted(path)} is a saved plan, and ${paths.length} paths are named: layers are folders or files of desired state`;
    throw new Stop(EXIT.usage, message, 'apply the plan alone: `meshform apply FILE`');
  }
}

// A file with the suffix of saved plans is never read as desired state, whatever it contains.
const isNamedPlan = (path: string): boolean => path.endsWith('.json');

// Whether a text looks like a saved plan. Also recognises a truncated plan, which is no longer
// valid JSON. Hand-written YAML does not look like a plan.
const looksLikePlan = (text: string): boolean =>
  text.trimStart().startsWith('{') && text.includes('"format_version"');

/** The plan at `path`; stops the command if there is none. `digest` is the digest of the approved plan. */
export async function planFileOrStop(
  path: string,
  kinds: KindTable,
  io: Io,
  digest?: string,
): Promise<SavedPlan> {
  const found = await planTextAt(path, io);
  if (found === null) throw await noPlan(path, io);
  return savedPlanOrStop(found.text, { file: path, kinds, digest }, io);
}

async function noPlan(path: string, io: Io): Promise<Stop> {
  const isThere = (await stat(resolve(io.cwd, path)).catch(() => null)) !== null;
  if (!isThere)
    return new Stop(
      EXIT.invalid,
      `the plan ${quoted(path)} cannot be read: it does not exist`,
      SAVE_ONE,
    );
  const isJournal = /\.(jsonl|ndjson)$/.test(path);
  return isJournal
    ? new Stop(
        EXIT.invalid,
        `${quoted(path)} is not a saved plan: it looks like a journal, in which an apply records what it sends`,
        `\`meshform apply --resume ${shellWord(path)}\` continues that apply, and --undo undoes it`,
      )
    : new Stop(EXIT.invalid, `${quoted(path)} is not a saved plan`, SAVE_ONE);
}

/** The plan in a text; stops the command if the text contains none. `digest` is the digest of the approved plan. */
export function savedPlanOrStop(
  text: string,
  asked: { file: string; digest?: string | undefined; kinds: KindTable },
  io: Io,
): SavedPlan {
  const found = openPlan(text, asked);
  if (isRefusal(found)) throw stopOf(found, io);
  return found;
}
