// A law of plan and apply: what the plan says will go is exactly what is gone afterwards, whatever the server deletes along.
import { describe, expect, test, vi } from 'vitest';
import { fetchAccount } from '../../src/api/account/fetch.ts';
import { readTransport } from '../../src/api/transport/transport.ts';
import { PRUNE_MODES } from '../../src/engine/types/settings.ts';
import { kindsIn } from '../../src/kinds/schema/table.ts';
import { DIALECTS } from '../../src/kinds/traits.ts';
import { refsOf } from '../../src/kinds/values/refs.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { KindName } from '../../src/model/names.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isObject } from '../../src/model/value.ts';
import type { TestAccount } from '../support/account.ts';
import { KINDS } from '../support/files.ts';
import { type Pictured, pictureOf } from '../support/picture.ts';
import { apply, plan } from '../support/reconcile.ts';
import { ENROLLED, journeys } from './drawn.ts';
import { OUTSIDE, onAccount, settle } from './lived.ts';
import { law, PATIENCE } from './runs.ts';
import type { Tape } from './tape.ts';

vi.setConfig({ testTimeout: PATIENCE });

const SERVERS = DIALECTS.flatMap(dialect =>
  (['cloud', 'self-hosted'] as const).map(edition => ({ dialect, edition })),
);

describe.each(SERVERS)('$dialect, $edition', ({ dialect, edition }) => {
  test('what a plan says will go is what is gone afterwards', () =>
    law(journeys(dialect), 7, ({ from, to, tape }) =>
      onAccount(
        dialect,
        async account => {
          const offered = await offeredBy(account);
          const [old, wanted] = [offered(from), offered(to)];
          await settle(account, old, { dialect });
          await live(account, tape);
          const before = await pictureOf(account);
          const desired = withFarewells(wanted, old, before, tape);
          const base = tape.chance(0.5) ? old : [];
          const settings = { ...OUTSIDE, dialect, prune: tape.pick(PRUNE_MODES), base };
          const made = await plan(account, desired, settings);
          if (hasErrors(made.diagnostics)) return expect(made.actions).toEqual([]);
          const { outcomes } = await apply(account, made, settings);
          expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
          const after = new Set((await pictureOf(account)).map(({ uid }) => uid));
          const gone = before.filter(({ uid }) => !after.has(uid));
          expect(gone.map(({ name }) => name).toSorted()).toEqual(told(made, before));
        },
        edition,
      ),
    ));
});

/** What the plan shows as deleted or replaced. */
function told({ changes }: Plan, before: readonly Pictured[]): readonly string[] {
  const uids = new Set(
    changes.flatMap(({ type, kind, id }) =>
      type === 'delete' || type === 'replace' ? `${kind} ${id}` : [],
    ),
  );
  return before.flatMap(({ uid, name }) => (uids.has(uid) ? name : [])).toSorted();
}

type Some = (objects: readonly Desired[]) => readonly Desired[];

/** Those of some objects that the server can hold: kinds that it does not offer, and what speaks of these, are left out. */
async function offeredBy(account: TestAccount): Promise<Some> {
  const kinds = kindsIn(KINDS, 'spec');
  const scope = { kinds: new Set(KINDS.keys()), parents: new Map() };
  const options = { concurrency: 4 };
  const { unavailable } = await fetchAccount(
    readTransport(account.transport),
    kinds,
    scope,
    options,
  );
  const missing = new Set<KindName>(unavailable.keys());
  const isMissing = (name: KindName | undefined): boolean =>
    name !== undefined && missing.has(name);
  for (const { name, parent, needs } of KINDS.values())
    if (isMissing(parent) || needs.some(isMissing)) missing.add(name);
  const isOffered = ({ kind }: Desired) =>
    !missing.has(kind) && refsOf(KINDS.get(kind) ?? never(kind)).isDisjointFrom(missing);
  const own = (object: Desired): Desired => {
    const { approval_required: _, ...fields } = object.fields;
    return missing.size === 0 ? object : { ...object, fields };
  };
  return objects => objects.filter(isOffered).map(own);
}

const never = (kind: KindName): never => {
  throw new Error(`no kind ${kind}`);
};

/** Some people enrol machines, some of which a policy names. */
async function live(account: TestAccount, tape: Tape): Promise<void> {
  const users = [await account.call('GET', '/api/users?service_user=false')].flat();
  const groups = [await account.call('GET', '/api/groups')].flat();
  const [group] = groups.filter(isObject);
  for (const [number, user] of users.entries()) {
    if (!isObject(user) || tape.chance(0.3)) continue;
    const peer = await account.enrol(`of-${number}`, [], { user_id: user.id ?? '' });
    if (!tape.chance(0.6)) continue;
    const rule = {
      ...{ name: 'only', description: '', enabled: true, action: 'accept', bidirectional: false },
      ...{ protocol: 'all', sources: [group?.id ?? ''] },
      destinationResource: { id: peer.id ?? '', type: 'peer' },
    };
    await account.call('POST', '/api/policies', {
      ...{ name: `to-${number}`, description: '', enabled: true, rules: [rule] },
      source_posture_checks: [],
    });
  }
}

/** The same objects, some of which are to go; and people and machines that are to go besides. */
function withFarewells(
  to: readonly Desired[],
  from: readonly Desired[],
  before: readonly Pictured[],
  tape: Tape,
): readonly Desired[] {
  const declared = new Set(to.map(({ kind, key }) => `${kind} ${key}`));
  const old = from.filter(
    ({ kind, key }) => KINDS.get(kind)?.forgotten && !declared.has(`${kind} ${key}`),
  );
  const peers = before.flatMap(({ live: { kind, key } }): Desired[] =>
    KINDS.get(kind)?.verbs.has('create') || declared.has(`${kind} ${key}`)
      ? []
      : [{ ...{ kind, key, fields: { name: key }, lifecycle: {}, spans: {} }, at: AT }],
  );
  const going = [...tape.some(old, 2), ...tape.some(peers, tape.below(3))];
  const doomed = (object: Desired): Desired => ({ ...object, lifecycle: { delete: true } });
  return [
    ...to.map(object => (tape.chance(0.1) ? doomed(object) : object)),
    ...going
      .filter(({ key }) => !ENROLLED.some(name => name === key) || tape.chance(0.3))
      .map(doomed),
  ];
}

const AT = { file: 'drawn.yaml', line: 1, column: 1 };
