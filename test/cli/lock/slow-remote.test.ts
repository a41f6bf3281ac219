// A remote that answers slowly: what is said, and how long the end of a run may take.
import { expect, test } from 'vitest';
import { gitAccountLock } from '../../../src/apply/lock/gitAccountLock.ts';
import type { Io } from '../../../src/cli/io.ts';
import { withRemote } from '../../../src/cli/remoteOfClone.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import type { Asking } from '../../../src/read/remote/remoteRefs.ts';
import { git } from '../../support/git.ts';
import { machines, refsAt } from './sharedMachines.ts';

const at = (time: string): number => Date.parse(`2026-01-02T${time}Z`);

test('a connection of more than five seconds is announced, with its time limit; of several with the same limit, only the first', () =>
  machines(async ({ machine }) => {
    const one = await machine('one');
    const ticks: (() => void)[] = [];
    let said = '';
    const write = (text: string): void => {
      said += text;
    };
    const sink = { write, isTerminal: false };
    const io = {
      stdout: sink,
      stderr: sink,
      secrets: new KnownSecrets(),
      env: { ...process.env, XDG_STATE_HOME: `${one.folder}-state` },
      cwd: one.folder,
      now: () => at('03:04:05'),
      every: (_: number, tick: () => void) => {
        ticks.push(tick);
        return () => {};
      },
    } as unknown as Io;
    await withRemote({ folder: one.folder, host: io }, undefined, io, async open => {
      const remote = await open();
      const asked = { isPush: true, limit: 30_000, left: Number.POSITIVE_INFINITY };
      const over = remote?.onAsking?.(asked);
      expect(said).toBe('');
      ticks.at(-1)?.();
      expect(said).toBe(
        'Waiting for the remote `origin`, until 2026-01-02T03:04:35Z at the latest ...\n',
      );
      over?.();
      for (let i = 0; i < 2; i++) {
        remote?.onAsking?.({ ...asked, left: 180_000 });
        ticks.at(-1)?.();
      }
      expect(said.match(/until 2026-01-02T03:07:05Z at the latest/g)).toHaveLength(1);
    });
  }));

test('a run tries to release its lock until the lock expires, and then says that the lock may still be there', () =>
  machines(async ({ machine, id, remote }) => {
    const one = await machine('one');
    let time = 0;
    const asked: Asking[] = [];
    const host = { env: { ...process.env } };
    const place = { folder: one.folder, host };
    const objects = await separateObjects(place, { state: `${one.folder}-state`, now: 0 });
    const left: string[] = [];
    const held = await gitAccountLock(
      {
        objects,
        name: 'origin',
        patience: 30_000,
        onAsking: asking => {
          if (asking.left !== Number.POSITIVE_INFINITY) asked.push(asking);
          // Each connection lasts as long as it may.
          return () => {
            if (asking.left !== Number.POSITIVE_INFINITY) time += asking.limit;
          };
        },
      },
      {
        account: id,
        now: () => time,
        holder: {
          id: 'd5bjb9au-0000-4000-8000-000000000000',
          machine: 'one',
          since: '1970-01-01T00:00:00Z',
        },
        ttl: 75,
        wait: 0,
        clocks: { monotonic: () => time, wall: () => time },
        sleep: async milliseconds => {
          time += milliseconds;
        },
        onLeft: ({ why }) => left.push(why),
      },
    ).take();
    if ('refused' in held) throw new Error(held.refused);
    // No repository any more.
    git(remote, 'config', 'receive.denyDeletes', 'true');
    git(one.folder, 'remote', 'set-url', 'origin', `file://${remote}-gone`);
    await held.release();
    expect(time).toBeLessThanOrEqual(75_000);
    expect(asked.map(({ limit }) => limit)).toEqual([30_000, 30_000, 10_000, 5000]);
    expect(left).toHaveLength(1);
  }));

test('a run whose remote fails before its lock is read tries to release the lock, and says that it may still be there', () =>
  machines(async ({ machine, id, remote }) => {
    const one = await machine('one');
    const place = { folder: one.folder, host: { env: { ...process.env } } };
    const objects = await separateObjects(place, { state: `${one.folder}-state`, now: 0 });
    const asked: Asking[] = [];
    const left: string[] = [];
    const taken = await gitAccountLock(
      {
        objects,
        name: 'origin',
        patience: 30_000,
        onAsking: asking => {
          asked.push(asking);
          return () => {
            // The first push takes the lock.
            if (asking.isPush)
              git(one.folder, 'remote', 'set-url', 'origin', `file://${remote}-gone`);
          };
        },
      },
      {
        account: id,
        now: () => 0,
        holder: {
          id: 'd5bjb9au-0000-4000-8000-000000000000',
          machine: 'one',
          since: '1970-01-01T00:00:00Z',
        },
        ttl: 75,
        wait: 0,
        clocks: { monotonic: () => 0, wall: () => 0 },
        sleep: async () => {},
        onLeft: ({ run }) => left.push(run),
      },
    ).take();
    expect(taken).toMatchObject({ refused: 'remote-unreachable' });
    expect(refsAt(remote, 'refs/meshform-locks')).toBe(`refs/meshform-locks/${id}`);
    expect(left).toEqual(['d5bjb9au-0000-4000-8000-000000000000']);
    expect(asked.at(-1)?.left).toBe(75_000);
  }));
