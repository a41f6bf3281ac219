// A saved plan, read back for a command.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { schemaCompiler } from '../kinds/keywords.ts';
import { shippedSchema } from '../kinds/registry.ts';
import type { Plan } from '../model/plan.ts';
import { reasonOf } from '../read/fileText.ts';
import { planOfText } from '../report/planFile.ts';
import { printFindings, stopOnErrors } from './desired.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

/** Whether an argument names a saved plan rather than desired state. */
export const isSavedPlan = (path: string): boolean => path.endsWith('.json');

/** The plan in `file`, or the command stops. */
export async function savedPlanOrStop(file: string, io: Io): Promise<Plan> {
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch(error => {
    throw new Stop(EXIT.invalid, `the plan \`${file}\` cannot be read: ${reasonOf(error)}`);
  });
  const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));
  const found = planOfText(text, file, isDocument);
  if ('plan' in found) return found.plan;
  printFindings([found.diagnostic], io);
  stopOnErrors([found.diagnostic]);
  throw new Stop(EXIT.invalid, found.diagnostic.message);
}
