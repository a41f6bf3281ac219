// The text of an answer is read to its end, or not at all where it has none.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { answerText, TOO_LARGE } from '../../src/api/transport/responseText.ts';

const stream = (...chunks: string[]) => Readable.from(chunks.map(chunk => Buffer.from(chunk)));

test('the text is everything received, however it is split', async () => {
  const bytes = Buffer.from('\uFEFFMalmö ✓');
  const chunks = [...bytes].map(byte => Buffer.from([byte]));
  expect(await answerText(Readable.from(chunks), undefined)).toEqual({
    text: 'Malmö ✓',
    isUtf8: true,
  });
});

test.each([
  ['that says how large it is', stream('a'), '11'],
  ['that does not', stream('aaaaaa', 'bbbbbb'), undefined],
  [
    'that never ends',
    Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(3);
      })(),
    ),
    undefined,
  ],
])(
  'a response that is too large fails, and is not read to its end: %s',
  async (_, body, announced) => {
    await expect(answerText(body, announced, 10)).rejects.toMatchObject({ code: TOO_LARGE });
    expect(body.destroyed).toBe(true);
  },
);
