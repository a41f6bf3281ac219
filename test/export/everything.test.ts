// The whole way with every kind: files become an account, the account becomes files, and those become the same account
// somewhere else.
import { describe, expect, test } from 'vitest';
import { readTransport } from '../../src/api/transport/transport.ts';
import type { Edition } from '../../src/contract/index.ts';
import { oneFile } from '../../src/export/files.ts';
import { everyObject } from '../../src/export/model.ts';
import { DIALECTS, type Dialect } from '../../src/kinds/traits.ts';
import type { KindName } from '../../src/model/names.ts';
import type { Desired } from '../../src/model/object.ts';
import { exportAccount } from '../../src/pipeline/exporting/exportAccount.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import type { TestAccount } from '../support/account.ts';
import { accountForEverything, everything } from '../support/examples/everything.ts';
import { KINDS, load } from '../support/files.ts';
import { pictureOf } from '../support/picture.ts';
import { apply, plan } from '../support/reconcile.ts';
import { offeredKinds } from '../support/servers/servers.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
interface Server {
  readonly dialect: Dialect;
  readonly edition: Edition;
}
const SERVERS: readonly Server[] = DIALECTS.flatMap(dialect =>
  (['cloud', 'self-hosted'] as const).map(edition => ({ dialect, edition })),
);
const OUTSIDE = { env: () => 'there', file: () => undefined, vars: new Map<string, string>() };
/** An account with the machines that the example speaks of, brought to what `desired` says. */
async function accountWith(
  desired: readonly Desired[],
  { dialect, edition }: Server,
): Promise<TestAccount> {
  const account = await accountForEverything(everything().desired, dialect, edition);
  const options = { dialect, now: NOW, hasSink: true } as const;
  const made = await plan(account, desired, options);
  expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const env = new Proxy({}, { get: () => 'there' });
  const { outcomes } = await apply(account, made, { ...options, env });
  expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  expect((await plan(account, desired, options)).changes).toEqual([]);
  return account;
}

async function exported(account: TestAccount, dialect: Dialect) {
  const { model, snapshot } = await exportAccount(
    loadSchemas(KINDS),
    readTransport(account.transport),
    { dialect, now: NOW, concurrency: 4, selection: { kinds: new Set(), only: [] } },
  );
  const { desired, diagnostics } = load(oneFile(model, KINDS), OUTSIDE);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { desired, model, snapshot };
}

/** Fields by the name of their object; ids and reserved objects aside. */
async function held(account: TestAccount): Promise<Readonly<Record<string, unknown>>> {
  const picture = await pictureOf(account);
  return Object.fromEntries(
    picture
      .filter(({ live }) => live.reserved === undefined)
      .map(({ name, fields }) => [name, fields]),
  );
}

describe.each(SERVERS)('in dialect $dialect, edition $edition', server => {
  const { dialect } = server;
  const offered = offeredKinds(server);

  test('every kind that it offers is exported and applied again', async () => {
    const { desired } = everything();
    const wanted = desired.filter(
      ({ kind, fields }) =>
        offered.has(kind) &&
        !(dialect === 'netbird' && Array.isArray(fields.rules) && fields.rules.length > 1),
    );
    const first = await accountWith(wanted, server);
    const export_ = await exported(first, dialect);
    const missing = [...KINDS.keys()].filter(name => !offered.has(name));
    expect([...export_.snapshot.unavailable.keys()]).toEqual(missing);
    expect([...(export_.snapshot.notOffered ?? [])].sort()).toEqual([...missing].sort());
    const isNamed = (kind: KindName) => KINDS.get(kind)?.verbs.size === 0;
    const reserved = export_.snapshot.objects.filter(
      live => live.reserved !== undefined || isNamed(live.kind),
    );
    expect(export_.model.leftOut.map(({ id }) => id).sort()).toEqual(
      reserved.map(({ id }) => id).sort(),
    );
    const kinds = new Set(everyObject(export_.model.objects).map(({ kind }) => kind.name));
    const declarable = [...KINDS.values()].filter(({ verbs }) => verbs.size > 0);
    expect(
      declarable
        .map(({ name }) => name)
        .filter(name => !missing.includes(name) && !kinds.has(name)),
    ).toEqual([]);
    const again = await plan(first, export_.desired, { dialect, now: NOW });
    expect(again.changes).toEqual([]);
    const second = await accountWith(export_.desired, server);
    expect(await held(second)).toEqual(await held(first));
    await Promise.all([first.close(), second.close()]);
  });
});
