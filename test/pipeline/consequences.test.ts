// What a plan says that a deletion takes along, held against the emulator: row by row of its table of consequences, in
// both dialects and editions.
import { describe, expect, onTestFinished, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Json } from '../../src/model/value.ts';
import type { Consequence } from '../emulator/consequences/row.ts';
import { CONSEQUENCES } from '../emulator/consequences/writes.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { KINDS } from '../support/files.ts';
import { type Pictured, pictureOf } from '../support/picture.ts';
import { apply, plan } from '../support/reconcile.ts';
import { SERVERS } from '../support/servers/servers.ts';

/** Deletions that the server carries out although something points at what goes: a plan refuses them until that is gone. */
const HELD = [
  'the deletion of a network: its resources, which leave their groups, and its routers go',
  'the deletion of a network resource: it leaves its groups, and policies keep their pointer',
  'the deletion of a peer: it leaves its groups, and every policy that names it goes whole',
  'the deletion of a person: their peers go, whatever routes by way of them, and policies that name these',
];

describe.each(SERVERS)('$dialect, $edition', ({ dialect, edition }) => {
  const deletions = CONSEQUENCES.filter(
    ({ write: [method], edition: only }) =>
      method === 'DELETE' && (only === undefined || only === edition),
  );

  test.each(deletions)('$of', async row => {
    const account = await startAccount({ dialect, edition });
    onTestFinished(() => account.close());
    await account.control('POST', '/emulator/load', row.before as unknown as Json);
    const settings = { dialect };
    const target = present((await pathsOf(account)).get(deletedPath(row)), row.of);
    const desired = [toGo(target)];
    const first = await plan(account, desired, settings);
    const faults = first.diagnostics.filter(({ severity }) => severity === 'error');
    const holders = faults.map(({ code, message }) => {
      expect(code, message).toBe('OBJECT_POINTED_AT');
      return present(/, but (.+) refers to it/.exec(message)?.[1], message);
    });
    expect(holders.length > 0, `held: ${holders}`).toBe(HELD.includes(row.of));
    for (const [path, { name }] of await pathsOf(account))
      if (holders.some(holder => sameName(holder, name))) await account.call('DELETE', path);
    const before = await pathsOf(account);
    const made = await plan(account, desired, settings);
    expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(made.actions.map(({ verb }) => verb)).toEqual(['delete']);
    expect(goneBy(made, before)).toEqual(row.gone.filter(path => before.has(path)).toSorted());
    expectReported(made);
    const { outcomes, requests } = await apply(account, made, settings);
    expect(outcomes.map(({ status }) => status)).toEqual(['done']);
    expect(requests).toBeLessThanOrEqual(made.requests.planned);
    const after = await pathsOf(account);
    expect([...before.keys()].filter(path => !after.has(path)).toSorted()).toEqual(
      goneBy(made, before),
    );
  });
});

/** The rejection of a person is the one deletion that has a path of its own. */
const deletedPath = ({ write: [, path] }: Consequence): string => path.replace('/reject', '');

/** Every object of an account by its path. */
async function pathsOf(account: TestAccount): Promise<ReadonlyMap<string, Pictured>> {
  const pictured = await pictureOf(account);
  return new Map(
    pictured.map(one => {
      const { kind, id, parentId = '' } = one.live;
      const path = present(KINDS.get(kind), kind).path.replace(/\{\w+\}/, parentId);
      return [`${path}/${id}`, one];
    }),
  );
}

function toGo({ live }: Pictured): Desired {
  const named = present(KINDS.get(live.kind), live.kind).identity.flat();
  const fields = Object.entries(live.fields).filter(([name]) => named.includes(name));
  return {
    kind: live.kind,
    key: live.key,
    fields: Object.fromEntries(fields),
    spans: {},
    lifecycle: { delete: true, id: live.id },
    at: { file: 'network.yaml', line: 1, column: 1 },
    ...(live.parentId !== undefined && { parent: live.key.split('/')[0] as Desired['key'] }),
  };
}

const sameName = (address: string, name: string): boolean =>
  address.replace(/\["(.*)"\]/, '.$1') === name;

function goneBy({ changes }: Plan, paths: ReadonlyMap<string, Pictured>): readonly string[] {
  const gone = new Set(
    changes.flatMap(({ type, kind, id }) => (type === 'delete' ? `${kind} ${id}` : [])),
  );
  return [...paths].flatMap(([path, { uid }]) => (gone.has(uid) ? path : [])).toSorted();
}

/** What goes along is counted in the hazard of the one action. */
function expectReported({ changes, actions }: Plan): void {
  const hazards = actions.flatMap(action => action.hazards.map(({ message }) => message));
  const along = changes.filter(change => change.with !== undefined).length;
  const reported =
    along === 0 ? 'is deleted' : `and ${along} object${along > 1 ? 's' : ''} with it`;
  expect(hazards.join()).toContain(reported);
}
