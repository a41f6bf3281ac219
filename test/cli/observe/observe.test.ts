// `observe` from the command line: what it stores of a log, and what it says.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readObserved } from '../../../src/read/observations/readObserved.ts';
import type { Observed } from '../../../src/usage/observed.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { flowAt, HOUR, START } from '../../usage/store/storedRecords.ts';
import { toVersionOne } from '../../usage/store/versionOne.ts';
import { type ObservedServer, policy, serveObserved } from './observedServer.ts';

const DAY = 24 * HOUR;
const EVER = { from: 0, to: START + 400 * DAY };

/** A server, an empty folder for a store, and the command with both. */
const observed = (
  use: (at: {
    readonly server: ObservedServer;
    readonly folder: string;
    readonly run: (now: number, ...argv: string[]) => ReturnType<typeof meshform>;
    readonly stored: () => Promise<Observed>;
  }) => Promise<void>,
): Promise<void> =>
  inFolder(async parent => {
    const server = await serveObserved();
    const folder = join(parent, 'store');
    await use({
      server,
      folder,
      run: (now, ...argv) =>
        meshform(['observe', '--store', folder, ...argv], { env: server.env, now, cwd: parent }),
      stored: async () => (await readObserved(folder, EVER)).observed,
    });
  });

const startsIn = ({ flows }: Observed): number =>
  flows.reduce(
    (sum, { days }) => sum + [...days.values()].reduce((all, { starts }) => all + starts, 0),
    0,
  );

describe('an observation', () => {
  test('stores flows, connected machines, and the state, and the next observation stores only new records', () =>
    observed(async ({ server, run, stored }) => {
      const first = await run(START + HOUR);
      expect(first).toMatchObject({
        code: 0,
        stderr: '0 records in the log, 1 machine connected\n',
      });
      server.shown.records = [flowAt('f2', START + 2 * HOUR), flowAt('f1', START + 1.5 * HOUR)];
      server.shown.connected = ['m1', 'm2'];
      expect((await run(START + 3 * HOUR)).code).toBe(0);
      expect((await run(START + 4 * HOUR)).stderr).toBe(
        '2 records in the log, 2 machines connected\n',
      );
      const { flows, states, machines, window } = await stored();
      expect(flows).toMatchObject([
        {
          source: { type: 'machine', id: 'm1' },
          destination: { id: 'm2' },
          port: 443,
          states: [0],
          reporters: ['m2'],
        },
      ]);
      expect(startsIn(await stored())).toBe(2);
      expect(states).toHaveLength(1);
      expect(states[0]?.state.policies[0]).toMatchObject({ id: 'web', key: 'web' });
      expect([...machines.keys()].sort()).toEqual(['m1', 'm2']);
      expect(window).toEqual({ from: START + HOUR, to: START + 4 * HOUR });
    }));

  test('stores only ids without --people', () =>
    observed(async ({ server, folder, run }) => {
      server.shown.records = [
        flowAt('f1', START, { user: { id: 'u1', name: 'Anna', email: 'anna@example.com' } }),
      ];
      await run(START + HOUR);
      for (const name of await readdir(folder))
        expect(await readFile(join(folder, name), 'utf8')).not.toMatch(/anna/i);
      const other = await run(START + HOUR, '--people');
      expect(other).toMatchObject({ code: 64 });
      expect(other.stderr).toContain('keeps ids only');
    }));

  test('an observation with --people stores the names of machines, and can delete a machine by its name', () =>
    observed(async ({ server, folder, run, stored }) => {
      server.shown.records = [flowAt('f1', START)];
      await run(START + HOUR, '--people');
      const [state] = (await stored()).states;
      expect(state?.state.machines.map(({ key }) => key)).toEqual(['annas-laptop', 'files']);
      const forgotten = await run(START + HOUR, '--forget', 'peer/annas-laptop');
      expect(forgotten).toMatchObject({ code: 0 });
      expect(forgotten.stderr).toContain('has nothing about the machine m1 any more');
      const { flows, machines, states } = await stored();
      expect([flows, [...machines.keys()]]).toEqual([[], ['m2']]);
      expect(states[0]?.state.machines.map(({ id }) => id)).toEqual(['m2']);
      expect(states[0]?.state.groups[0]?.machines).toEqual(['files']);
      expect(await readdir(folder)).toHaveLength(5);
      // Nobody can tell any more what it used.
      expect((await stored()).forgotten).toMatchObject([{ groups: ['g1'], until: START + HOUR }]);
    }));

  test.each(['id:m1', 'peer/id:m1', 'annas-laptop'])('can delete a machine by %s', name =>
    observed(async ({ server, run, stored }) => {
      server.shown.records = [flowAt('f1', START)];
      await run(START + HOUR);
      expect(await run(START + HOUR, '--forget', name)).toMatchObject({ code: 0 });
      expect([...(await stored()).machines.keys()]).toEqual(['m2']);
    }),
  );

  test('refuses to delete an unknown machine', () =>
    observed(async ({ run }) => {
      await run(START + HOUR);
      const { code, stderr } = await run(START + HOUR, '--forget', 'peer/nobody');
      expect(code).toBe(3);
      expect(stderr).toContain('has exactly one machine named `nobody`');
    }));

  test('refuses to delete anything but a machine, and says if the store had nothing about it', () =>
    observed(async ({ run, stored }) => {
      await run(START + HOUR, '--people');
      expect((await run(START + HOUR, '--forget', 'group/files')).code).toBe(3);
      expect((await run(START + HOUR, '--forget', 'id:m7')).stderr).toContain(
        'had nothing about the machine m7',
      );
      expect(await run(START + HOUR, '--forget', 'id:')).toMatchObject({ code: 64 });
      expect((await stored()).forgotten).toBeUndefined();
    }));

  test('deletes no machine from a store that does not exist, and creates none', () =>
    observed(async ({ folder, run }) => {
      const { code, stderr } = await run(START, '--forget', 'id:m1');
      expect([code, stderr.split('\n')[0]]).toEqual([
        69,
        expect.stringContaining('cannot be used: it has no observations'),
      ]);
      await expect(readdir(folder)).rejects.toThrow('ENOENT');
    }));

  test('deletes nothing if its clock differs from that of the server', () =>
    observed(async ({ server, run, stored }) => {
      server.shown.records = [flowAt('f1', START)];
      await run(START + HOUR);
      server.shown.clock = START + 2 * HOUR;
      const { stderr } = await run(START + 400 * DAY, '--keep', '8d');
      expect(stderr).toContain('differs from the clock of the server, so nothing is deleted');
      expect((await stored()).flows.map(({ first }) => first)).toEqual([START]);
    }));

  test('deletes flows that are older than --keep', () =>
    observed(async ({ server, run, stored }) => {
      server.shown.records = [flowAt('f1', START)];
      await run(START + HOUR);
      server.shown.records = [flowAt('f2', START + 9 * DAY)];
      server.shown.clock = START + 9 * DAY + HOUR;
      await run(START + 9 * DAY + HOUR, '--keep', '8d');
      expect((await stored()).flows.map(({ first }) => first)).toEqual([START + 9 * DAY]);
      expect((await run(START, '--keep', '7d')).stderr).toContain('at least 8d');
    }));
});

describe('following a log', () => {
  /** Follows while `grow` is called at each pause, until it says that it is done. */
  const follow = (server: ObservedServer, folder: string, grow: (look: number) => boolean) => {
    let now = START + HOUR;
    let looks = 0;
    let interrupt: (signal: 'SIGINT') => void = () => {};
    return meshform(['observe', '--store', folder, '--follow'], {
      env: server.env,
      clock: {
        now: () => now,
        sleep: async milliseconds => {
          now += milliseconds;
          looks += 1;
          if (grow(looks)) interrupt('SIGINT');
        },
      },
      onStart: handle => {
        interrupt = handle;
      },
    });
  };

  test('assigns a flow to the states before and after it', () =>
    observed(async ({ server, folder, stored }) => {
      const ended = await follow(server, folder, looks => {
        if (looks === 2) {
          server.shown.policies = [policy('web', '443'), policy('more', '22')];
          server.shown.records = [flowAt('f1', START + HOUR + 90_000)];
        }
        return looks === 4;
      });
      expect(ended).toMatchObject({
        code: 0,
        stderr: '0 records in the log, 1 machine connected\n',
      });
      const { flows, states } = await stored();
      expect(states.map(({ state }) => state.policies.length)).toEqual([1, 2]);
      expect(flows.map(({ states: own }) => own)).toEqual([[0, 1]]);
    }));

  test('reports that records may be missing, and stores that', () =>
    observed(async ({ server, folder, stored }) => {
      server.shown.isLogOn = true;
      const ended = await follow(server, folder, looks => {
        const time = START + HOUR + looks * 60_000;
        if (looks === 1) server.shown.records = [flowAt('f1', time)];
        if (looks === 2) server.shown.records = [flowAt('f2', time)];
        if (looks === 3) server.shown.isLogOn = false;
        if (looks === 4) server.shown.isLogOn = true;
        return looks === 6;
      });
      const { gaps } = await stored();
      expect(gaps.map(({ reason }) => reason)).toEqual([
        'the log no longer showed any record of the previous observation: it keeps at most 50,000 records',
        'the log was off',
      ]);
      for (const { reason } of gaps)
        expect(ended.stderr).toContain(`records may be missing: ${reason}\n`);
    }));

  test('continues after the server was unreachable', () =>
    observed(async ({ server, folder, stored }) => {
      const ended = await follow(server, folder, looks => {
        // A call is repeated several times, after a pause each.
        server.shown.status = looks > 1 && looks < 20 ? 503 : 200;
        if (looks === 20) server.shown.records = [flowAt('f1', START + HOUR)];
        return looks === 24;
      });
      expect(ended.stderr).toContain('trying again in 60 s');
      expect(startsIn(await stored())).toBe(1);
    }));

  test('reports records without a usable time', () =>
    observed(async ({ server, run, stored }) => {
      const wrong = [flowAt('f1', START + 3 * DAY), flowAt('f2', START - 300 * DAY), { id: 'x' }];
      server.shown.records = [...wrong, flowAt('f3', START)];
      const { stderr } = await run(START + HOUR);
      expect(stderr).toContain('3 records of the log had no flow, machine or usable time');
      expect(startsIn(await stored())).toBe(1);
    }));

  test('records a gap of one machine alone if its records have no events', () =>
    observed(async ({ server, run, stored }) => {
      await run(START);
      const empty = flowAt('f1', START + HOUR, { events: [] });
      server.shown.records = [empty, flowAt('f2', START + HOUR)];
      const { stderr } = await run(START + 2 * HOUR);
      expect(stderr).toContain('1 record of the log had no flow, machine or usable time');
      const { reporter_id: machine } = flowAt('f1', START) as { reporter_id?: string };
      const reason = 'records of a machine had no flow or usable time, or an impossible number';
      expect((await stored()).gaps).toEqual([
        { from: START, to: START + 2 * HOUR, reason, machine },
      ]);
      await run(START + 3 * HOUR, '--forget', `id:${machine}`);
      expect((await stored()).gaps).toEqual([]);
    }));

  test('records when the log was off, also from one run to the next, and when it was limited to groups', () =>
    observed(async ({ server, run, stored }) => {
      server.shown.isLogOn = true;
      await run(START);
      server.shown.isLogOn = false;
      expect((await run(START + DAY)).code).toBe(69);
      server.shown.isLogOn = true;
      server.shown.logGroups = ['g9', 'g1'];
      expect((await run(START + 2 * DAY)).stderr).toContain(
        'records may be missing: the log was off',
      );
      server.shown.logGroups = [];
      const { stderr } = await run(START + 3 * DAY);
      expect(stderr).not.toContain('missing');
      await run(START + 4 * DAY);
      expect((await stored()).gaps).toEqual([
        { from: START, to: START + 2 * DAY, reason: 'the log was off' },
        {
          from: START + DAY,
          to: START + 3 * DAY,
          reason: 'the log was limited to some groups',
          outside: ['g1', 'g9'],
        },
      ]);
    }));

  test('reports a gap that is longer than the retention of the log', () =>
    observed(async ({ run, stored }) => {
      await run(START);
      const { stderr } = await run(START + 10 * DAY);
      expect(stderr).toContain(
        'nobody read the log for more than the 7 days that the server keeps it',
      );
      expect((await stored()).gaps).toMatchObject([{ from: START, to: START + 3 * DAY }]);
    }));
});

describe('an observation without a traffic log', () => {
  test.each([
    [
      'the server has none',
      { status: 404 },
      'the server has no traffic log: only the hosted service offers it',
    ],
    [
      'the token may not see it',
      { status: 403 },
      'the server does not show the traffic log to the user of this token',
    ],
    ['it is off', { isLogOn: false }, 'the traffic log of the account is off'],
  ])('fails with one sentence and exit 69: %s', (_, change, sentence) =>
    observed(async ({ server, run }) => {
      Object.assign(server.shown, change);
      for (const more of [[], ['--follow']]) {
        const { code, stderr } = await run(START, ...more);
        expect([code, stderr.split('\n')[0]]).toEqual([69, `Error: ${sentence}`]);
      }
    }),
  );
});

describe('exported logs', () => {
  const records = [flowAt('f1', START), flowAt('f2', START + HOUR), flowAt('f3', START + 2 * HOUR)];

  test.each([
    ['a list', JSON.stringify(records, null, 2)],
    ['a page', JSON.stringify({ data: records, page: 1 })],
    ['lines', records.map(record => `${JSON.stringify(record)}\n`).join('')],
    ['one line', `${JSON.stringify(records)}\n`],
    [
      'lines after a byte order mark',
      `\uFEFF${records.map(record => `${JSON.stringify(record)}\n`).join('')}`,
    ],
  ])('are stored without a state, each record once: %s', (_, text) =>
    observed(async ({ server, folder, run, stored }) => {
      server.shown.records = records.slice(0, 1);
      await run(START + HOUR);
      const file = join(folder, '..', 'log');
      await writeFile(file, text);
      const { code, stderr } = await run(START + DAY, '--from', file, '--from', file);
      expect(code).toBe(0);
      expect(stderr).toContain('3 records, 1 of them known');
      expect(stderr).toContain('3 records, 3 of them known');
      expect(startsIn(await stored())).toBe(3);
      expect((await stored()).flows.every(({ states }) => states.length === 0)).toBe(true);
    }),
  );

  test('have both shapes of the log, and an aggregate is stored once too', () =>
    observed(async ({ folder, run, stored }) => {
      const file = join(folder, '..', 'log');
      const sum = {
        ...flowAt('', START),
        id: 'r1',
        events: [],
        window_start: new Date(START + HOUR).toISOString(),
        window_end: new Date(START + HOUR + 600_000).toISOString(),
        num_of_starts: 4,
        num_of_ends: 4,
        num_of_drops: 2,
      };
      await writeFile(file, [flowAt('f1', START), sum].map(one => JSON.stringify(one)).join('\n'));
      const { code, stderr } = await run(START + DAY, '--from', file, '--from', file);
      expect(code).toBe(0);
      expect(stderr).toContain('2 records, 0 of them known');
      expect(stderr).toContain('2 records, 2 of them known');
      expect(startsIn(await stored())).toBe(5);
    }));

  test('exported logs that are older than the retention period are not stored', () =>
    observed(async ({ folder, run, stored }) => {
      const file = join(folder, '..', 'log');
      await writeFile(file, JSON.stringify(records));
      const { stderr } = await run(START + 8 * DAY + HOUR, '--from', file, '--keep', '8d');
      expect(stderr).toContain('2 records, 0 of them known; 1 more are older than --keep');
      expect(startsIn(await stored())).toBe(2);
    }));

  test('exported logs without other records have the window of their flows', () =>
    observed(async ({ folder, run, stored }) => {
      const file = join(folder, '..', 'log');
      await writeFile(file, JSON.stringify(records));
      expect((await run(START + DAY, '--from', file)).code).toBe(0);
      expect(await stored()).toMatchObject({
        window: { from: START, to: START + 2 * HOUR },
        states: [],
        machines: new Map([
          ['m2', { connected: new Set(), reported: new Set([START / DAY]), isUserSpace: true }],
        ]),
      });
    }));

  test.each([
    ['nothing of JSON', 'traffic\n', 'is neither JSON nor'],
    ['another document', '{"flows": []}\n', 'it has no flow, machine or time'],
    [
      'a record with an impossible number',
      `${JSON.stringify(records[0])}\n${JSON.stringify({ ...records[1], protocol: 999 })}\n`,
      'record 2 of ',
    ],
    [
      'a record from the future',
      `${JSON.stringify(records[0])}\n${JSON.stringify({ ...records[1], window_start: '2098-01-01T00:00:00Z', window_end: '2098-01-01T00:01:00Z' })}\n`,
      'is from the future: 2098-01-01',
    ],
    ['a text', '"traffic"\n', 'is not a traffic log'],
    ['a line that is cut', `${JSON.stringify(records[0])}\n{"flow_id":`, 'is neither JSON nor'],
  ])('exported logs that are not logs are refused: %s', (_, text, message) =>
    observed(async ({ folder, run }) => {
      const file = join(folder, '..', 'log');
      await writeFile(file, text);
      const { code, stderr } = await run(START, '--from', file);
      expect(code).toBe(3);
      expect(stderr).toContain(message);
    }),
  );
});

describe('a store is refused if', () => {
  test('another run writes to it', () =>
    observed(async ({ server, folder, run }) => {
      let other: Awaited<ReturnType<typeof meshform>> | undefined;
      let interrupt: (signal: 'SIGINT') => void = () => {};
      await meshform(['observe', '--store', folder, '--follow'], {
        env: server.env,
        clock: {
          now: () => START,
          sleep: async () => {
            other = await run(START);
            interrupt('SIGINT');
          },
        },
        onStart: handle => {
          interrupt = handle;
        },
      });
      expect(other?.code).toBe(6);
      expect(other?.stderr).toContain('one writer at a time');
      expect((await run(START)).code).toBe(0);
    }));

  test('it is of a different account', () =>
    observed(async ({ server, run }) => {
      server.shown.isLogOn = true;
      expect((await run(START)).code).toBe(0);
      server.shown.accountId = 'account-2';
      const { code, stderr } = await run(START);
      expect(code).toBe(69);
      expect(stderr).toContain('belongs to another account');
    }));

  test('it has format version 1, and its journal is of another account', () =>
    observed(async ({ server, folder, run }) => {
      server.shown.isLogOn = true;
      await run(START);
      await toVersionOne(folder, text => text.replace(/"(?=[gm]\d")/g, '"x'));
      const stored = await readFile(join(folder, 'store.json'), 'utf8');
      const { code, stderr } = await run(START + HOUR);
      expect(code).toBe(69);
      expect(stderr).toContain('belongs to another account');
      expect(await readFile(join(folder, 'store.json'), 'utf8')).toBe(stored);
    }));

  test('it has format version 1: until an observation has compared its journal with the account, no other command uses it', () =>
    observed(async ({ folder, run, stored }) => {
      await run(START);
      await toVersionOne(folder);
      const message =
        'cannot be used: it has format version 1, and nothing proves yet that its journal belongs to it';
      const log = join(folder, '..', 'log.json');
      await writeFile(log, '[]');
      for (const words of [
        ['--from', log],
        ['--forget', 'id:m1'],
      ]) {
        const { code, stderr } = await run(START + HOUR, ...words);
        expect(code).toBe(69);
        expect(stderr).toContain(message);
      }
      await expect(stored()).rejects.toThrow(message.slice(message.indexOf('it')));
      expect((await run(START + HOUR)).code).toBe(0);
      expect((await stored()).window).toEqual({ from: START, to: START + HOUR });
      expect((await run(START + HOUR, '--from', log)).code).toBe(0);
    }));

  test('its store.json is of another program: every command that needs the store ends with the same message and exit code 69', () =>
    observed(async ({ folder, run }) => {
      await run(START);
      await writeFile(join(folder, 'store.json'), '{}');
      const cwd = join(folder, '..');
      await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: all }]\n');
      const reading = (...argv: string[]) =>
        meshform([...argv, '--store', folder], { now: START, cwd });
      const first = await run(START);
      expect(first.code).toBe(69);
      expect(first.stderr).toContain(
        'cannot be used: its file store.json belongs to another program',
      );
      const others = [
        await run(START, '--forget', 'id:m1'),
        await reading('tighten', 'network.yaml'),
        await reading('access', 'used'),
      ];
      for (const other of others) expect(other).toEqual(first);
    }));
});
