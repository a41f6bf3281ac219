// Listings of one remote by several runs of one process.
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import type { ListedRef } from '../../src/read/git/listRemote.ts';
import { rememberingAnswers } from '../../src/read/git/rememberedAnswers.ts';
import { jointListings } from '../../src/read/remote/jointListings.ts';
import type { List, Remote } from '../../src/read/remote/remoteRefs.ts';

const remoteIn = (path: string, more: Partial<Remote> = {}) =>
  ({ name: 'origin', objects: { place: { objects: { path } } }, ...more }) as Remote;

const REMOTE = remoteIn('/objects');

const listed = (...refs: readonly string[]): readonly ListedRef[] =>
  refs.map(ref => ({ ref, commit: 'c' }));

const FAULT = { is: 'other', why: 'hung up' } as const;

/** A remote that keeps each listing waiting until it is told what is listed. */
function slowRemote() {
  const asked: { patterns: readonly string[]; end: (found: Awaited<ReturnType<List>>) => void }[] =
    [];
  const list: List = (_, patterns) => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<List>>>();
    asked.push({ patterns, end: resolve });
    return promise;
  };
  const end = async (number: number, found: Awaited<ReturnType<List>>) => {
    asked[number]?.end(found);
    await new Promise(setImmediate);
  };
  return { list: jointListings()(list), patterns: () => asked.map(one => one.patterns), end };
}

test('listings that are asked for while another one is on its way go together, and each gets its own refs', async () => {
  const { list, patterns, end } = slowRemote();
  const all = [['a'], ['b/*', 'lock'], ['c', 'lock']].map(refs => list(REMOTE, refs));
  expect(patterns()).toEqual([['a']]);
  await end(0, listed('a'));
  expect(patterns().slice(1)).toEqual([['b/*', 'lock', 'c']]);
  await end(1, listed('b/1', 'b/2', 'c', 'lock'));
  expect(await Promise.all(all)).toEqual([
    listed('a'),
    listed('b/1', 'b/2', 'lock'),
    listed('c', 'lock'),
  ]);
  // Whoever asks after that gets a listing of its own.
  const later = list(REMOTE, ['a']);
  await end(2, listed());
  expect(await later).toEqual([]);
});

test('if a joint listing fails, each run asks alone', async () => {
  const { list, patterns, end } = slowRemote();
  const all = ['a', 'b', 'c'].map(ref => list(REMOTE, [ref]));
  await end(0, listed('a'));
  await end(1, FAULT);
  expect(patterns()).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
  await end(2, FAULT);
  await end(3, listed('c'));
  expect(await Promise.all(all)).toEqual([listed('a'), FAULT, listed('c')]);
});

test('listings of different repositories do not wait for each other', () => {
  const { list, patterns } = slowRemote();
  const remotes = [REMOTE, remoteIn('/others'), remoteIn('/objects', { name: 'fork' })];
  for (const remote of [...remotes, { ...REMOTE, isPushed: true }]) void list(remote, ['a']);
  expect(patterns()).toHaveLength(4);
});

test('a part of a run that keeps answers lists alone, and a joint listing is not made in the middle of such a part', async () => {
  const part = new AsyncLocalStorage<string>();
  const parts: (string | undefined)[] = [];
  const list = jointListings()(async () => {
    parts.push(part.getStore());
    return [];
  });
  await Promise.all([
    part.run('one', () => list(REMOTE, ['a'])),
    part.run('another', () => list(REMOTE, ['b'])),
    part.run('kept', () => rememberingAnswers()(() => list(REMOTE, ['c']))),
  ]);
  expect(parts).toEqual(['one', 'kept', 'another']);
});
