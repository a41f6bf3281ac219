// Rollouts in a real Git remote, which several clones share.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdRollout } from '../../../src/apply/fleet/holdRollout.ts';
import { openRollout } from '../../../src/apply/fleet/readRollout.ts';
import { gitRolloutRemote } from '../../../src/apply/fleet/rolloutRemote.ts';
import type { RolloutStore } from '../../../src/apply/fleet/signedLedger.ts';
import { startRollout } from '../../../src/apply/fleet/startRollout.ts';
import { abandon, begin, ended } from '../../../src/fleet/rollout/transitions.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { fleetOf, ledgerOf } from '../../fleet/rollout/simulation.ts';
import { inFolder } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { storeOf } from './sharedRollouts.ts';

const NOW = Date.UTC(2026, 10, 28);
const LEDGER = ledgerOf(fleetOf(3, []), NOW);
const [FIRST = ''] = LEDGER.accounts.map(({ name }) => name);

/** A remote that moves refs only forward, as shared ones do, and stores of two clones of it. */
async function withStores(
  use: (one: RolloutStore, other: RolloutStore, remote: string) => Promise<void>,
) {
  await inFolder(async folder => {
    const remote = join(folder, 'remote.git');
    git(folder, 'init', '--quiet', '--bare', '--shared', remote);
    const storeAt = async (name: string): Promise<RolloutStore> => {
      const path = join(folder, name);
      git(folder, 'init', '--quiet', path);
      git(path, 'remote', 'add', 'origin', `file://${remote}`);
      const place = { folder: path, host: { env: process.env } };
      const objects = await separateObjects(place, { state: join(folder, `${name}-s`), now: NOW });
      const settings = { objects, name: 'origin', patience: 30_000 };
      return storeOf(gitRolloutRemote(settings, () => NOW));
    };
    await use(await storeAt('one'), await storeAt('two'), remote);
  });
}

const lock = (id: string) => ({
  holder: { id, machine: 'host', since: '2026-11-28T00:00:00Z' },
  ttl: 180,
  wait: 0,
  clocks: { monotonic: () => 0, wall: () => NOW },
  sleep: async () => {},
});

test('one of two clones that start a rollout concurrently starts it, and the other continues it', () =>
  withStores(async (one, other, remote) => {
    const both = await Promise.all([
      startRollout(one, LEDGER),
      startRollout(other, { ...LEDGER, rollout: 'r2' }),
    ]);
    expect(both.map(result => ('is' in result ? result.is : result.refused)).sort()).toEqual([
      'rollout-open',
      'started',
    ]);
    const open = await openRollout(other, 'fleet.yaml');
    if (open === null || 'refused' in open) throw new Error('the rollout is not open');
    const { rollout } = open.ledger;
    const held = await holdRollout(one, { rollout, lock: lock('one') });
    if ('refused' in held) throw new Error(held.refused);
    expect(await held.change(begin(FIRST, 'one', NOW))).toMatchObject({ is: 'done' });
    expect(await held.change(ended(FIRST, { code: 0 }, NOW))).toMatchObject({ is: 'done' });
    await held.release();
    const next = await holdRollout(other, { rollout, lock: lock('two') });
    if ('refused' in next) throw new Error(next.refused);
    expect(next.ledger()).toEqual(held.ledger());
    expect(await next.finish(abandon('enough', NOW))).toMatchObject({ is: 'done' });
    const refs = git(remote, 'for-each-ref', '--format=%(refname)').trim().split('\n');
    expect(refs).toEqual([`refs/meshform-fleet/${rollout}`]);
  }));

test("shards in two clones write their own refs, and read each other's", () =>
  withStores(async (one, other) => {
    await startRollout(one, LEDGER);
    const [a, b] = await Promise.all(
      [one, other].map((store, i) =>
        holdRollout(store, { rollout: 'r1', shard: { index: i + 1, of: 2 }, lock: lock(`${i}`) }),
      ),
    );
    if (!a || !b || 'refused' in a || 'refused' in b) throw new Error('a shard is refused');
    const changes = LEDGER.accounts.map(({ name }) => {
      const held = a.isOwn(name) ? a : b;
      return held.change(begin(name, held.runner, NOW));
    });
    expect((await Promise.all(changes)).map(({ is }) => is)).toEqual(['done', 'done', 'done']);
    expect(await a.look()).toEqual(await b.look());
    expect(a.ledger().accounts.map(({ state }) => state)).toEqual([
      'running',
      'running',
      'running',
    ]);
  }));
