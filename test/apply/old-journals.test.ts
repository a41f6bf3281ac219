// Which journals leave the remote once there are more than are kept.
import { expect, test } from 'vitest';
import { journalsToRemove, KEPT } from '../../src/apply/journal/oldJournals.ts';
import { runIn, sharedName } from '../../src/apply/journal/sharedJournals.ts';
import { signerOf } from '../../src/apply/signing/signer.ts';
import { present } from '../../src/model/errors.ts';
import type { Signer } from '../../src/model/signer.ts';
import { JournalChain } from '../../src/report/run/journalChain.ts';

const signed = (token: string): Signer => {
  const signer = signerOf({ token });
  if ('refused' in signer) throw new Error(signer.refused);
  return signer;
};

const OURS = signed('the token of all runs');
const CLOSE = { type: 'close', complete: true };

const moment = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString();
const idOf = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;

/** The journal of a run that began on that day: the first line, and more. */
function journal(
  day: number,
  more: readonly object[] = [CLOSE],
  { signer = OURS, head = {} }: { signer?: Signer; head?: object } = {},
) {
  const run = idOf(day);
  const server = 'http://127.0.0.1';
  const chain = new JournalChain({ account: 'one', server, run }, signer);
  const at = moment(day);
  const first = { type: 'run', at, account: 'one', server, run, ...head };
  const text = [first, ...more.map(line => ({ at, ...line }))].map(line => chain.lineOf(line));
  return { name: sharedName(at, run), text: text.join('') };
}

const removed = (journals: readonly { readonly name: string; readonly text: string }[]) =>
  journalsToRemove(journals, { runOf: ({ name }) => runIn(name), signer: OURS });

const later = Array.from({ length: KEPT }, (_, i) => journal(100 + i));

test('the oldest complete runs are removed', () => {
  const old = [journal(1), journal(2)];
  expect(removed([...old, ...later])).toEqual(old.map(({ name }) => name));
  expect(removed(later)).toEqual([]);
});

test.each([
  ['cut off', []],
  ['incomplete', [{ type: 'close', complete: false }]],
  ['closed by a person', [{ type: 'close', complete: false, abandoned: true }]],
])('a run that was %s is kept, however many follow', (_, more) => {
  expect(removed([journal(1, more), ...later, journal(300)])).toEqual([
    present(later[0], 'a run').name,
  ]);
});

test('a complete run whose base is not recorded is kept', () => {
  const waiting = journal(1, [CLOSE], { head: { records_base: true } });
  expect(removed([waiting, ...later])).toEqual([]);
});

test('an unfinished run that a later one closed or undid is removed like any other', () => {
  const closed = journal(1, [{ type: 'close', complete: false, closed_by: idOf(100) }]);
  const undone = journal(2, []);
  const undo = journal(3, [CLOSE], { head: { undoes_run: idOf(2) } });
  expect(removed([closed, undone, undo, ...later])).toEqual(
    [closed, undone, undo].map(({ name }) => name),
  );
});

test('a run that somebody continued after it was undone is kept', () => {
  const undone = journal(2, [{ type: 'resume', at: moment(4) }]);
  const undo = journal(3, [CLOSE], { head: { undoes_run: idOf(2) } });
  expect(removed([undone, undo, ...later])).toEqual([undo.name]);
});

test('journals that no key signed, and journals with the lines of another run, are removed first', () => {
  const run = journal(1, []);
  const foreign = journal(200, [], { signer: signed('the token of somebody else') });
  const copy = { ...present(later.at(-1), 'a run'), name: sharedName(moment(201), idOf(201)) };
  const junk = { name: sharedName(moment(202), idOf(202)), text: 'hello\n' };
  const undo = { ...journal(203, [CLOSE], { head: { undoes_run: idOf(1) } }), name: junk.name };
  const added = [foreign, copy, undo];
  expect(removed([run, ...later, ...added])).toEqual(added.map(({ name }) => name));
});
