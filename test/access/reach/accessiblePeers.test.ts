// The lists of accessible peers in an emulator, which shares no code with the model, say what the model says: under `spec`
// whom a machine reaches, under `netbird` whom its network map holds.
import { expect, test } from 'vitest';
import { reachRows } from '../../../src/access/reachRows.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { bothDialects } from '../../emulator/reach/both.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { generatedAccount } from '../generated.ts';
import { answersOf } from './answers.ts';
import { readCases } from './cases.ts';
import { loadable } from './loadable.ts';
import { networkMaps } from './networkMaps.ts';

const both = bothDialects();

function reached(state: AccessState) {
  const rows = [...reachRows(state)].filter(([, , via]) => via === null);
  const ids = state.machines.map(({ id = '' }) => id);
  return Object.fromEntries(
    ids.map(id => [id, rows.flatMap(([from, to]) => (from === id ? [to] : [])).toSorted()]),
  );
}

/** Loads an account into the emulators, and compares their lists with the model of what they answer. */
async function compared(account: unknown) {
  const lists = await both.accessible(account);
  const answered = stateOfAnswers(await answersOf(both.spec()));
  if (!('state' in answered)) throw new Error(JSON.stringify(answered.faults));
  const model = { spec: reached(answered.state), netbird: networkMaps(answered.state) };
  expect(lists).toEqual(model);
  return Object.values(lists.netbird).flat().length;
}

const RUNS = { slice: 40, full: 2_000 };

test('the accessible peers are correct in generated accounts', {
  timeout: patience(RUNS),
}, async () => {
  const { count, seed, found } = proof('lists of accessible peers in generated accounts', RUNS);
  const sizes: number[] = [];
  await fc.assert(
    fc.asyncProperty(generatedAccount, async account => {
      sizes.push(await compared(loadable(account)));
    }),
    { numRuns: count, seed },
  );
  const reaching = sizes.filter(size => size > 0).length;
  found(
    `the model and the emulator agree, dialects spec and netbird; somebody is reached in ${reaching}`,
  );
  expect(reaching).toBeGreaterThan(count / 2);
});

test('the accessible peers are correct in the shared cases', { timeout: 600_000 }, async () => {
  for (const { account } of readCases().filter((_, place) => place % 10 === 0))
    await compared(account);
});
