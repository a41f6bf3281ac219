// Whatever somebody without the key does to a journal: what is read of it is how it began, or nothing.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { journalOfText } from '../../src/report/run/journalLines.ts';
import { startAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { signerWith } from '../support/signedJournal.ts';

const line = schemaCompiler().compile(shippedSchema('journal.schema.json'));
const plan = schemaCompiler().compile(shippedSchema('plan.schema.json'));

/** The lines of two journals of the same account and key, and the token that signed them. */
let journals: readonly [readonly string[], readonly string[]];
let token: string;

beforeAll(async () => {
  const account = await startAccount();
  token = account.token;
  await inFolder(async cwd => {
    const linesOf = async (name: string): Promise<readonly string[]> => {
      const files = `groups: [{ name: ${name} }]\nnetworks: [{ name: ${name} }]\n`;
      await writeFile(join(cwd, 'network.yaml'), files);
      const argv = ['apply', '--yes', '--concurrency', '1', '--journal', `${name}.jsonl`];
      const ended = await meshform(argv, { cwd, env: environmentOf(account) });
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      return (await readFile(join(cwd, `${name}.jsonl`), 'utf8')).trimEnd().split('\n');
    };
    journals = [await linesOf('one'), await linesOf('two')];
  });
  await account.close();
}, 60_000);

const read = (lines: readonly string[]) =>
  journalOfText(`${lines.join('\n')}\n`, { line, plan, signer: signerWith(token) });

/** An edit of the lines of the first journal; the second one is there to take lines from. */
type Edit = (lines: readonly string[], other: readonly string[]) => readonly string[];

const place = fc.nat({ max: 30 });
const EDIT: fc.Arbitrary<Edit> = fc.oneof(
  place.map(
    (at): Edit =>
      lines =>
        lines.filter((_, i) => i !== at),
  ),
  place.map(
    (at): Edit =>
      lines =>
        lines.slice(0, at),
  ),
  place.map(
    (at): Edit =>
      lines =>
        lines.slice(at),
  ),
  fc.tuple(place, place).map(
    ([one, two]): Edit =>
      lines =>
        lines.map((text, i) => lines[i === one ? two : i === two ? one : i] ?? text),
  ),
  fc.tuple(place, place).map(
    ([at, from]): Edit =>
      (lines, other) =>
        lines.flatMap((text, i) => (i === at ? [text, other[from] ?? ''] : [text])),
  ),
  fc.tuple(place, place).map(
    ([at, from]): Edit =>
      (lines, other) => [...lines.slice(0, at), ...other.slice(from)],
  ),
  fc.tuple(place, fc.nat({ max: 5_000 }), fc.constantFrom('0', 'x', '"', '}', ' ', '')).map(
    ([at, index, by]): Edit =>
      lines =>
        lines.map((text, i) =>
          i === at ? text.slice(0, index) + by + text.slice(index + 1) : text,
        ),
  ),
  fc.tuple(place, fc.nat({ max: 5_000 })).map(
    ([at, length]): Edit =>
      lines =>
        lines.map((text, i) => (i === at ? text.slice(0, length) : text)),
  ),
  fc.constantFrom<Edit>(
    lines => lines.map(text => text.replace(/,"hmac":"\w+"/, '')),
    lines => [...lines, '{"at":"2026-01-01","type":"close","complete":true}'],
    lines => [...lines, '{"at":"2026-01-01","type":"resume"}'],
  ),
);

test('an edited journal prints its original content, or is refused', () => {
  const [lines, other] = journals;
  const whole = read(lines);
  if (!('entries' in whole)) throw new Error('the journal cannot be read');
  const figures = { refused: 0, shorter: 0 };
  fc.assert(
    fc.property(fc.array(EDIT, { minLength: 1, maxLength: 3 }), edits => {
      const edited = edits.reduce<readonly string[]>((now, edit) => edit(now, other), lines);
      const found = read(edited);
      const isOfOther = edited[0] === other[0];
      // Without signatures it is of an older version: a person is asked.
      if (!('entries' in found) || found.chain === null) figures.refused += 1;
      else if (!isOfOther) {
        expect(found.digest).toBe(whole.digest);
        expect(found.entries).toEqual(whole.entries.slice(0, found.entries.length));
        if (found.entries.length < whole.entries.length) {
          expect(found.ended).toBe('cut off');
          figures.shorter += 1;
        }
      }
    }),
    { numRuns: 500 },
  );
  expect(figures.refused).toBeGreaterThan(0);
  expect(figures.shorter).toBeGreaterThan(0);
});
