// Pushes of several runs of one process to the same remote.
import { expect, test } from 'vitest';
import { jointPushes } from '../../src/read/remote/jointPushes.ts';
import type { Push, PushAttempt, Remote } from '../../src/read/remote/remoteRefs.ts';

const remoteIn = (path: string, name = 'origin') =>
  ({ name, objects: { place: { objects: { path } } } }) as Remote;

const movesOf = (...refs: readonly string[]) => refs.map(ref => ({ ref, from: null, to: 'c' }));

interface SentPush {
  readonly refs: readonly string[];
  readonly end: (pushed: PushAttempt) => void;
}

/** A remote that keeps each push waiting until it is told how it ends. */
function slowRemote() {
  const sent: SentPush[] = [];
  const push: Push = (_, moves) => {
    const { promise, resolve } = Promise.withResolvers<PushAttempt>();
    sent.push({ refs: moves.map(({ ref }) => ref), end: resolve });
    return promise;
  };
  const end = async (number: number, pushed: PushAttempt) => {
    sent[number]?.end(pushed);
    await new Promise(setImmediate);
  };
  return { joined: jointPushes()(push), refs: () => sent.map(one => one.refs), end };
}

const DONE = { is: 'done' } as const;
const MOVED = { is: 'moved', refs: new Map() } as const;

test('pushes that arrive while another push is on its way are sent together', async () => {
  const { joined, refs, end } = slowRemote();
  const remote = remoteIn('/objects');
  const all = ['a', 'b', 'c'].map(ref => joined(remote, movesOf(ref, `${ref}-journal`)));
  expect(refs()).toEqual([['a', 'a-journal']]);
  await end(0, DONE);
  expect(refs().slice(1)).toEqual([['b', 'b-journal', 'c', 'c-journal']]);
  await end(1, DONE);
  expect(await Promise.all(all)).toEqual([DONE, DONE, DONE]);
});

test('each push is sent alone and has its own result if the joint push fails', async () => {
  const { joined, refs, end } = slowRemote();
  const remote = remoteIn('/objects');
  const all = ['a', 'b', 'c'].map(ref => joined(remote, movesOf(ref)));
  await end(0, DONE);
  await end(1, MOVED);
  expect(refs()).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
  await end(3, DONE);
  await end(2, MOVED);
  expect(await Promise.all(all)).toEqual([DONE, MOVED, DONE]);
});

test('pushes are sent together again if another process was in the way', async () => {
  const { joined, refs, end } = slowRemote();
  const remote = remoteIn('/objects');
  const all = ['a', 'b', 'c'].map(ref => joined(remote, movesOf(ref)));
  await end(0, DONE);
  await end(1, { is: 'in the way', why: 'cannot lock ref' });
  await end(2, DONE);
  expect(refs()).toEqual([['a'], ['b', 'c'], ['b', 'c']]);
  expect(await Promise.all(all)).toEqual([DONE, DONE, DONE]);
});

test('pushes are not sent together if they are of one ref, to different remotes, or of objects in different folders', async () => {
  const { joined, refs, end } = slowRemote();
  const all = [
    joined(remoteIn('/objects'), movesOf('a')),
    joined(remoteIn('/objects'), movesOf('b')),
    joined(remoteIn('/objects'), movesOf('b')),
    joined(remoteIn('/objects', 'fork'), movesOf('c')),
    joined(remoteIn('/others'), movesOf('d')),
  ];
  for (const number of all.keys()) await end(number, DONE);
  expect(refs()).toEqual([['a'], ['b'], ['b'], ['c'], ['d']]);
  expect(await Promise.all(all)).toEqual(all.map(() => DONE));
});
