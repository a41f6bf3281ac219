// Plan and apply in a test, as the command line would, without its words.
import { readTransport, writeTransport } from '../../src/api/transport/transport.ts';
import type { RunEvent } from '../../src/apply/port.ts';
import { carryOut } from '../../src/apply/run/carryOut.ts';
import type { PlanSettings } from '../../src/engine/types/settings.ts';
import type { DialectChoice } from '../../src/kinds/traits.ts';
import type { Desired } from '../../src/model/object.ts';
import type { RunResult } from '../../src/model/outcome.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { AccessSettings } from '../../src/pipeline/access/accessSettings.ts';
import { planDesired } from '../../src/pipeline/planning/planDesired.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import type { TestAccount } from './account.ts';
import { KINDS } from './files.ts';

const tools = loadSchemas(KINDS);

export interface ReconcileOptions extends Partial<Omit<PlanSettings, 'dialect'>> {
  readonly dialect?: DialectChoice;
  readonly base?: readonly Desired[];
  readonly env?: Readonly<Record<string, string>>;
  readonly concurrency?: number;
  /** What the plan's access is held against. */
  readonly access?: Omit<AccessSettings, 'desired'>;
  readonly onEvent?: (event: RunEvent) => void;
}

/** The plan for `desired` on this account. */
export function plan(
  account: TestAccount,
  desired: readonly Desired[],
  { base = [], concurrency = 4, ...settings }: ReconcileOptions = {},
): Promise<Plan> {
  return planDesired(tools, { desired, base, folder: 'test' }, readTransport(account.transport), {
    dialect: account.server.dialect,
    prune: 'none',
    allow: [],
    thresholds: {},
    ...settings,
    concurrency,
  });
}

/** Carries out a plan as it is; hazards are the command line's to refuse. */
export function apply(
  account: TestAccount,
  made: Plan,
  { env = {}, concurrency = 4, onEvent }: ReconcileOptions = {},
): Promise<RunResult> {
  const inputs = { env: (name: string) => env[name], file: () => undefined };
  const options = { inputs, concurrency, now: () => 0, planReadAt: 0, ...(onEvent && { onEvent }) };
  return carryOut(tools, made, writeTransport(account.transport), options);
}

/** Plans and applies in one go. */
export async function reconcile(
  account: TestAccount,
  desired: readonly Desired[],
  options: ReconcileOptions = {},
): Promise<{ plan: Plan; result: RunResult }> {
  const made = await plan(account, desired, options);
  return { plan: made, result: await apply(account, made, options) };
}
