// A saved plan, read back for a command.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { schemaCompiler } from '../kinds/keywords.ts';
import { shippedSchema } from '../kinds/registry.ts';
import type { Plan } from '../model/plan.ts';
import { quoted } from '../model/visible.ts';
import { reasonOf } from '../read/fileText.ts';
import { planOfText } from '../report/planFile.ts';
import { printFindings, stopOnErrors } from './desired.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

/** Whether an argument names a saved plan rather than desired state. */
export const isSavedPlan = (path: string): boolean => path.endsWith('.json');

/**
 * Throws a `Stop` where a saved plan was made at another address than the one it is about to be carried out at: a copy
 * of a server has the same accounts and the same ids.
 */
export function refuseOtherServer({ server }: Plan, url: string, isAnyGood: boolean): void {
  if (isAnyGood || server === undefined || server === url) return;
  const message = `the plan was made at ${quoted(server)}, and this is ${quoted(url)}`;
  const hint = 'make a new plan here, or add --any-server where both are the same server';
  throw new Stop(EXIT.refused, message, hint);
}

/** The plan in `file`, or the command stops. */
export async function savedPlanOrStop(file: string, io: Io): Promise<Plan> {
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch(error => {
    throw new Stop(EXIT.invalid, `the plan ${quoted(file)} cannot be read: ${reasonOf(error)}`);
  });
  const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));
  const found = planOfText(text, file, isDocument);
  if ('plan' in found) return found.plan;
  printFindings([found.diagnostic], io);
  stopOnErrors([found.diagnostic]);
  throw new Stop(EXIT.invalid, found.diagnostic.message);
}
