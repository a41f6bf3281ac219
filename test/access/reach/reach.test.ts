// Reach in the form of the shared cases: the model and the slow evaluator both agree with the public server.
import { describe, expect, test } from 'vitest';
import { reachRows } from '../../../src/access/reachRows.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import type { Json } from '../../../src/model/value.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { generatedAccount } from '../generated.ts';
import type { Account } from '../slow/account.ts';
import { slowRows } from '../slow/rows.ts';
import { readCases, readRegressions } from './cases.ts';

const rowsOf = (account: Json) => {
  const answered = stateOfAnswers(account);
  return 'state' in answered ? [...reachRows(answered.state)] : answered.faults;
};

test('the model agrees with all 400 cases, row by row and in the same order', () => {
  const cases = readCases();
  expect(cases).toHaveLength(400);
  for (const { account, reach } of cases) expect(rowsOf(account)).toEqual(reach);
});

test('the slow evaluator agrees with all 400 cases', () => {
  for (const { account, reach } of readCases())
    expect(slowRows(account as unknown as Account)).toEqual(reach);
});

describe('traffic that a routing machine does not receive', () => {
  for (const { says, account, reach } of readRegressions())
    test(says, () => {
      expect(rowsOf(account)).toEqual(reach);
      expect(slowRows(account as unknown as Account)).toEqual(reach);
    });
});

const RUNS = { slice: 500, full: 100_000 };

test(
  'the model and the slow evaluator agree on generated accounts',
  () => {
    const { count, seed, found } = proof('who reaches whom in generated accounts', RUNS);
    fc.assert(
      fc.property(generatedAccount, account => {
        expect(rowsOf(account as unknown as Json)).toEqual(slowRows(account));
      }),
      { numRuns: count, seed },
    );
    found('the model and the slow evaluator agree on each');
  },
  patience(RUNS, 50),
);
