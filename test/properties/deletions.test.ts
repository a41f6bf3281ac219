// A law of plan and apply: what the plan says will go is exactly what is gone afterwards, whatever the server deletes along.
import { describe, expect, test, vi } from 'vitest';
import { PRUNE_MODES } from '../../src/engine/types/settings.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isObject } from '../../src/model/value.ts';
import type { TestAccount } from '../support/account.ts';
import { KINDS } from '../support/files.ts';
import { type Pictured, pictureOf } from '../support/picture.ts';
import { apply, plan } from '../support/reconcile.ts';
import { SERVERS } from '../support/servers/servers.ts';
import { OUTSIDE, onAccount, settle } from './appliedAccount.ts';
import { ENROLLED, journeys } from './generators/accounts.ts';
import type { RandomSource } from './generators/randomSource.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

describe.each(SERVERS)('$dialect, $edition', server => {
  test('the deletions in a plan are the deletions of its apply', () =>
    law(journeys(server), 7, ({ from, to, random }) =>
      onAccount(server, async account => {
        await settle(account, from);
        await live(account, random);
        const before = await pictureOf(account);
        const desired = withFarewells(to, from, before, random);
        const base = random.chance(0.5) ? from : [];
        const settings = { ...OUTSIDE, prune: random.pick(PRUNE_MODES), base };
        const made = await plan(account, desired, settings);
        if (hasErrors(made.diagnostics)) return expect(made.actions).toEqual([]);
        const { outcomes } = await apply(account, made, settings);
        expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
        const after = new Set((await pictureOf(account)).map(({ uid }) => uid));
        const gone = before.filter(({ uid }) => !after.has(uid));
        expect(gone.map(({ name }) => name).toSorted()).toEqual(reported(made, before));
      }),
    ));
});

/** What the plan shows as deleted or replaced. */
function reported({ changes }: Plan, before: readonly Pictured[]): readonly string[] {
  const uids = new Set(
    changes.flatMap(({ type, kind, id }) =>
      type === 'delete' || type === 'replace' ? `${kind} ${id}` : [],
    ),
  );
  return before.flatMap(({ uid, name }) => (uids.has(uid) ? name : [])).toSorted();
}

/** Some people enrol machines, some of which a policy names. */
async function live(account: TestAccount, random: RandomSource): Promise<void> {
  const users = [await account.call('GET', '/api/users?service_user=false')].flat();
  const groups = [await account.call('GET', '/api/groups')].flat();
  const [group] = groups.filter(isObject);
  for (const [number, user] of users.entries()) {
    if (!isObject(user) || random.chance(0.3)) continue;
    const peer = await account.enrol(`of-${number}`, [], { user_id: user.id ?? '' });
    if (!random.chance(0.6)) continue;
    const rule = {
      name: 'only',
      description: '',
      enabled: true,
      action: 'accept',
      bidirectional: false,
      protocol: 'all',
      sources: [group?.id ?? ''],
      destinationResource: { id: peer.id ?? '', type: 'peer' },
    };
    await account.call('POST', '/api/policies', {
      name: `to-${number}`,
      description: '',
      enabled: true,
      rules: [rule],
      source_posture_checks: [],
    });
  }
}

/** The same objects, some of which are to go; and people and machines that are to go besides. */
function withFarewells(
  to: readonly Desired[],
  from: readonly Desired[],
  before: readonly Pictured[],
  random: RandomSource,
): readonly Desired[] {
  const declared = new Set(to.map(({ kind, key }) => `${kind} ${key}`));
  const old = from.filter(
    ({ kind, key }) => KINDS.get(kind)?.neverPruned && !declared.has(`${kind} ${key}`),
  );
  const peers = before.flatMap(({ live: { kind, key } }): Desired[] =>
    KINDS.get(kind)?.verbs.has('create') || declared.has(`${kind} ${key}`)
      ? []
      : [{ kind, key, fields: { name: key }, lifecycle: {}, spans: {}, at: AT }],
  );
  const going = [...random.some(old, 2), ...random.some(peers, random.below(3))];
  const doomed = (object: Desired): Desired => ({ ...object, lifecycle: { delete: true } });
  return [
    ...to.map(object => (random.chance(0.1) ? doomed(object) : object)),
    ...going
      .filter(({ key }) => !ENROLLED.some(name => name === key) || random.chance(0.3))
      .map(doomed),
  ];
}

const AT = { file: 'generated.yaml', line: 1, column: 1 };
