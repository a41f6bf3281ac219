// A saved plan, read back for a command.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gatesFault } from '../../access/gates/form.ts';
import { planFault } from '../../engine/plan/planFault.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/schema/keywords.ts';
import type { Plan } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { planOfText, type ReadPlan } from '../../report/plan/planFile.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings } from '../files/desired.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/**
 * Throws a `Stop` where a saved plan was made at another address than the one it is about to be carried out at: a copy
 * of a server has the same accounts and the same ids.
 */
export function refuseOtherServer({ server }: Plan, url: string, isAnyGood: boolean): void {
  if (isAnyGood || server === undefined || server === url) return;
  const message = `the plan was made for ${quoted(server)}, but the server is ${quoted(url)}`;
  const hint =
    'create a new plan here, or add --any-server if both addresses lead to the same server';
  throw new Stop(EXIT.refused, message, hint);
}

const SAVE_ONE = 'create a plan with `meshform plan --out FILE`';

/** Bytes. No text can hold more characters: what is larger is not read first. */
const LARGEST = 2 ** 29 - 25;

/** What is at a path that may be a saved plan. */
export interface PlanText {
  readonly text: string;
  /** Whether it was read from a pipe, and cannot be read again. */
  readonly isPiped: boolean;
}

/**
 * The text at `path` where that is a saved plan by its content, or can be nothing else; null where it is desired state.
 * `-` is what is piped in.
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

// A name proves nothing, but a file with this one is not read as desired state either.
const isNamedPlan = (path: string): boolean => path.endsWith('.json');

// A plan that was cut short is no JSON any more, and still no YAML that anybody wrote.
const looksLikePlan = (text: string): boolean =>
  text.trimStart().startsWith('{') && text.includes('"format_version"');

/** The plan at `path`, or the command stops. */
export async function planFileOrStop(path: string, kinds: KindTable, io: Io): Promise<ReadPlan> {
  const found = await planTextAt(path, io);
  if (found === null) throw new Stop(EXIT.invalid, `${quoted(path)} is not a saved plan`, SAVE_ONE);
  return savedPlanOrStop(found.text, { file: path, kinds }, io);
}

/** The plan in a text, or the command stops. `digest` is the one that was approved. */
export function savedPlanOrStop(
  text: string,
  { file, digest, kinds }: { file: string; digest?: string | undefined; kinds: KindTable },
  io: Io,
): ReadPlan {
  const isDocument = shippedSchemaCheck(shippedSchema('plan.schema.json'));
  const found = planOfText(text, file, isDocument);
  if ('diagnostic' in found) {
    printFindings([found.diagnostic], io);
    throw new Stop(EXIT.invalid, `${quoted(file)} cannot be used as a plan`, null);
  }
  const { gates } = found.plan;
  const fault = planFault(found.plan, kinds) ?? (gates ? gatesFault(gates) : null);
  if (fault !== null)
    throw new Stop(
      EXIT.invalid,
      `${quoted(file)} is not a plan of this meshform: ${fault}`,
      REMAKE,
    );
  if (digest !== undefined && digest !== found.digest) {
    const message = `${quoted(file)} is not the approved plan: its digest is ${found.digest}`;
    throw new Stop(EXIT.refused, message, 'apply the approved file, or approve this file');
  }
  return found;
}

const REMAKE = 'create a new plan; do not edit plan files';
