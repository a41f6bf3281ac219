// The traffic log is read whole, although it changes from one page to the next.
import { expect, test } from 'vitest';
import { endlessness, logPages } from '../../src/api/events/pages.ts';
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

// 2,000 pages of 50 are twice what a log keeps.
test('reading ends with an error if each page names another page, without an end', async () => {
  const page = (number: number) => ({ data: [{ id: number }], page_size: 1, total_pages: 1e10 });
  await expect(read(() => ALL, page)).rejects.toMatchObject({
    details: { code: 'API_BAD_ANSWER' },
    message: expect.stringContaining('has no end: after 2000 pages the server names another one'),
  });
});

test('an end of a log is expected after twice the records that it keeps', async () => {
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ id }));
  const page = (number: number) => ({
    data: rows.map(({ id }) => ({ id: `${number}.${id}` })),
    page_size: 50_000,
    total_pages: 1e10,
  });
  await expect(read(() => ALL, page)).rejects.toThrow('has no end: after 2 pages');
});

test('a log that is printed ends with an error after a million rows', async () => {
  const pages = ['a', 'b'].map(name =>
    Array.from({ length: 100_000 }, (_, i) => ({ id: name + i })),
  );
  let requests = 0;
  const get = async (): Promise<Json> => ({ data: pages[requests++ % 2] ?? [], total_pages: 1e10 });
  const reading = async () => {
    for await (const rows of logPages({ get, requests: () => requests }, 'proxy', {}))
      expect(rows).toHaveLength(100_000);
  };
  await expect(reading()).rejects.toThrow('names another one; ask for a shorter time');
  expect(requests).toBe(10);
});

test.each([
  [undefined, 20_000],
  [100, 20_000],
  [10, 100_000],
])('pages of %s give a log of at most %i pages', (size, most) => {
  const isEndless = endlessness(size);
  expect(isEndless(most - 1, 1)).toBe(false);
  expect(isEndless(most, 1)).toBe(true);
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
