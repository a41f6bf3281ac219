// The store of observed traffic: what was written is read, whenever the process ended, and damage is an error.
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readObserved } from '../../../src/read/observations/readObserved.ts';
import { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { dayOf, type Observed } from '../../../src/usage/observed.ts';
import { checksumOf, observationLine } from '../../../src/usage/store/observation.ts';
import { inFolder } from '../../support/cli.ts';
import {
  account,
  addTo,
  flowAt,
  HOUR,
  lookFor,
  START,
  seenAt,
} from '../../usage/store/storedRecords.ts';
import { toVersionOne, withoutAfter } from '../../usage/store/versionOne.ts';

const IDENTITY = { server: 'https://example.com', account: 'a1', hasPeople: false };
const DAY = 24 * HOUR;
const EVER = { from: 0, to: START + 365 * DAY };

const opened = (folder: string) => StoreWriter.open(folder, IDENTITY);
const observedIn = async (folder: string, span = EVER): Promise<Observed> =>
  (await readObserved(folder, span)).observed;

const startsIn = ({ flows }: Observed): number =>
  flows.reduce(
    (sum, { days }) => sum + [...days.values()].reduce((a, { starts }) => a + starts, 0),
    0,
  );

/** Two looks on two days, the second one after the policy changed. */
async function twoDays(store: StoreWriter): Promise<void> {
  await addTo(store, seenAt(START + HOUR, []));
  await addTo(
    store,
    seenAt(START + 2 * HOUR, [flowAt('f1', START + 1.5 * HOUR), flowAt('f2', START + 1.6 * HOUR)]),
  );
  await addTo(store, seenAt(START + DAY, [flowAt('f3', START + 23 * HOUR)], account('p2')));
  await addTo(
    store,
    seenAt(
      START + DAY + HOUR,
      [flowAt('f4', START + DAY + HOUR / 2, { policy: null })],
      account('p2'),
      ['m1', 'm2'],
    ),
  );
}

const folderWith = (use: (folder: string, store: StoreWriter) => Promise<void>) =>
  inFolder(async parent => {
    const folder = join(parent, 'store');
    const store = await opened(folder);
    try {
      await use(folder, store);
    } finally {
      await store.close();
    }
  });

describe('written records can be read', () => {
  test.each([false, true])('written records can be read after compaction: %s', isCompacted =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      if (isCompacted) await store.compact();
      const { flows, states, machines, window } = await observedIn(folder);
      const kept = flows.map(({ states: own, first, last, policies, reporters }) => ({
        own,
        first: first - START,
        last: last - START,
        policies,
        reporters,
      }));
      expect(kept).toEqual([
        { own: [0], first: 1.5 * HOUR, last: 1.6 * HOUR, policies: ['p1'], reporters: ['m2'] },
        { own: [0, 1], first: 23 * HOUR, last: 23 * HOUR, policies: ['p1'], reporters: ['m2'] },
        { own: [1], first: DAY + HOUR / 2, last: DAY + HOUR / 2, policies: [], reporters: ['m2'] },
      ]);
      expect(states.map(({ from, state }) => [from - START, state.policies[0]?.id])).toEqual([
        [HOUR, 'p1'],
        [DAY, 'p2'],
      ]);
      expect(states[1]?.state.machines).toBe(states[0]?.state.machines);
      const day = dayOf(START);
      expect(machines).toEqual(
        new Map([
          ['m1', { connected: new Set([day, day + 1]), reported: new Set(), isUserSpace: null }],
          [
            'm2',
            {
              connected: new Set([day + 1]),
              reported: new Set([day, day + 1]),
              isUserSpace: false,
            },
          ],
        ]),
      );
      expect(window).toEqual({ from: START + HOUR - 60_000, to: START + DAY + HOUR });
    }),
  );

  test('written records can be read for a time window', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await store.compact();
      const later = { from: START + DAY, to: START + 2 * DAY };
      const { flows, states, window } = await observedIn(folder, later);
      expect(flows.map(({ states: own }) => own)).toEqual([[0]]);
      expect(states.map(({ state }) => state.policies[0]?.id)).toEqual(['p2']);
      expect(window).toEqual({ from: START + DAY, to: START + DAY + HOUR });
    }));

  test('written records can be read for a time window, with the states in which its flows began', () =>
    folderWith(async (folder, store) => {
      const start = { type: 'TYPE_START', timestamp: new Date(START + 2 * HOUR).toISOString() };
      const end = { type: 'TYPE_END', timestamp: new Date(START + DAY + HOUR).toISOString() };
      await addTo(store, seenAt(START + HOUR, []));
      await addTo(store, seenAt(START + 3 * HOUR, [flowAt('f1', 0, { events: [start] })]));
      await addTo(store, seenAt(START + 4 * HOUR, [], account('p2')));
      await addTo(
        store,
        seenAt(START + DAY + 2 * HOUR, [flowAt('f1', 0, { events: [start, end] })], account('p2')),
      );
      const { flows, states } = await observedIn(folder, {
        from: START + DAY,
        to: START + 2 * DAY,
      });
      expect(flows.map(({ states: own, days }) => [own, [...days.values()]])).toEqual([
        [[0], [{ starts: 0, drops: 0 }]],
      ]);
      expect(states.map(({ state }) => state.policies[0]?.id)).toEqual(['p1', 'p2']);
    }));

  test('a continued run reads every written record once', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await store.compact();
      await store.close();
      const next = await opened(folder);
      const again = [
        flowAt('f1', START + 1.5 * HOUR),
        flowAt('f5', START + DAY + HOUR),
        flowAt('f5', START + DAY + HOUR),
      ];
      await addTo(next, seenAt(START + DAY + 2 * HOUR, again, account('p2')));
      await addTo(next, seenAt(START + DAY + 3 * HOUR, again, account('p2')));
      expect(startsIn(await observedIn(folder))).toBe(5);
      expect(next.states).toHaveLength(2);
      await next.close();
    }));

  test('only the owner can read written records', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await store.compact();
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      for (const name of await readdir(folder))
        expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
    }));
});

describe('a store that is open to others', () => {
  const open = async (folder: string, journal: string) => {
    await chmod(folder, 0o777);
    await chmod(join(folder, journal), 0o666);
  };

  test('is read with the names of what everybody can write, and closed by the next run that writes it', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      const { journal } = store.manifest;
      await open(folder, journal);
      expect((await readObserved(folder, EVER)).writable).toEqual(['.', journal]);
      await (await opened(folder)).close();
      expect((await readObserved(folder, EVER)).writable).toEqual([]);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      expect((await stat(join(folder, journal))).mode & 0o777).toBe(0o600);
    }));

  test.each(['store.json', 'journal.0.jsonl'])('is not read if its file %s is a link', name =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await rename(join(folder, name), join(folder, '..', name));
      await symlink(join('..', name), join(folder, name));
      await expect(observedIn(folder)).rejects.toThrow(`its file ${name} is a link`);
      await expect(opened(folder)).rejects.toThrow('is a link');
    }),
  );
});

describe('a run that is killed', () => {
  test('a run that is killed between any two bytes of a write has stored the whole record or nothing', () =>
    folderWith(async (folder, store) => {
      await addTo(store, seenAt(START + HOUR, [flowAt('f1', START)]));
      const journal = join(folder, store.manifest.journal);
      const seen = seenAt(START + 2 * HOUR, [flowAt('f2', START + HOUR)]);
      const [, one = ''] = (await readFile(journal, 'utf8')).split('\n');
      const line = Buffer.from(observationLine(await lookFor(store, seen), checksumOf(one)));
      await store.close();
      const { size } = await stat(journal);
      for (const length of [0, 1, 16, 17, line.length - 1]) {
        await truncate(journal, size);
        await appendFile(journal, line.subarray(0, length));
        expect(startsIn(await observedIn(folder))).toBe(1);
        const next = await opened(folder);
        await addTo(next, seen);
        await next.close();
        expect(startsIn(await observedIn(folder))).toBe(2);
      }
    }));

  test('during compaction leaves the old or the compacted store, and no other file', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await store.close();
      const copy = new Map<string, Buffer>();
      for (const name of await readdir(folder)) copy.set(name, await readFile(join(folder, name)));
      const compacted = await opened(folder);
      await compacted.compact();
      await compacted.close();
      const after = await readdir(folder);
      // The new files are there, but the manifest is still the former one.
      for (const [name, bytes] of copy) await writeFile(join(folder, name), bytes);
      expect(startsIn(await observedIn(folder))).toBe(4);
      const next = await opened(folder);
      await next.compact();
      await next.close();
      expect((await readdir(folder)).sort()).toEqual(after.sort());
      expect(startsIn(await observedIn(folder))).toBe(4);
    }));
});

describe('a record that has expired, or that a user asked to delete', () => {
  test('is deleted', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await store.compact();
      expect(store.isDue(START)).toBe(false);
      expect(store.isDue(START + DAY)).toBe(true);
      await store.compact({ before: START + DAY });
      const { flows, states } = await observedIn(folder);
      expect(flows.map(({ first }) => first)).toEqual([START + DAY + HOUR / 2]);
      expect(states.map(({ state }) => state.policies[0]?.id)).toEqual(['p2']);
      expect(store.isDue(START + DAY)).toBe(false);
    }));

  test('no file of the store contains an expired or deleted record with a machine’s name', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      const other = { id: 'm3', type: 'PEER', address: '100.64.0.3:443' };
      await addTo(
        store,
        seenAt(
          START + DAY + 2 * HOUR,
          [flowAt('f6', START + DAY + 2 * HOUR, { source: other, reporter_id: 'm3' })],
          account('p2'),
          ['m1', 'm3'],
        ),
      );
      await store.compact({ machine: 'm1' });
      const { flows, machines } = await observedIn(folder);
      expect(flows.map(({ source }) => source)).toEqual([{ type: 'machine', id: 'm3' }]);
      expect([...machines.keys()].sort()).toEqual(['m2', 'm3']);
    }));
});

describe('reading a damaged or foreign store is an error:', () => {
  test('a journal that repeats a line', () =>
    inFolder(async folder => {
      const store = await opened(folder);
      await twoDays(store);
      await store.close();
      const journal = join(folder, store.manifest.journal);
      const [, , second = ''] = (await readFile(journal, 'utf8')).split('\n');
      await appendFile(journal, `${second}\n`);
      await expect(observedIn(folder)).rejects.toThrow(/line 6 of its file .* repeats/);
    }));

  test.each([
    ['its first line', [1], 2],
    ['a line in the middle', [2], 3],
    ['several lines', [1, 2, 3], 2],
  ])('a journal without %s', (_, removed, line) =>
    inFolder(async folder => {
      const store = await opened(folder);
      await twoDays(store);
      await store.close();
      const journal = join(folder, store.manifest.journal);
      const lines = (await readFile(journal, 'utf8')).split('\n');
      await writeFile(journal, lines.filter((_, at) => !removed.includes(at)).join('\n'));
      const missing = `lines are missing before line ${line} of its file ${store.manifest.journal}`;
      await expect(observedIn(folder)).rejects.toThrow(missing);
      await expect(opened(folder)).rejects.toThrow(missing);
    }),
  );

  test('a journal of version 1 is not read before a compaction binds it to the store', () =>
    inFolder(async folder => {
      const store = await opened(folder);
      await twoDays(store);
      await store.close();
      const journal = join(folder, store.manifest.journal);
      const [, first = '', ...others] = (await readFile(journal, 'utf8')).trimEnd().split('\n');
      await toVersionOne(folder);
      await writeFile(journal, `${withoutAfter(first)}\n${others.at(-1)}\n`);
      await expect(observedIn(folder)).rejects.toThrow('before line 2');
      await writeFile(journal, `${withoutAfter(first)}\n`);
      await expect(observedIn(folder)).rejects.toThrow('it has format version 1');
      const next = await opened(folder);
      const ids = new Set(['m1', 'm2', 'g1']);
      expect(next.unproven).toEqual({ ids, stored: new Set() });
      await next.compact();
      expect(next.unproven).toBeNull();
      expect(next.manifest).toMatchObject({
        generation: 1,
        begin: expect.stringMatching(/^.{32}$/),
      });
      await addTo(next, seenAt(START + 40 * HOUR, []));
      await next.close();
      expect((await observedIn(folder)).window.to).toBe(START + 40 * HOUR);
    }));

  test('a store of version 1 with an empty journal becomes one of version 2', () =>
    folderWith(async folder => {
      await toVersionOne(folder);
      expect((await opened(folder)).unproven).toBeNull();
      expect(await readFile(join(folder, 'store.json'), 'utf8')).toContain('"version": 2');
    }));

  test('the journal of another store, and one that was emptied', () =>
    folderWith((folder, store) =>
      folderWith(async (foreign, other) => {
        const { journal } = store.manifest;
        await twoDays(store);
        await twoDays(other);
        const text = await readFile(join(foreign, journal), 'utf8');
        const damages = [
          ['', 'is empty'],
          [text, 'is damaged, or belongs to another store'],
          [text.slice(text.indexOf('\n') + 1), 'is damaged, or belongs to another store'],
        ] as const;
        for (const [bytes, message] of damages) {
          await writeFile(join(folder, journal), bytes);
          await expect(observedIn(folder)).rejects.toThrow(`its file ${journal} ${message}`);
          await expect(opened(folder)).rejects.toThrow(message);
        }
      }),
    ));

  const reading = (folder: string) => observedIn(folder);

  test('any file of it that is damaged, shortened or missing', () =>
    folderWith(async (folder, store) => {
      await twoDays(store);
      await store.compact();
      await addTo(store, seenAt(START + DAY + 2 * HOUR, [], account('p2')));
      await addTo(store, seenAt(START + DAY + 3 * HOUR, [], account('p2')));
      const read = async (name: string) =>
        name.startsWith('counted') ? (await opened(folder)).load([dayOf(START)]) : reading(folder);
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        const bytes = await readFile(path);
        const changed = Buffer.from(bytes);
        const at = Math.min(20, bytes.length - 1);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await writeFile(path, changed);
        await expect(read(name)).rejects.toThrow(/damaged|another program/);
        if (!name.startsWith('journal')) {
          await writeFile(path, bytes.subarray(0, bytes.length / 2));
          await expect(read(name)).rejects.toThrow(/damaged/);
        }
        await rename(path, `${path}.away`);
        await expect(read(name)).rejects.toThrow(/missing|no store/);
        await rename(`${path}.away`, path);
        await writeFile(path, bytes);
      }
      expect(startsIn(await reading(folder))).toBe(4);
    }));

  test.each([
    ['{"format":"meshform observations","version":3}', /in format version `3`/],
    ['{"format":"something"}', /belongs to another program/],
    ['{"format":', /store\.json is damaged/],
  ])('a manifest %s', (text, message) =>
    folderWith(async folder => {
      await writeFile(join(folder, 'store.json'), text);
      await expect(reading(folder)).rejects.toThrow(message);
      await expect(opened(folder)).rejects.toThrow(message);
    }),
  );

  test('a journal without store.json, unless it has no look: then the process was killed while it created the store', () =>
    folderWith(async (folder, store) => {
      await rm(join(folder, 'store.json'));
      await expect(reading(folder)).rejects.toThrow('it has no observations');
      const next = await opened(folder);
      await twoDays(next);
      await next.close();
      expect(startsIn(await reading(folder))).toBe(4);
      await rm(join(folder, 'store.json'));
      const message = `it has the file ${store.manifest.journal}, but no store.json: it is not a store`;
      await expect(reading(folder)).rejects.toThrow(message);
      await expect(opened(folder)).rejects.toThrow(message);
    }));

  test.each(['store.json', 'journal'])(
    'a pipe in place of its %s, and nothing waits for it',
    which =>
      folderWith(async (folder, store) => {
        const name = which === 'journal' ? store.manifest.journal : which;
        await rm(join(folder, name));
        execFileSync('mkfifo', [join(folder, name)]);
        const message = `its file ${name} cannot be read: it is a pipe`;
        await expect(reading(folder)).rejects.toThrow(message);
        await expect(opened(folder)).rejects.toThrow(message);
      }),
  );

  test('a folder with other files', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'notes.txt'), 'mine');
      await expect(opened(folder)).rejects.toThrow(
        'it has the file notes.txt, but no store.json: it is not a store',
      );
      await expect(reading(folder)).rejects.toThrow('it is not a store');
      await rm(join(folder, 'notes.txt'));
      await expect(reading(folder)).rejects.toThrow('it has no observations');
    }));
});
