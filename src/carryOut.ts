// From a plan to the account: the end of the way that `pipeline.ts` begins.
import type { ReadTransport, WriteTransport } from './api/transport/transport.ts';
import type { OpenSecret } from './apply/run/port.ts';
import type { RunOptions } from './apply/run/run.ts';
import { kindsIn } from './kinds/schema/table.ts';
import { hasErrors } from './model/diagnostic.ts';
import type { EarlierRun } from './model/journal.ts';
import type { Address } from './model/names.ts';
import type { RunResult } from './model/outcome.ts';
import type { Plan } from './model/plan.ts';
import { isHosted } from './model/secrets/hostedSecret.ts';
import type { Toolbox } from './pipeline.ts';
import { type HostedInputs, openHosted } from './source/values/openHosted.ts';
import { type Decrypt, openSecret } from './source/values/openSecret.ts';

/** What secrets are filled from. */
export type SecretSources = HostedInputs & {
  /** Opens encrypted files; none can be opened without it. */
  readonly decrypt?: Decrypt;
};

/** Opens secrets, each at the moment it is asked for. */
export function secretOpener({ decrypt = sealed, ...inputs }: SecretSources): OpenSecret {
  return secret =>
    isHosted(secret)
      ? openHosted(secret, inputs, decrypt)
      : openSecret(secret.$secret, inputs, decrypt);
}

const sealed: Decrypt = () =>
  Promise.resolve({ why: 'it cannot be read here', hint: 'use ${env:NAME} instead' });

/** Carries a plan out. */
export async function carryOut(
  { kinds }: Toolbox,
  plan: Plan,
  transport: WriteTransport,
  options: {
    readonly inputs: SecretSources;
  } & Omit<RunOptions, 'kinds' | 'port' | 'openSecret'>,
): Promise<RunResult> {
  if (hasErrors(plan.diagnostics)) return { outcomes: [], requests: 0, written: 0 };
  const [{ runPlan }, { accountPort }] = await Promise.all([
    import('./apply/run/run.ts'),
    import('./api/account/port.ts'),
  ]);
  return runPlan(plan, {
    ...options,
    kinds: kindsIn(kinds, plan.dialect),
    port: accountPort(transport),
    openSecret: secretOpener(options.inputs),
  });
}

/** The objects that are no longer what a complete run of the plan made them. Never writes. */
export async function resultsLost(
  { kinds }: Toolbox,
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
    import('./apply/recovery/results.ts'),
    import('./api/account/port.ts'),
  ]);
  const port = readPort(transport);
  return lostResults(plan, earlier, {
    ...options,
    openSecret: secretOpener(inputs),
    kinds: kindsIn(kinds, plan.dialect),
    port,
  });
}
