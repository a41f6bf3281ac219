// How long the emulator keeps a connection that nobody uses: longer than any client, so that it is the client that closes it.
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../src/emulator/index.ts';

test('an idle connection is kept for 75 seconds, and clients are told the limit', async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const headers = { authorization: `Token ${emulator.token}` };
  const answer = await fetch(`${emulator.url}/api/groups`, { headers });
  expect([answer.status, answer.headers.get('keep-alive')]).toEqual([200, 'timeout=75']);
  await answer.arrayBuffer();
});
