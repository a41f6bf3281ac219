// A generated account as a server holds it: an emulator on loopback that was brought there by an apply.
import { expect } from 'vitest';
import { planFault } from '../../src/engine/plan/planFault.ts';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import type { Change } from '../../src/model/change.ts';
import type { Desired } from '../../src/model/object.ts';
import type { RunResult } from '../../src/model/outcome.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isSecret } from '../../src/model/secrets/secret.ts';
import { isObject } from '../../src/model/value.ts';
import { planOfText } from '../../src/report/plan/planFile.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { KINDS } from '../support/files.ts';
import { apply, plan, type ReconcileOptions } from '../support/reconcile.ts';
import { appear, appearing } from '../support/servers/appear.ts';
import { offeredKinds, type Server } from '../support/servers/servers.ts';
import { ENROLLED } from './generators/accounts.ts';
import { SECRET } from './generators/values.ts';
import { asPlanned, ROUNDS } from './plannedObjects.ts';

/** What every run here is made with. */
export const OUTSIDE: ReconcileOptions = { env: { [SECRET]: 'a secret' } };

/** Starts an account with the peers that generated objects speak of, and ends it when `story` has ended. */
export async function onAccount<T>(
  server: Server,
  story: (account: TestAccount) => Promise<T>,
): Promise<T> {
  const account = await startAccount(server);
  try {
    const owner = await account.call('GET', '/api/users/current');
    // Only what a person enrols can be told to expire.
    const more = { user_id: isObject(owner) ? (owner.id ?? '') : '' };
    for (const kind of appearing(offeredKinds(server)))
      for (const name of ENROLLED) await appear(account.control, kind, name, more);
    return await story(account);
  } finally {
    await account.close();
  }
}

/** Plans and applies; every action must succeed, with no more requests than planned, and a second plan must be empty. */
export async function settle(
  account: TestAccount,
  desired: readonly Desired[],
  options: ReconcileOptions = {},
): Promise<{ plan: Plan; result: RunResult }> {
  const settings = { ...OUTSIDE, ...options };
  const made = await plan(account, desired, settings);
  expect(made.diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([]);
  expect(planFault(savedAndRead(made), KINDS)).toBeNull();
  const result = await apply(account, made, settings);
  expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(result.requests).toBeLessThanOrEqual(made.requests.planned);
  const again = await plan(account, desired, settings);
  expect(leftToDo(again)).toEqual([]);
  return { plan: made, result };
}

/** A plan as it comes back from its file. */
export function savedAndRead(made: Plan): Plan {
  const { document, plan: stamped } = savedPlan(made, KINDS, 0);
  const read = planOfText(JSON.stringify(document), 'plan.json', IS_PLAN);
  if ('diagnostic' in read) throw new Error(read.diagnostic.message);
  expect(read.plan).toEqual(stamped);
  return read.plan;
}

const IS_PLAN = schemaCompiler().compile(shippedSchema('plan.schema.json'));

/**
 * What a second plan would do. With an old base a secret that came since looks new for ever: nobody can read what the
 * account has of it.
 */
export function leftToDo({ changes }: Plan): readonly Change[] {
  const isSecretAlone = ({ type, fields }: Change) =>
    type === 'update' &&
    fields.length > 0 &&
    fields.every(change => change.type === 'value' && isSecret(change.after));
  return changes.filter(change => !isSecretAlone(change));
}

/** The same objects, with the `was` that a plan for this account says to write where a name is in the way. */
export async function withMoves(
  account: TestAccount,
  desired: readonly Desired[],
  options: ReconcileOptions,
): Promise<readonly Desired[]> {
  let reported = desired;
  for (let round = 0; round < ROUNDS; round++) {
    const { diagnostics } = await plan(account, reported, { ...OUTSIDE, ...options });
    if (!diagnostics.some(({ code }) => code === 'OBJECT_IN_THE_WAY')) break;
    reported = asPlanned(reported, diagnostics);
  }
  return reported;
}

/** The methods of what the server was asked since. */
export function methodsSince(account: TestAccount, from: number): ReadonlySet<string> {
  return new Set(account.requests.slice(from).map(({ method }) => method));
}
