// The accessible peers of dialect `spec` are those that the public server's own calculation lets a peer reach.
import { expect, it } from 'vitest';
import { readCases } from '../../access/reach/cases.ts';
import { standing } from '../emulated.ts';
import { accessible, loadAnswers } from './loading.ts';

/** The peers that each peer of a case reaches, as its rows have it. */
function reachIn(account: unknown, rows: unknown) {
  const direct = [rows]
    .flat()
    .map(row => [row].flat())
    .filter(([, , via]) => via === null);
  const peers = [Object(account).peers].flat().map(({ id }) => String(id));
  return Object.fromEntries(
    peers.map(id => [id, direct.flatMap(([from, to]) => (from === id ? [to] : [])).toSorted()]),
  );
}

it('agrees with every shared case', { timeout: 240_000 }, async () => {
  const { api, end } = await standing();
  const cases = readCases();
  expect(cases).toHaveLength(400);
  for (const [index, { account, reach }] of cases.entries()) {
    await loadAnswers(api, account);
    const label = `case ${index + 1}`;
    expect(await accessible(api, account), label).toEqual(reachIn(account, reach));
  }
  await end();
});
