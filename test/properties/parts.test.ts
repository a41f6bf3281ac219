// Laws of policies with several rules, on servers that keep them whole and on servers that keep one policy a rule.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readTransport } from '../../src/api/transport/transport.ts';
import { planFault } from '../../src/engine/plan/planFault.ts';
import { compare } from '../../src/export/adoption/compare.ts';
import { oneFile } from '../../src/export/files.ts';
import { joinedAsDeclared } from '../../src/export/joinFiles.ts';
import { mergedFiles } from '../../src/export/merge.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { Desired } from '../../src/model/object.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { exportAccount } from '../../src/pipeline/exporting/exportAccount.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { apply, plan, type ReconcileOptions } from '../support/reconcile.ts';
import { SERVERS, type Server } from '../support/servers/servers.ts';
import { savedAndRead } from './appliedAccount.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

/** Names that can be taken for parts of each other. */
const NAMES = ['p', 'q', 'p / a', 'q / a / b'];
const RULES = ['a', 'b', 'c', 'a / b'];

interface Rule {
  readonly name: string;
  readonly port: number;
}

interface Policy {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly rules: readonly Rule[];
  readonly was: string | undefined;
}

const rule = fc.record({ name: fc.constantFrom(...RULES), port: fc.integer({ min: 1, max: 3 }) });
const policy = fc.record({
  name: fc.constantFrom(...NAMES),
  description: fc.constantFrom('', 'for people'),
  enabled: fc.boolean(),
  rules: fc.uniqueArray(rule, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
  was: fc.option(fc.constantFrom(...NAMES), { nil: undefined, freq: 4 }),
});
const policies = fc.uniqueArray(policy, {
  minLength: 1,
  maxLength: 3,
  selector: ({ name }) => name,
});

/** The policies as they are now, with `was` where one took the place of a former one. */
function after(from: readonly Policy[], to: readonly Policy[]): readonly Policy[] {
  const free = new Set(from.map(({ name }) => name));
  for (const { name } of to) free.delete(name);
  return to.map(one => {
    const isNew = !from.some(({ name }) => name === one.name);
    return isNew && free.delete(one.was ?? '') ? one : { ...one, was: undefined };
  });
}

function textOf(generated: readonly Policy[], withWas = false): string {
  const document = {
    groups: [{ name: 'g' }],
    policies: generated.map(({ was, rules, ...fields }) => ({
      ...fields,
      rules: rules.map(({ name, port }) => ({
        name,
        protocol: 'tcp',
        ports: [String(port)],
        sources: ['g'],
        destinations: ['g'],
      })),
      ...(withWas && was !== undefined && was !== fields.name && { lifecycle: { was } }),
    })),
  };
  return JSON.stringify(document);
}

async function onAccount(server: Server, story: (account: TestAccount) => Promise<void>) {
  const account = await startAccount(server);
  try {
    await story(account);
  } finally {
    await account.close();
  }
}

/** Applies, and holds what every apply must hold; null where there is a reason for no plan. */
async function settled(
  account: TestAccount,
  desired: readonly Desired[],
  options: ReconcileOptions,
): Promise<Settled | null> {
  const made = await plan(account, desired, options);
  if (hasErrors(made.diagnostics)) return null;
  // The account has the old name and the new name, because a part of another policy has it: the plan warns, and both stay.
  if (made.diagnostics.some(({ code }) => code === 'LIFECYCLE_IGNORED')) return null;
  expect(planFault(savedAndRead(made), KINDS)).toBeNull();
  const before = await idsOf(account);
  const { outcomes } = await apply(account, made, options);
  expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  const after = await idsOf(account);
  const goes = made.changes.flatMap(({ type, kind, id }) =>
    kind === 'policy' && (type === 'delete' || type === 'replace') && id ? [id] : [],
  );
  expect([...before.difference(after)].sort(), 'what is gone is what was to go').toEqual(
    goes.sort(),
  );
  const again = await plan(account, desired, options);
  expect(again.changes, 'a second plan is empty').toEqual([]);
  return { gone: goes.length };
}

interface Settled {
  readonly gone: number;
}

const listed = async (account: TestAccount): Promise<readonly { [name: string]: Json }[]> => {
  const found = await account.call('GET', '/api/policies');
  return isList(found) ? found.filter(isObject) : [];
};

const idsOf = async (account: TestAccount): Promise<ReadonlySet<string>> =>
  new Set((await listed(account)).map(({ id }) => String(id)));

/** The ports that are open by name of policy and rule, however many policies the server makes of it. */
async function openPorts(account: TestAccount, dialect: Dialect): Promise<readonly string[]> {
  return (await listed(account))
    .filter(({ name }) => name !== 'Default')
    .flatMap(({ name, description, enabled, rules }) => {
      const items = (isList(rules) ? rules : []).filter(isObject);
      if (dialect === 'netbird') expect(items.length).toBe(1);
      return items.map(item =>
        JSON.stringify([name, description, enabled, item.name, item.ports ?? null]),
      );
    })
    .sort();
}

function expectedPorts(generated: readonly Policy[], dialect: Dialect): readonly string[] {
  return generated
    .flatMap(({ name, description, enabled, rules }) =>
      rules.map(one => {
        const isPart = dialect === 'netbird' && rules.length > 1;
        const called = isPart ? `${name} / ${one.name}` : name;
        return JSON.stringify([called, description, enabled, one.name, [String(one.port)]]);
      }),
    )
    .sort();
}

const exported = (account: TestAccount, dialect: Dialect) =>
  exportAccount(loadSchemas(KINDS), readTransport(account.transport), {
    dialect,
    now: 0,
    concurrency: 1,
    selection: { kinds: new Set(), only: [] },
  });

describe.each(SERVERS)('on a server of dialect $dialect, edition $edition', server => {
  const { dialect } = server;
  test('with a pruned base, the account has the declared rules and no others', () =>
    law(fc.tuple(policies, policies), 15, ([from, to]) =>
      onAccount(server, async account => {
        const base = desiredOf(textOf(from));
        if (!(await settled(account, base, { dialect }))) return;
        expect(await openPorts(account, dialect)).toEqual(expectedPorts(from, dialect));
        const options = { dialect, base, prune: 'removed' } as const;
        if (!(await settled(account, desiredOf(textOf(after(from, to), true)), options))) return;
        expect(await openPorts(account, dialect)).toEqual(expectedPorts(to, dialect));
      }),
    ));

  test('without pruning, a policy that stays declared keeps no rule that the files removed', () =>
    law(fc.tuple(policies, policies), 10, ([from, to]) =>
      onAccount(server, async account => {
        const base = desiredOf(textOf(from));
        if (!(await settled(account, base, { dialect }))) return;
        const desired = to.filter(({ name }) => from.some(former => former.name === name));
        const taken = new Set(
          desired.flatMap(({ name, rules }) => [
            name,
            ...rules.map(one => `${name} / ${one.name}`),
          ]),
        );
        const stays = from.filter(({ name }) => !taken.has(name));
        if (stays.length + desired.length < from.length) return;
        if (desired.length === 0) return;
        if (!(await settled(account, desiredOf(textOf(desired)), { dialect, base }))) return;
        const expected = expectedPorts([...stays, ...desired], dialect);
        expect(await openPorts(account, dialect)).toEqual(expected);
      }),
    ));

  test('an export has an empty plan, and leaves nothing out', () =>
    law(policies, 15, generated =>
      onAccount(server, async account => {
        if (!(await settled(account, desiredOf(textOf(generated)), { dialect }))) return;
        const { model } = await exported(account, dialect);
        expect(model.leftOut.filter(({ kind }) => kind === 'policy')).toEqual([]);
        const text = oneFile(model, KINDS);
        const made = await plan(account, desiredOf(text), { dialect });
        expect(made.diagnostics).toEqual([]);
        expect(made.changes).toEqual([]);
      }),
    ));

  test('an export into files leaves a plan of only what it reports, and a second export changes nothing', () =>
    law(fc.tuple(policies, policies), 15, ([from, to]) =>
      onAccount(server, async account => {
        if (!(await settled(account, desiredOf(textOf(to)), { dialect }))) return;
        const { model, snapshot } = await exported(account, dialect);
        const into = (text: string) => {
          const input = { kinds: KINDS, desired: desiredOf(text), snapshot, dialect, now: 0 };
          const comparison = compare({ ...input, folder: '' });
          if (hasErrors(comparison.plan.diagnostics)) return null;
          const live = snapshot.objects;
          const joining = { kinds: KINDS, live, dialect };
          const { objects, unchanged } = joinedAsDeclared(model.objects, comparison, joining);
          const files = [{ file: 'network.yaml', text }];
          const result = mergedFiles({
            kinds: KINDS,
            model: { ...model, objects },
            files,
            comparison,
            unchanged,
            newFileFor: () => 'network.yaml',
          });
          return {
            comparison,
            ...result,
            text: result.files.find(({ file }) => file === 'network.yaml')?.text ?? text,
          };
        };
        const first = into(textOf(from));
        const again = first && into(first.text);
        if (!first || !again) return;
        expect(again.files).toEqual([]);
        const reported = new Set(again.unchanged.map(({ at }) => at.line));
        const left = again.comparison.plan.changes.filter(
          ({ type, at }) => type !== 'create' && !(at && reported.has(at.line)),
        );
        expect(left).toEqual([]);
      }),
    ));
});
