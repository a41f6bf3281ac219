// Work that is asked for while it runs is done once more after it, and never twice at a time.
import { expect, test } from 'vitest';
import { turnsOf } from '../../../src/cli/studio/oneAtATime.ts';

test('all requests that arrive during an evaluation are served by the next one', async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  let running = 0;
  const turns = turnsOf(async () => {
    running += 1;
    expect(running).toBe(1);
    const turn = Promise.withResolvers<void>();
    begun.push(turn);
    await turn.promise;
    running -= 1;
  });
  turns.ask();
  expect(begun.length).toBe(1);
  for (let count = 0; count < 3; count += 1) turns.ask();
  expect([begun.length, turns.isAsked()]).toEqual([1, true]);
  begun[0]?.resolve();
  await begun[0]?.promise;
  await Promise.resolve();
  await Promise.resolve();
  expect([begun.length, turns.isAsked()]).toEqual([2, false]);
  begun[1]?.resolve();
  await turns.settled();
  expect([begun.length, running]).toEqual([2, 0]);
});
