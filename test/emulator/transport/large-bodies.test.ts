// A body that is larger than any account needs is refused, and the emulator goes on.
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../src/emulator/index.ts';

const MEBIBYTE = 1024 * 1024;

test('a body of more than 64 MiB is answered with 413', async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const headers = { authorization: `Token ${emulator.token}` };
  const post = (mebibytes: number) => {
    const piece = Buffer.alloc(MEBIBYTE, ' ');
    const pieces = (function* () {
      for (let i = 0; i < mebibytes; i++) yield piece;
      yield Buffer.from('{"name": "large"}');
    })();
    const body = Readable.toWeb(Readable.from(pieces));
    return fetch(`${emulator.url}/api/groups`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
  };
  const refused = await post(64);
  expect(refused.status).toBe(413);
  expect(await refused.json()).toEqual({
    message: 'the body is larger than 67108864 bytes',
    code: 413,
  });
  const taken = await post(1);
  expect(taken.status).toBe(200);
});
