// Rollouts at a remote: one open rollout a fleet file, signed ledgers, leases that exclude each other, and shards that read each other.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type HeldRollout,
  type HoldSettings,
  holdRollout,
} from '../../../src/apply/fleet/holdRollout.ts';
import {
  openRollout,
  readRollout,
  removeOpenRef,
  type SeenRollout,
} from '../../../src/apply/fleet/readRollout.ts';
import { type RolloutStore, rolloutSigner } from '../../../src/apply/fleet/signedLedger.ts';
import { startRollout } from '../../../src/apply/fleet/startRollout.ts';
import { leaseRef, openRolloutRef, rolloutRef, shardRef } from '../../../src/base/refName.ts';
import { nextStep } from '../../../src/fleet/rollout/next.ts';
import { isInShard } from '../../../src/fleet/rollout/order.ts';
import {
  abandon,
  begin,
  checked,
  complete,
  ended,
} from '../../../src/fleet/rollout/transitions.ts';
import type { Ledger } from '../../../src/model/rollout.ts';
import {
  type DrawnFleet,
  endOf,
  fleetOf,
  fleets,
  healthOf,
  ledgerOf,
  simulate,
} from '../../fleet/rollout/simulation.ts';
import { SharedRollouts, storeOf, TTL } from './sharedRollouts.ts';

const LEDGER = ledgerOf(fleetOf(8, []));
const NAMES = LEDGER.accounts.map(({ name }) => name);
const [FIRST = '', SECOND = ''] = NAMES;

async function started() {
  const remote = new SharedRollouts();
  const store = storeOf(remote);
  expect(await startRollout(store, LEDGER)).toMatchObject({ is: 'started' });
  const tryHold = (id: string, settings: Partial<HoldSettings> = {}) =>
    holdRollout(store, { rollout: 'r1', lock: remote.lock(id), ...settings });
  const hold = async (id: string, settings: Partial<HoldSettings> = {}): Promise<HeldRollout> => {
    const held = await tryHold(id, settings);
    if ('refused' in held) throw new Error(held.refused);
    return held;
  };
  return { remote, store, hold, tryHold };
}

const stateOf = (held: HeldRollout, name: string) =>
  held.ledger().accounts.find(account => account.name === name)?.state;

describe('starting', () => {
  test('a fleet file has one open rollout; shards with the same plans join it', async () => {
    const { store } = await started();
    const other = { ...LEDGER, rollout: 'r2' };
    expect(await startRollout(store, other)).toMatchObject({
      refused: 'rollout-open',
      ledger: { rollout: 'r1' },
    });
    expect(await startRollout(store, other, { joins: true })).toMatchObject({
      is: 'joined',
      ledger: { rollout: 'r1' },
    });
    const changed = { ...other, plans: 'sha256:other' };
    expect(await startRollout(store, changed, { joins: true })).toHaveProperty('refused');
    expect(await startRollout(store, { ...other, fleet: 'b.yaml' })).toHaveProperty(
      'is',
      'started',
    );
  });

  test('a rollout whose push gets no response is started once', async () => {
    const remote = new SharedRollouts();
    remote.troubles = ['lost request', 'lost answer'];
    expect(await startRollout(storeOf(remote), LEDGER)).toMatchObject({ is: 'started' });
    expect([...remote.refs.keys()].sort()).toEqual(
      [rolloutRef('r1'), openRolloutRef('fleet.yaml')].sort(),
    );
  });

  test('a finished rollout makes room for the next, even if a remote deletes no refs', async () => {
    for (const deletesNothing of [false, true]) {
      const { remote, store, hold } = await started();
      remote.deletesNothing = deletesNothing;
      const held = await hold('run');
      expect(await held.finish(complete(0))).toMatchObject({ is: 'cannot' });
      expect(await held.finish(abandon('a new plan', 0))).toMatchObject({ is: 'done' });
      expect(await openRollout(store, 'fleet.yaml')).toBeNull();
      expect(await holdRollout(store, { rollout: 'r1', lock: remote.lock('late') })).toMatchObject({
        refused: 'rollout-finished',
      });
      expect(await startRollout(store, { ...LEDGER, rollout: 'r2' })).toMatchObject({
        is: 'started',
      });
    }
  });
});

describe('the accounts of an open rollout', () => {
  /** The ledger of a rollout of a fleet file, whose accounts have these ids at a server. */
  const ledgerWith = (
    rollout: string,
    fleet: string,
    ids: readonly string[],
    server = 'https://own.example',
  ): Ledger => ({
    ...LEDGER,
    rollout,
    fleet,
    accounts: LEDGER.accounts.map((one, i) => ({
      ...one,
      account: ids[i] ?? `${fleet} ${i}`,
      server,
    })),
  });

  test('are in no rollout of another fleet file, until it is finished', async () => {
    const remote = new SharedRollouts();
    const store = storeOf(remote);
    await startRollout(store, ledgerWith('r1', 'a.yaml', ['x', 'y']));
    expect(await startRollout(store, ledgerWith('r2', 'b.yaml', ['z', 'y']))).toMatchObject({
      refused: 'accounts-in-rollout',
      ledger: { rollout: 'r1' },
      accounts: [SECOND],
    });
    expect(await startRollout(store, ledgerWith('r3', 'c.yaml', ['z']))).toMatchObject({
      is: 'started',
    });
    const held = await holdRollout(store, { rollout: 'r1', lock: remote.lock('run') });
    if ('refused' in held) throw new Error(held.refused);
    await held.finish(abandon('a new plan', 0));
    expect(await startRollout(store, ledgerWith('r4', 'b.yaml', ['y']))).toMatchObject({
      is: 'started',
    });
  });

  test('are not the accounts of another server, which may report any id', async () => {
    const store = storeOf(new SharedRollouts());
    await startRollout(store, ledgerWith('r1', 'a.yaml', ['x'], 'https://hostile.example'));
    expect(await startRollout(store, ledgerWith('r2', 'b.yaml', ['x']))).toMatchObject({
      is: 'started',
    });
  });

  test('are in one rollout at most if two fleet files start concurrently, and nothing stays open of the other rollouts', async () => {
    for (const deletesNothing of [false, true]) {
      const remote = new SharedRollouts();
      remote.deletesNothing = deletesNothing;
      const store = storeOf(remote);
      const made = await Promise.all([
        startRollout(store, ledgerWith('r1', 'a.yaml', ['x'])),
        startRollout(store, ledgerWith('r2', 'b.yaml', ['x'])),
      ]);
      expect(made.filter(one => 'is' in one).length).toBeLessThan(2);
      const open = await Promise.all(['a.yaml', 'b.yaml'].map(file => openRollout(store, file)));
      expect(open.filter(one => one !== null)).toHaveLength(made.filter(one => 'is' in one).length);
    }
  });
});

describe('a ref that names the open rollout', () => {
  const OPEN = openRolloutRef('fleet.yaml');
  const R1 = rolloutRef('r1');

  test('is not needed to find the rollout, and hides no rollout, because anybody who may push may move the ref', async () => {
    const { remote, store, hold } = await started();
    const first = remote.refs.get(OPEN) ?? '';
    const held = await hold('run');
    await held.finish(abandon('a new plan', 0));
    const finished = remote.refs.get(R1) ?? '';
    await startRollout(store, { ...LEDGER, rollout: 'r2' });
    const foreign = remote.refs.get(OPEN) ?? '';
    remote.documents.set('foreign', {
      text: remote.documents.get(foreign)?.text ?? '',
      signature: '',
    });
    for (const commit of [undefined, first, finished, 'foreign', 'no document']) {
      if (commit === undefined) remote.refs.delete(OPEN);
      else remote.refs.set(OPEN, commit);
      expect(await openRollout(store, 'fleet.yaml')).toMatchObject({ ledger: { rollout: 'r2' } });
      expect(await startRollout(store, { ...LEDGER, rollout: 'r3' })).toMatchObject({
        refused: 'rollout-open',
      });
      expect(await removeOpenRef(store, 'fleet.yaml')).toBeNull();
    }
  });

  test('a ref whose ledger is deleted, or that has no target, can be given up', async () => {
    const cases = [
      ['ledger-gone', (remote: SharedRollouts) => remote.refs.delete(R1)],
      ['ledger-unreadable', (remote: SharedRollouts) => remote.refs.set(R1, 'no document')],
    ] as const;
    for (const [refused, damage] of cases) {
      const { remote, store } = await started();
      damage(remote);
      expect(await openRollout(store, 'fleet.yaml')).toMatchObject({ refused });
      expect(await startRollout(store, { ...LEDGER, rollout: 'r2' })).toMatchObject({ refused });
      expect(await removeOpenRef(store, 'fleet.yaml')).toMatchObject({ refused });
      expect(await startRollout(store, { ...LEDGER, rollout: 'r2' })).toMatchObject({
        is: 'started',
      });
    }
  });
});

test('a ref that somebody moved meanwhile is not removed with the abandoned rollout', async () => {
  const { remote, store } = await started();
  const open = openRolloutRef('fleet.yaml');
  remote.refs.delete(rolloutRef('r1'));
  const read = remote.read.bind(remote);
  let reads = 0;
  remote.read = async patterns => {
    const found = await read(patterns);
    reads += 1;
    if (reads === 2) remote.refs.set(open, 'of another rollout');
    return found;
  };
  await removeOpenRef(store, 'fleet.yaml');
  expect(remote.refs.get(open)).toBe('of another rollout');
});

describe('signatures', () => {
  test('a fleet needs a signing key', () => {
    expect(rolloutSigner({})).toMatchObject({ refused: 'signing-key' });
    expect(rolloutSigner({ signingKey: 'short' })).toMatchObject({ shortest: 16 });
  });

  test('a ledger of a different key, without a signature, or of a different rollout is refused', async () => {
    const { remote, store, tryHold } = await started();
    const foreign = storeOf(remote, 'the key of somebody else');
    expect(await openRollout(foreign, 'fleet.yaml')).toMatchObject({ because: 'not-signed' });
    const commit = remote.refs.get(rolloutRef('r1')) ?? '';
    remote.refs.set(rolloutRef('r9'), commit);
    expect(await readRollout(store, 'r9')).toMatchObject({
      refused: 'ledger-unverified',
      because: 'elsewhere',
    });
    expect(await readRollout(store, 'r8')).toEqual({ refused: 'no-rollout', rollout: 'r8' });
    remote.refs.set(openRolloutRef('other.yaml'), commit);
    expect(await openRollout(store, 'other.yaml')).toMatchObject({ because: 'elsewhere' });
    const { text = '' } = remote.documents.get(commit) ?? {};
    remote.documents.set(commit, { text: text.replace('waiting', 'healthy'), signature: '' });
    expect(await tryHold('run')).toMatchObject({ refused: 'ledger-unverified' });
    expect(remote.refs.has(leaseRef('r1'))).toBe(false);
  });

  test('a rollout of a different key is not overlooked if somebody deletes the ref that names it', async () => {
    const { remote, store, hold } = await started();
    const foreign = storeOf(remote, 'the key of somebody else');
    remote.refs.delete(openRolloutRef('fleet.yaml'));
    const unverified = {
      refused: 'ledger-unverified',
      ref: rolloutRef('r1'),
      because: 'not-signed',
    };
    expect(await openRollout(foreign, 'fleet.yaml')).toEqual(unverified);
    const next = { ...LEDGER, rollout: 'r2' };
    expect(await startRollout(foreign, next)).toEqual(unverified);
    expect(await openRollout(foreign, 'other.yaml')).toBeNull();
    expect(await openRollout(store, 'fleet.yaml')).toMatchObject({ ledger: { rollout: 'r1' } });
    // Once it is finished, its key is of no interest.
    await (await hold('run')).finish(abandon('a new key', 0));
    expect(await startRollout(foreign, next)).toMatchObject({ is: 'started' });
  });
});

describe('a run', () => {
  test('pushes its changes with the lease, batches changes that arrive meanwhile, and refuses what cannot be pushed', async () => {
    const { remote, store, hold } = await started();
    const held = await hold('run');
    const before = remote.pushes;
    const written = await Promise.all(
      NAMES.slice(0, 4).map(name => held.change(begin(name, 'run', 0))),
    );
    expect(written.map(({ is }) => is)).toEqual(['done', 'done', 'done', 'done']);
    expect(remote.pushes - before).toBe(1);
    expect(await held.change(begin(FIRST, 'run', 0))).toMatchObject({
      is: 'cannot',
      cannot: `\`${FIRST}\` is running`,
    });
    const seen = await readRollout(store, 'r1');
    expect(seen).toMatchObject({ ledger: held.ledger(), runners: [{ record: { id: 'run' } }] });
  });

  test('moves other refs with the ledger, and fails only those batched changes whose refs have moved', async () => {
    const { remote, hold } = await started();
    const held = await hold('run');
    remote.refs.set('refs/other', 'x1');
    const moved = held.change(begin(FIRST, 'run', 0), [
      { ref: 'refs/other', from: null, to: 'x2' },
    ]);
    const fine = held.change(begin(SECOND, 'run', 0), [{ ref: 'refs/fine', from: null, to: 'y1' }]);
    expect(await Promise.all([moved, fine])).toMatchObject([{ is: 'moved' }, { is: 'done' }]);
    expect([stateOf(held, FIRST), stateOf(held, SECOND)]).toEqual(['waiting', 'running']);
    expect(remote.refs.get('refs/fine')).toBe('y1');
  });

  test('repeats a push without a response, which counts once', async () => {
    const { remote, hold } = await started();
    const held = await hold('run');
    for (const trouble of ['lost answer', 'lost request'] as const) {
      remote.troubles = [trouble];
      const name = trouble === 'lost answer' ? FIRST : SECOND;
      expect(await held.change(begin(name, 'run', 0))).toMatchObject({ is: 'done' });
      expect(stateOf(held, name)).toBe('running');
    }
    expect(await held.change(ended(FIRST, { code: 0 }, 0))).toMatchObject({ is: 'done' });
  });

  test('excludes another run while it renews its lease', async () => {
    const { remote, hold, tryHold } = await started();
    const held = await hold('one');
    const second = tryHold('two');
    await remote.time.sleep(60_000);
    await held.renew();
    expect(await second).toMatchObject({ refused: 'rollout-busy', by: { id: 'one' } });
    await held.release();
    expect(await hold('two')).toMatchObject({ runner: 'two' });
  });

  test('a run that stops responding is replaced after its lease, and writes nothing more, even unaware of that', async () => {
    const { remote, hold } = await started();
    const dead = await hold('dead');
    await dead.change(begin(FIRST, 'dead', 0));
    const next = await hold('next');
    expect(remote.time.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 28) + TTL * 1000);
    const step = nextStep(next.ledger(), { now: 0, isOwn: next.isOwn, isDead: next.isDead });
    expect(step).toMatchObject({ is: 'apply', accounts: NAMES });
    expect(await next.change(begin(FIRST, 'next', 0))).toMatchObject({ is: 'done' });
    expect(await dead.change(ended(FIRST, { code: 0 }, 0))).toMatchObject({ is: 'lost' });
    expect(await dead.change(ended(FIRST, { code: 0 }, 0))).toMatchObject({ is: 'lost' });
    expect(await next.look()).toMatchObject({ accounts: next.ledger().accounts });
    expect(stateOf(next, FIRST)).toBe('running');
  });
});

test('runs that are killed at any point, with a remote that loses responses, end like a run that is not killed', async () => {
  const drawn = fc.record({
    fleet: fleets,
    kills: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
    // A remote that lets three pushes in a row go unanswered is taken for one that refuses them.
    troubles: fc
      .array(fc.constantFrom('fine', 'fine', 'lost answer', 'lost request'), { maxLength: 20 })
      .filter(drawn => !/(lost \w+,?){3}/.test(drawn.join())),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ fleet, kills, troubles }) => {
      const remote = new SharedRollouts();
      const store = storeOf(remote);
      await startRollout(store, ledgerOf(fleet, remote.time.now()));
      remote.troubles = [...troubles];
      const lives = [...kills, Number.POSITIVE_INFINITY];
      for (const [run, changes] of lives.entries())
        await carriedOut(fleet, { remote, store, id: `run ${run}`, changes });
      const { ledger } = expectSeen(await readRollout(store, 'r1'));
      const ends = (accounts: Ledger['accounts']) =>
        accounts.map(({ name, state, wave }) => ({ name, state, wave }));
      expect(ends(ledger.accounts)).toEqual(ends(simulate(fleet).ledger.accounts));
    }),
    { numRuns: 30 },
  );
});

function expectSeen(seen: SeenRollout | { readonly refused: string }): SeenRollout {
  if ('refused' in seen) throw new Error(seen.refused);
  return seen;
}

/** A run that is killed after so many changes: its lease stays behind. */
async function carriedOut(
  fleet: DrawnFleet,
  run: { remote: SharedRollouts; store: RolloutStore; id: string; changes: number },
): Promise<void> {
  const { remote, store, id } = run;
  const held = await holdRollout(store, { rollout: 'r1', lock: remote.lock(id) });
  if ('refused' in held) throw new Error(held.refused);
  const { now } = remote.time;
  for (let changes = 0; changes < run.changes; changes++) {
    let step = nextStep(held.ledger(), { now: now(), isDead: held.isDead });
    while (step.is === 'baking') {
      await remote.time.sleep(Math.min(held.renewEvery, step.until - now()));
      await held.renew();
      step = nextStep(held.ledger(), { now: now() });
    }
    const going = held.ledger().accounts.find(one => one.runner === id)?.name;
    const name = going ?? ('accounts' in step ? step.accounts[0] : undefined) ?? '';
    const fate = fleet.fates.get(name);
    if (fate === undefined) return held.release();
    const health = checked(name, healthOf(fate), now());
    const apply = going ? endOf(name, fate, now()) : begin(name, id, now());
    const written = await held.change(!going && step.is === 'check' ? health : apply);
    expect(written).toMatchObject({ is: 'done' });
  }
}

describe('shards', () => {
  const shards = [1, 2].map(index => ({ index, of: 2 }));
  const own = (index: number) => NAMES.filter(name => isInShard(name, { index, of: 2 }));

  test('carry out their own accounts, and each sees what the others did', async () => {
    const { remote, hold } = await started();
    const [one, two] = await Promise.all(
      shards.map(shard => hold(`shard ${shard.index}`, { shard })),
    );
    for (const held of [one, two])
      for (const name of NAMES.filter(name => held?.isOwn(name)))
        for (const change of [begin(name, held?.runner ?? '', 0), ended(name, { code: 0 }, 0)])
          expect(await held?.change(change)).toMatchObject({ is: 'done' });
    expect([...remote.refs.keys()]).toEqual(
      expect.arrayContaining(shards.map(shard => shardRef('r1', shard))),
    );
    const joined = await one?.look();
    expect(joined).toEqual(await two?.look());
    expect(joined).toMatchObject({ accounts: NAMES.map(name => ({ name, state: 'applied' })) });
    for (const held of [one, two])
      for (const name of NAMES.filter(name => held?.isOwn(name)))
        await held?.change(checked(name, { is: 'healthy' }, 0));
    expect(await one?.finish(complete(0))).toMatchObject({ is: 'done' });
    expect(await two?.finish(complete(0))).toMatchObject({ is: 'cannot' });
  });

  test('a failed shard stops the others before their next account', async () => {
    const { hold } = await started();
    const [one, two] = await Promise.all(
      shards.map(shard => hold(`shard ${shard.index}`, { shard })),
    );
    const [bad = ''] = own(1);
    const [next = ''] = own(2);
    await one?.change(begin(bad, 'shard 1', 0));
    await one?.change(ended(bad, { code: 1 }, 0));
    expect(await two?.change(begin(next, 'shard 2', 0))).toMatchObject({
      is: 'cannot',
      cannot: `the rollout is stopped: \`${bad}\` is not healthy`,
    });
  });

  test('the accounts of a dead shard are listed by the others, and taken over by a run for all accounts', async () => {
    const { remote, hold, tryHold } = await started();
    const [dead, other] = await Promise.all(
      shards.map(shard => hold(`shard ${shard.index}`, { shard })),
    );
    const [cut = ''] = own(1);
    await dead?.change(begin(cut, 'shard 1', 0));
    for (const name of own(2)) {
      await other?.change(begin(name, 'shard 2', 0));
      await other?.change(ended(name, { code: 0 }, 0));
    }
    const stepOf = () => {
      const { isOwn, isDead } = other ?? {};
      return nextStep(other?.ledger() ?? LEDGER, {
        now: 0,
        ...(isOwn && isDead && { isOwn, isDead }),
      });
    };
    await other?.look();
    expect(stepOf()).toMatchObject({ is: 'others', accounts: own(1), dead: [] });
    for (let thirds = 0; thirds < 3; thirds++) {
      await remote.time.sleep((TTL * 1000) / 3);
      await other?.renew();
    }
    await other?.look();
    expect(stepOf()).toMatchObject({ is: 'others', dead: own(1) });
    const busy = tryHold('all');
    await remote.time.sleep(60_000);
    await other?.renew();
    expect(await busy).toMatchObject({ refused: 'rollout-busy', shard: { index: 2, of: 2 } });
    await other?.release();
    const all = await hold('all');
    expect(nextStep(all.ledger(), { now: 0, isDead: all.isDead })).toMatchObject({
      is: 'apply',
      accounts: own(1),
    });
    expect(await dead?.change(ended(cut, { code: 0 }, 0))).toMatchObject({ is: 'lost' });
    // Its own lease outlasts the wait for that of the dead shard.
    expect(await all.change(begin(cut, 'all', 0))).toMatchObject({ is: 'done' });
  });

  test('a different number of shards, and a run for all accounts, exclude each other', async () => {
    const { remote, hold, tryHold } = await started();
    const held = await hold('shard 1', { shard: { index: 1, of: 2 } });
    const other = tryHold('third', { shard: { index: 1, of: 3 } });
    await remote.time.sleep(60_000);
    await held.renew();
    expect(await other).toMatchObject({ refused: 'rollout-busy', shard: { index: 1, of: 2 } });
    await held.release();
    const all = await hold('all');
    const shard = tryHold('shard 2', { shard: { index: 2, of: 2 } });
    await remote.time.sleep(60_000);
    await all.renew();
    expect(await shard).toMatchObject({ refused: 'rollout-busy', by: { id: 'all' } });
  });
});
