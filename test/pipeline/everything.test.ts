// The account that holds everything, on both dialects and editions, as far as those have it: applied, changed in every field,
// changed by hand, exported, and applied elsewhere. What a server does not offer is reported.
import { describe, expect, onTestFinished, test } from 'vitest';
import { refusedFieldsIn } from '../../src/kinds/dialect/refusedFields.ts';
import type { Field, Kind } from '../../src/kinds/kind.ts';
import { shippedSchemaCheck } from '../../src/kinds/shippedChecks.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import { present } from '../../src/model/errors.ts';
import type { KindName } from '../../src/model/names.ts';
import type { Desired } from '../../src/model/object.ts';
import { isSecret } from '../../src/model/secrets/secret.ts';
import { type Fields, isObject, type Json } from '../../src/model/value.ts';
import type { TestAccount } from '../support/account.ts';
import { environmentOf, meshform } from '../support/cli.ts';
import { accountForEverything, everything, SECRETS } from '../support/examples/everything.ts';
import { KINDS, loadFiles } from '../support/files.ts';
import { pictureOf } from '../support/picture.ts';
import { plan, reconcile } from '../support/reconcile.ts';
import { offeredKinds, offeredOf, SERVERS } from '../support/servers/servers.ts';

const kindOf = (name: KindName): Kind => present(KINDS.get(name), name);

test('the example declares every kind that files can declare, without a fault', () => {
  const { desired, diagnostics } = everything();
  const declarable = [...KINDS.values()].filter(({ verbs }) => verbs.size > 0);
  expect(new Set(desired.map(({ kind }) => kind))).toEqual(
    new Set(declarable.map(({ name }) => name)),
  );
  expect(diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED')).toEqual([]);
});

describe.each(SERVERS)('$dialect, $edition', ({ dialect, edition }) => {
  test('kinds that it does not offer are reported if declared, and nothing is planned', async () => {
    const all = everything().desired;
    const account = await accountForEverything(all, dialect, edition);
    onTestFinished(() => account.close());
    const made = await plan(account, all);
    const missing = new Set(KINDS.keys()).difference(offeredKinds({ dialect, edition }));
    const reported = made.diagnostics.filter(({ code }) => code === 'KIND_UNAVAILABLE');
    expect(reported.length > 0).toBe(missing.size > 0);
    expect(made.actions.length > 0).toBe(missing.size === 0);
  });

  test('everything is created, changed in every field, reverted and exported to another account', async () => {
    const start = () => accountForEverything(everything().desired, dialect, edition);
    const account = await start();
    const elsewhere = await start();
    onTestFinished(async () => {
      await account.close();
      await elsewhere.close();
    });
    const first = offeredOf({ dialect, edition }, everything().desired);
    const { plan: made } = await settled(account, first, dialect);
    expect(made.diagnostics).toEqual([]);
    expect((await plan(account, first)).diagnostics).toEqual([]);

    const changed = first.map(object => changedIn(object, first, dialect));
    const fields = changed.flatMap((object, i) =>
      Object.keys(object.fields).filter(
        name => JSON.stringify(object.fields[name]) !== JSON.stringify(first[i]?.fields[name]),
      ),
    );
    expect(fields.length).toBeGreaterThan(20);
    await settled(account, changed, dialect, first);

    await drift(account);
    const { plan: undone } = await settled(account, changed, dialect, changed);
    expect(undone.actions.length).toBeGreaterThan(0);

    const { stdout, code, stderr } = await meshform(
      ['export', '--dialect', dialect, '--out', '-'],
      { env: environmentOf(account), now: Date.parse('2026-01-02T03:04:05Z') },
    );
    expect(code, stderr).toBe(0);
    const { desired: exported, diagnostics } = loadFiles({ 'export.yaml': stdout });
    expect(
      diagnostics.filter(
        ({ severity, code: why }) => severity === 'error' && why !== 'SECRET_UNDEFINED',
      ),
    ).toEqual([]);
    expect((await plan(account, exported, { dialect })).changes).toEqual([]);
    await settled(elsewhere, exported, dialect, [], stdout);
  });
});

/** Plans and applies without a fault, after which nothing is left to do. */
async function settled(
  account: TestAccount,
  desired: readonly Desired[],
  dialect: Dialect,
  base: readonly Desired[] = [],
  text = '',
) {
  const named = [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => [name, 'hush']);
  const settings = { dialect, base, env: { ...SECRETS, ...Object.fromEntries(named) } };
  const ended = await reconcile(account, desired, settings);
  expect(ended.plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(ended.result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  const again = await plan(account, desired, { dialect, base: desired });
  expect(again.changes).toEqual([]);
  return ended;
}

/** The same object with another value in every field that an update can change. */
function changedIn(object: Desired, all: readonly Desired[], dialect: Dialect): Desired {
  const kind = kindOf(object.kind);
  const identity = new Set(kind.identity.flat().map(part => part.split('.')[0]));
  const entries = Object.entries(object.fields).map(([name, value]): [string, Json] => {
    const field = kind.shape.fields.get(name);
    const isFixed =
      !field || identity.has(name) || field.immutable || field.inputOnly || field.irreversible;
    if (isFixed || (field.changeRequires !== undefined && kind.verbs.has('create') === false))
      return [name, value];
    const other = otherValue(field, value, all);
    const isTaken = refusedFieldsIn(kind.shape, { [name]: other }, dialect).length === 0;
    return [name, isTaken && isAdmitted(kind, { ...object.fields, [name]: other }) ? other : value];
  });
  return { ...object, fields: Object.fromEntries(entries) };
}

/** Whether the schema of the kind admits these fields together. */
function isAdmitted(kind: Kind, fields: Fields): boolean {
  const written = JSON.parse(JSON.stringify(fields), (_, item) =>
    isSecret(item) ? 'secret' : item,
  );
  return shippedSchemaCheck(kind.schema)(written);
}

function otherValue({ shape, schema, name }: Field, value: Json, all: readonly Desired[]): Json {
  if (typeof value === 'boolean') return name === 'is_blocked' ? value : !value;
  if (typeof value === 'number') {
    const most = Number(schema.maximum ?? Number.MAX_SAFE_INTEGER);
    return value + 1 <= most ? value + 1 : value - 1;
  }
  if (shape.type === 'scalar' && !shape.ref && !shape.secret && typeof value === 'string') {
    const others = Array.isArray(schema.enum) ? schema.enum.filter(one => one !== value) : [];
    if (others.length > 0) return value;
    return schema.format === undefined && schema.pattern === undefined
      ? `${value} (changed)`
      : value;
  }
  if (shape.type !== 'list' || !shape.set || !Array.isArray(value)) return value;
  const { ref } = shape.items.type === 'scalar' ? shape.items : { ref: undefined };
  if (ref === undefined) return value;
  const more = all.find(({ kind, key }) => kind === ref && !value.includes(key));
  return more ? [...value, more.key] : value;
}

/** Somebody changes a group, a policy and a network by hand. */
async function drift(account: TestAccount): Promise<void> {
  for (const { live } of await pictureOf(account)) {
    if (live.reserved !== undefined || live.parentId !== undefined) continue;
    const path = `${kindOf(live.kind).path}/${live.id}`;
    if (!['/api/groups', '/api/networks', '/api/policies'].includes(kindOf(live.kind).path))
      continue;
    const body = await account.call('GET', path);
    if (!isObject(body)) continue;
    const ids = (list: Json | undefined) =>
      Array.isArray(list) ? list.map(one => (isObject(one) ? (one.id ?? '') : one)) : [];
    if (live.kind === 'policy') {
      const rules = Array.isArray(body.rules) ? body.rules : [];
      const plain = rules.filter(isObject).map(rule => {
        const held = Object.entries(rule).filter(([, value]) => value !== null);
        const sides = held.filter(([name]) => name === 'sources' || name === 'destinations');
        const plainSides = sides.map(([name, value]) => [name, ids(value)]);
        return { ...Object.fromEntries(held), ...Object.fromEntries(plainSides) };
      });
      await account.call('PUT', path, { ...body, enabled: body.enabled !== true, rules: plain });
    } else if (live.kind === 'group')
      await account.call('PUT', path, {
        name: body.name ?? '',
        peers: [],
        resources: body.resources ?? [],
      });
    else await account.call('PUT', path, { name: body.name ?? '', description: 'by hand' });
  }
}
