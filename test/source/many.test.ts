// Files of any length: more objects than a call may have arguments, and more faults. How many arguments a call may have depends on
// the size of the stack: on a small stack, a fifth of the objects are already too many.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { addAll, largest } from '../../src/model/text/longLists.ts';

const MANY = 25_000;
/** In megabytes. */
const SMALL_STACK = 0.35;

/** What a worker with a small stack reports of a file with so many objects, each with a fault. */
async function loadedOnSmallStack(count: number): Promise<unknown> {
  const worker = new Worker(new URL('./manyObjects.ts', import.meta.url), {
    workerData: count,
    resourceLimits: { stackSizeMb: SMALL_STACK },
    execArgv: [],
  });
  const [answer] = await once(worker, 'message');
  await worker.terminate();
  return answer;
}

test('all objects of a long file are declared and all faults are found', async () => {
  expect(await loadedOnSmallStack(MANY)).toEqual({
    isTooManyForACall: true,
    objects: MANY,
    unknownFields: MANY,
  });
});

test('lists may have more members than a call may have arguments', () => {
  const numbers = Array.from({ length: 1_200_000 }, (_, i) => i);
  const list: number[] = [];
  addAll(list, numbers);
  expect(list.length).toBe(numbers.length);
  expect(list.every((number, i) => number === i)).toBe(true);
  expect([largest(0, numbers), largest(2_000_000, numbers), largest(7, [])]).toEqual([
    1_199_999, 2_000_000, 7,
  ]);
});
