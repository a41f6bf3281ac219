// The traffic log is read whole, although it changes from one page to the next.
import { expect, test } from 'vitest';
import { trafficRecords } from '../../src/api/events/trafficLog.ts';
import type { Json } from '../../src/model/value.ts';

/** A log whose rows a test chooses for each request. */
async function read(
  rowsFor: (request: number) => readonly string[],
  more: (page: number) => object = () => ({}),
) {
  const size = 2;
  let requests = 0;
  const get = async (path: string): Promise<Json> => {
    requests += 1;
    const page = Number(new URL(path, 'http://localhost').searchParams.get('page'));
    const rows = rowsFor(requests);
    const data = rows.slice((page - 1) * size, page * size).map(id => ({ id }));
    const pages = Math.ceil(rows.length / size);
    return {
      data,
      page,
      page_size: size,
      total_records: rows.length,
      total_pages: pages,
      ...more(page),
    };
  };
  const rows = await trafficRecords({ get, requests: () => requests });
  return { ids: new Set(rows.map(({ id }) => id)), requests };
}

const ALL = ['a', 'b', 'c', 'd', 'e'];

test('a record that expires while the log is read does not hide other records', async () => {
  const { ids } = await read(request => (request === 1 ? ALL : ALL.slice(1)));
  expect(ids).toEqual(new Set(ALL));
});

test('a record that moves from the second page to the first, before the second is read, is found', async () => {
  const { ids } = await read(request => (request === 1 ? ['a', 'b', 'c'] : ['b', 'c']));
  expect(ids).toEqual(new Set(['a', 'b', 'c']));
});

test.each([0, 1, 2, 4, 9])('a wrong number of pages is ignored: %i', async pages => {
  const { ids } = await read(
    () => ALL,
    () => ({ total_pages: pages }),
  );
  expect(ids).toEqual(new Set(ALL));
});

test('a page before the last one may be empty', async () => {
  const { ids } = await read(request => (request % 3 === 1 ? [] : ALL));
  expect(ids).toEqual(new Set(ALL));
});

test('a log of one page is read with one request, and so is an empty log', async () => {
  expect((await read(() => ['a'])).requests).toBe(1);
  expect((await read(() => [])).requests).toBe(2);
});

test('reading ends if the server returns the same page again and again', async () => {
  const { ids } = await read(
    () => ALL,
    () => ({ data: [{ id: 'a' }, { id: 'b' }], total_pages: 99 }),
  );
  expect(ids).toEqual(new Set(['a', 'b']));
});

test('a response that is not a log is an error', async () => {
  await expect(
    read(
      () => ALL,
      () => ({ data: 'none' }),
    ),
  ).rejects.toThrow('did not return a list of events');
});

test('a null list is read as empty', async () => {
  expect(
    (
      await read(
        () => ALL,
        () => ({ data: null, total_pages: 0 }),
      )
    ).ids.size,
  ).toBe(0);
});
