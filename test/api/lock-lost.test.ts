// A write is sent only if the lock lasts until it has ended, and that is asked last, after every wait.
import { expect, test } from 'vitest';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { failureOf, ONCE, options } from './calls.ts';
import { serve } from './loopback.ts';

test('a run that lost the lock sends no write, but may read', async () => {
  const seen: string[] = [];
  const port = await serve((request, response) => {
    seen.push(String(request.method));
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  const order: string[] = [];
  const transport = writeTransport({
    ...options(),
    url: `http://127.0.0.1:${port}`,
    retry: ONCE,
    timeout: 7000,
    interval: 1,
    sleep: async () => {
      order.push('pace');
    },
    mayWrite: async milliseconds => {
      order.push(`lock for ${milliseconds}`);
      return false;
    },
  });
  await transport.get('/api/groups');
  expect(await failureOf(transport.write('PUT', '/api/groups/g1', {}))).toMatchObject({
    code: 'API_LOCK_LOST',
    retryable: false,
    mayHaveHappened: false,
  });
  expect([seen, order.at(-1)]).toEqual([['GET'], 'lock for 7000']);
});

test('a run that lost the lock does not repeat a write whose response was lost, and reports that the write was perhaps carried out', async () => {
  const seen: string[] = [];
  const port = await serve((request, response) => {
    seen.push(String(request.method));
    response.writeHead(502).end();
  });
  const transport = writeTransport({
    ...options(),
    url: `http://127.0.0.1:${port}`,
    mayWrite: async () => seen.length === 0,
  });
  expect(await failureOf(transport.write('PUT', '/api/groups/g1', {}))).toMatchObject({
    code: 'API_LOCK_LOST',
    retryable: false,
    mayHaveHappened: true,
    message:
      'PUT /api/groups/g1 may have been executed: its response was lost, and the request was not sent again: this run no longer holds the lock',
  });
  expect(seen).toEqual(['PUT']);
});
