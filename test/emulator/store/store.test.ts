// What a store promises: whole transactions, and rows in the order in which they were added. Any further store is to
// pass the same tests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Index,
  memoryStore,
  type Rows,
  type Store,
  sqliteStore,
} from '../../../src/emulator/index.ts';

const STORES: readonly [string, () => Store][] = [
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(':memory:')],
];

type Write = { readonly key: string; readonly value: number | null };

const write = (rows: Rows, { key, value }: Write) =>
  value === null ? rows.remove('a', 't', key) : rows.put('a', 't', key, value);

describe.each(STORES)('a store in %s', (_, newStore) => {
  const all = (store: Store) => store.transaction(rows => rows.all('a', 't'));

  it('keeps what a transaction wrote, and returns its result', () => {
    const store = newStore();
    expect(store.transaction(rows => rows.put('a', 't', 'k', { x: 1 }))).toBeUndefined();
    expect(store.transaction(rows => rows.get('a', 't', 'k'))).toEqual({ x: 1 });
    expect(store.transaction(() => 'answer')).toBe('answer');
  });

  it('distinguishes scopes, tables and keys', () => {
    const store = newStore();
    store.transaction(rows => {
      rows.put('a', 't', 'k', 1);
      rows.put('b', 't', 'k', 2);
      rows.put('a', 'u', 'k', 3);
      rows.remove('b', 'u', 'k');
    });
    const seen = store.transaction(rows => [
      rows.get('a', 't', 'k'),
      rows.get('b', 't', 'k'),
      rows.get('a', 'u', 'k'),
      rows.get('b', 'u', 'k'),
    ]);
    expect(seen).toEqual([1, 2, 3, undefined]);
  });

  it('lists rows in the order in which they were added, replaced ones in their place', () => {
    const store = newStore();
    store.transaction(rows => {
      for (const key of ['x', 'y', 'z']) rows.put('a', 't', key, key);
      rows.put('a', 't', 'x', 'X');
      rows.remove('a', 't', 'y');
      rows.put('a', 't', 'y', 'Y');
    });
    expect(all(store)).toEqual(['X', 'z', 'Y']);
  });

  it('lets a transaction see its own writes', () => {
    const store = newStore();
    store.transaction(rows => {
      rows.put('a', 't', 'k', 1);
      expect(rows.all('a', 't')).toEqual([1]);
      rows.remove('a', 't', 'k');
      expect(rows.get('a', 't', 'k')).toBeUndefined();
    });
  });

  it('undoes a transaction that throws, including the order, and passes on the error', () => {
    const key = fc.constantFrom('k', 'l', 'm', 'n');
    const writes = fc.array(fc.record({ key, value: fc.option(fc.nat()) }));
    fc.assert(
      fc.property(writes, writes, writes, (before, undone, after) => {
        const store = newStore();
        const twin = newStore();
        store.transaction(rows => before.map(one => write(rows, one)));
        twin.transaction(rows => before.map(one => write(rows, one)));
        const failure = () =>
          store.transaction(rows => {
            for (const one of undone) write(rows, one);
            throw new Error('no');
          });
        expect(failure).toThrow('no');
        expect(all(store)).toEqual(all(twin));
        store.transaction(rows => after.map(one => write(rows, one)));
        twin.transaction(rows => after.map(one => write(rows, one)));
        expect(all(store)).toEqual(all(twin));
      }),
    );
  });

  it('undoes an attempt that throws, and keeps what was written before and after', () => {
    const store = newStore();
    store.transaction(rows => {
      rows.put('a', 't', 'before', 1);
      rows.put('a', 't', 'changed', 1);
      const attempt = () =>
        rows.attempt(() => {
          rows.put('a', 't', 'changed', 2);
          rows.remove('a', 't', 'before');
          rows.put('a', 't', 'within', 2);
          throw new Error('no');
        });
      expect(attempt).toThrow('no');
      rows.put('a', 't', 'after', 3);
      expect(rows.attempt(() => 'answer')).toBe('answer');
    });
    expect(all(store)).toEqual([1, 1, 3]);
  });

  it('finds rows by their values, whatever was written and undone', () => {
    const parts: Index = value => String(value).split('');
    const key = fc.constantFrom('k', 'l', 'm', 'n');
    const value = fc.option(fc.integer({ min: 1, max: 99 }));
    const writes = fc.array(fc.record({ key, value }));
    fc.assert(
      fc.property(writes, writes, writes, (before, undone, after) => {
        const store = newStore();
        store.transaction(rows => {
          // An index that was there before the writes has to follow them.
          rows.having('a', 't', parts, '1');
          for (const one of before) write(rows, one);
          const attempt = () =>
            rows.attempt(() => {
              for (const one of undone) write(rows, one);
              throw new Error('no');
            });
          expect(attempt).toThrow('no');
          for (const one of after) write(rows, one);
          for (const part of ['1', '2', '9'])
            expect(rows.having('a', 't', parts, part)).toEqual(
              rows.all('a', 't').filter(row => parts(row).includes(part)),
            );
        });
        store.close();
      }),
    );
  });

  it('lists every row, in the order of creation', () => {
    const store = newStore();
    store.transaction(rows => {
      rows.put('b', 't', 'k', 1);
      rows.put('a', 'u', 'k', 2);
      rows.put('b', 't', 'l', 3);
      rows.put('b', 't', 'k', 4);
    });
    expect(store.transaction(rows => rows.everything())).toMatchObject([
      { scope: 'b', table: 't', key: 'k', value: 4 },
      { scope: 'a', table: 'u', key: 'k', value: 2 },
      { scope: 'b', table: 't', key: 'l', value: 3 },
    ]);
  });
});

describe('a store in a file', () => {
  const inFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'meshform-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, 'state.db');
  };

  it('has its content from when it was closed, in the same order', () => {
    const file = inFolder();
    const before = sqliteStore(file);
    before.transaction(rows => {
      for (const key of ['z', 'a', 'm']) rows.put('s', 't', key, { key, list: [null, 'ü'] });
      rows.put('s', 't', 'gone', 1);
    });
    before.transaction(rows => {
      rows.put('s', 't', 'a', 'replaced');
      rows.remove('s', 't', 'gone');
    });
    const rows = before.transaction(open => open.everything());
    before.close();
    const after = sqliteStore(file);
    expect(after.transaction(open => open.everything())).toEqual(rows);
    after.transaction(open => open.put('s', 't', 'new', 1));
    expect(after.transaction(open => open.all('s', 't')).at(-1)).toBe(1);
    after.close();
  });

  it('keeps no row of a transaction that threw an error', () => {
    const file = inFolder();
    const before = sqliteStore(file);
    const failure = () =>
      before.transaction(rows => {
        rows.put('s', 't', 'k', 1);
        throw new Error('no');
      });
    expect(failure).toThrow('no');
    before.close();
    const after = sqliteStore(file);
    expect(after.transaction(rows => rows.everything())).toEqual([]);
    after.close();
  });

  it('undoes in memory what cannot be written to the file', () => {
    const file = inFolder();
    const store = sqliteStore(file);
    const unwritable = () =>
      store.transaction(rows => {
        rows.put('s', 't', 'k', 1);
        rows.put('s', 't', 'l', 2n);
      });
    expect(unwritable).toThrow(/BigInt/);
    expect(store.transaction(rows => rows.all('s', 't'))).toEqual([]);
    store.transaction(rows => rows.put('s', 't', 'm', 3));
    store.close();
    const after = sqliteStore(file);
    expect(after.transaction(rows => rows.all('s', 't'))).toEqual([3]);
    after.close();
  });

  it('is held by one process', () => {
    const file = inFolder();
    const holder = sqliteStore(file);
    expect(() => sqliteStore(file)).toThrow(/cannot hold the state.*another process has locked it/);
    holder.close();
    sqliteStore(file).close();
  });

  it('is not opened if it is another kind of file', () => {
    const file = inFolder();
    writeFileSync(file, 'groups:\n  - name: engineers\n'.repeat(100));
    expect(() => sqliteStore(file)).toThrow(/cannot hold the state.*not a database/);
    rmSync(file);
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE customers (id TEXT)');
    other.close();
    expect(() => sqliteStore(file)).toThrow(/not a database of the emulator/);
    expect(() => sqliteStore(join(file, 'below.db'))).toThrow(/cannot hold the state/);
  });

  it('is not opened if its format is unknown', () => {
    const file = inFolder();
    sqliteStore(file).close();
    const later = new DatabaseSync(file);
    later.exec('PRAGMA user_version = 99');
    later.close();
    expect(() => sqliteStore(file)).toThrow(/format is 99/);
  });
});
