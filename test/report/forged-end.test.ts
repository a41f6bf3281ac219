// The end of a journal: of most, only the first words and the last lines are parsed; what they say is held against the signatures.
import { expect, onTestFinished, test, vi } from 'vitest';
import { isEndForged, isFinishedBy } from '../../src/report/run/forgedEnd.ts';
import { JournalChain } from '../../src/report/run/journalChain.ts';
import { serverIn } from '../../src/report/run/journalLines.ts';
import { signerWith } from '../support/signedJournal.ts';

const OF = { account: 'account', server: 'https://api.example.com', run: 'one' };
const OWN = signerWith('the key of the run');
const OTHER = signerWith('another key of somebody');

/** The lines of a journal that was signed as the run `of`; the last one ends it. */
function linesOf(of = OF): readonly string[] {
  const chain = new JournalChain(of, OWN);
  const plan = { note: 'in a text ,"plan": is escaped', actions: [{ id: 'a', server: 'no' }] };
  return [
    { type: 'run', ...of, plan },
    ...Array.from({ length: 50 }, (_, i) => ({ type: 'begin', action: `a${i}` })),
    { type: 'close', complete: true },
  ].map(line => chain.lineOf(line));
}

const LINES = linesOf();
const FORGED = '{"type":"close","complete":true}\n';
const unfinished = LINES.slice(0, -1).join('');

test.each([
  ['the end of the run', LINES.join(''), false],
  ['an end that nobody signed', unfinished + FORGED, true],
  ['the end of another run', unfinished + (linesOf({ ...OF, run: 'two' }).at(-1) ?? ''), true],
  ['the end after a line too few', [...LINES.slice(0, -2), LINES.at(-1)].join(''), true],
  [
    'the end behind the rest of a line of a killed run',
    `${unfinished}{"ty\n${LINES.at(-1)}`,
    false,
  ],
  ['an end that nobody signed, behind such a rest', `${unfinished}{"ty\n${FORGED}`, true],
  [
    'an end that nobody signed, and a first line that is none',
    `{"ty\n${unfinished}${FORGED}`,
    true,
  ],
  ['no end', unfinished, false],
] as const)('%s', (_, text, isForged) => {
  expect(isEndForged(text, OWN)).toBe(isForged);
  expect(isFinishedBy(text, OWN)).toBe(!isForged && text !== unfinished);
  // Without the key of the run, nobody can tell.
  expect(isEndForged(text, OTHER)).toBe(false);
});

test('neither the plan nor the lines between are parsed if the last line of a journal is signed', () => {
  const text = LINES.join('');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(isFinishedBy(text, OWN)).toBe(true);
  expect(serverIn(text)).toBe(OF.server);
  const parsed = parse.mock.calls.map(([given]) => given);
  expect(parsed.length).toBeLessThan(12);
  expect(parsed.filter(one => one.includes('"actions"'))).toEqual([]);
});
