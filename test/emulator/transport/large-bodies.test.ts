// A body that is larger than any account needs is refused, and the emulator goes on.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../src/emulator/index.ts';

const started = async (maxBodyBytes?: number): Promise<Emulator> => {
  const limit = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  const emulator = await startEmulator(limit);
  onTestFinished(() => emulator.close());
  return emulator;
};

const KIBIBYTE = 1024;

/** Sends a body in pieces, whose length no header says. */
function post({ url, token }: Emulator, kibibytes: number): Promise<Response> {
  const piece = Buffer.alloc(KIBIBYTE, ' ');
  const pieces = (function* () {
    for (let i = 0; i < kibibytes; i++) yield piece;
    yield Buffer.from('{"name": "large"}');
  })();
  return fetch(`${url}/api/groups`, {
    method: 'POST',
    headers: { authorization: `Token ${token}` },
    body: Readable.toWeb(Readable.from(pieces)),
    duplex: 'half',
  } as RequestInit);
}

test('a body that exceeds the limit while it is read is answered with 413', async () => {
  const emulator = await started(64 * KIBIBYTE);
  const refused = await post(emulator, 64);
  expect(refused.status).toBe(413);
  expect(await refused.json()).toEqual({
    message: 'the body is larger than 65536 bytes',
    code: 413,
  });
  const taken = await post(emulator, 1);
  expect(taken.status).toBe(200);
});

test('a body of 520 MB is answered with 413 before any of it arrives', async () => {
  const emulator = await started();
  const { hostname, port } = new URL(emulator.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = [
    'POST /api/groups HTTP/1.1',
    'Host: emulator',
    `Authorization: Token ${emulator.token}`,
    `Content-Length: ${520 * 1024 * 1024}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  expect(String(answer)).toContain('the body is larger than 67108864 bytes');
  socket.destroy();
  // It goes on.
  const taken = await post(emulator, 1);
  expect(taken.status).toBe(200);
  await taken.text();
});

test('a body of exactly the limit is accepted, and a longer Content-Length is refused', async () => {
  const body = '{"name": "exact"}';
  const emulator = await started(body.length);
  const send = (whole: string) =>
    fetch(`${emulator.url}/api/groups`, {
      method: 'POST',
      headers: { authorization: `Token ${emulator.token}` },
      body: whole,
    });
  expect((await send(body)).status).toBe(200);
  const refused = await send(`${body} `);
  expect(refused.status).toBe(413);
  expect(await text(Readable.fromWeb(refused.body as never))).toContain('larger than 17 bytes');
});
