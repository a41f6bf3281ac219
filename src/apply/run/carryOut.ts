// Carries out a plan over a transport. The modules for a run are loaded here, and only when there
// are actions to run.
import type { ReadTransport, WriteTransport } from '../../api/transport/transport.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { kindsIn } from '../../kinds/schema/table.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Address } from '../../model/names.ts';
import type { RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { type SecretSources, secretOpener } from '../secrets/opener.ts';
import type { RunOptions } from './run.ts';

/** The kinds of the objects in a plan. */
interface Kinds {
  readonly kinds: KindTable;
}

/** Carries out a plan without a lock, a journal or a check of hazards (see `applySaved`). */
export async function carryOut(
  { kinds }: Kinds,
  plan: Plan,
  transport: WriteTransport,
  options: {
    readonly inputs: SecretSources;
  } & Omit<RunOptions, 'kinds' | 'port' | 'openSecret'>,
): Promise<RunResult> {
  if (hasErrors(plan.diagnostics)) return { outcomes: [], requests: 0, written: 0 };
  const [{ runPlan }, { accountPort }] = await Promise.all([
    import('./run.ts'),
    import('../../api/account/port.ts'),
  ]);
  const served = kindsIn(kinds, plan.dialect);
  return runPlan(plan, {
    ...options,
    kinds: served,
    port: accountPort(transport, served),
    openSecret: secretOpener(options.inputs),
  });
}

/**
 * The addresses of the objects that differ from the result of a complete run of the plan. Never
 * writes.
 */
export async function resultsLost(
  { kinds }: Kinds,
  plan: Plan,
  earlier: EarlierRun,
  transport: ReadTransport,
  {
    inputs,
    ...options
  }: {
    readonly now: () => number;
    readonly concurrency: number;
    readonly inputs: SecretSources;
  },
): Promise<readonly Address[]> {
  const [{ lostResults }, { readPort }] = await Promise.all([
    import('./recovery/results.ts'),
    import('../../api/account/port.ts'),
  ]);
  const port = readPort(transport);
  return lostResults(plan, earlier, {
    ...options,
    openSecret: secretOpener(inputs),
    kinds: kindsIn(kinds, plan.dialect),
    port,
  });
}
