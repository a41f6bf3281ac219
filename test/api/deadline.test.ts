// No attempt lasts longer than it may, whether the server is silent or talks too slowly.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readTransport, writeTransport } from '../../src/api/transport/transport.ts';
import { failureOf, NOW, ONCE, options } from './calls.ts';
import { serve } from './loopback.ts';

/** A deadline that a test lets pass, and a transport under it. */
function under(port: number) {
  const time = new AbortController();
  const pass = () => time.abort(new DOMException('the time is over', 'TimeoutError'));
  const transport = {
    ...options(),
    url: `http://127.0.0.1:${port}`,
    retry: ONCE,
    deadline: () => time.signal,
  };
  return { pass, transport };
}

describe('the time limit of an attempt', () => {
  test('an attempt ends at its limit if the server never responds', async () => {
    let arrived = () => {};
    const port = await serve(() => arrived());
    const { pass, transport } = under(port);
    arrived = pass;
    expect(
      await failureOf(writeTransport(transport).write('PUT', '/api/groups/g1', {})),
    ).toMatchObject({
      code: 'API_TIMEOUT',
      retryable: true,
      mayHaveHappened: true,
      message: 'PUT /api/groups/g1 failed: no response in time',
    });
  });

  test('an attempt ends at its limit if the response begins and does not end', async () => {
    const port = await serve((_, response) => response.writeHead(200).write('[{"id":'));
    const { pass, transport } = under(port);
    subscribe('undici:request:headers', pass);
    onTestFinished(() => {
      unsubscribe('undici:request:headers', pass);
    });
    expect(await failureOf(readTransport(transport).get('/api/groups'))).toMatchObject({
      code: 'API_TIMEOUT',
      mayHaveHappened: false,
    });
  });

  test('an attempt ends when the clock of the platform reaches the limit', async () => {
    const port = await serve(() => {});
    const { get } = readTransport({
      ...options(),
      url: `http://127.0.0.1:${port}`,
      retry: ONCE,
      timeout: 1,
    });
    expect(await failureOf(get('/api/groups'))).toMatchObject({ code: 'API_TIMEOUT' });
  });
});

test('every attempt has its own time limit', async () => {
  const port = await serve((_, response) => response.writeHead(503).end());
  const given: number[] = [];
  const deadline = (milliseconds: number) => {
    given.push(milliseconds);
    return new AbortController().signal;
  };
  const url = `http://127.0.0.1:${port}`;
  await failureOf(readTransport({ ...options(), url, deadline, timeout: 700 }).get('/api/groups'));
  expect(given).toEqual([700, 700, 700, 700, 700]);
});

describe('the time limit of a run', () => {
  const at = (until: number) => ({ ...options(), until });

  test('prevents a call that has not begun', async () => {
    const port = await serve(() => expect.unreachable());
    const transport = readTransport({ ...at(NOW), url: `http://127.0.0.1:${port}` });
    expect(await failureOf(transport.get('/api/groups'))).toMatchObject({
      code: 'API_DEADLINE',
      retryable: false,
      mayHaveHappened: false,
      message: 'GET /api/groups was not sent: the run reached its --deadline',
    });
    expect(transport.requests()).toBe(0);
  });

  test('prevents a retry: the call fails with the error of its last attempt', async () => {
    const port = await serve((_, response) => response.writeHead(502).end());
    const transport = writeTransport({ ...at(NOW + 100), url: `http://127.0.0.1:${port}` });
    expect(await failureOf(transport.write('PUT', '/api/groups/g1', {}))).toMatchObject({
      code: 'API_UNAVAILABLE',
      mayHaveHappened: true,
    });
    expect(transport.requests()).toBe(1);
  });

  test('prevents a retry after a pause that took longer: the call may have been executed', async () => {
    let now = NOW;
    const port = await serve((_, response) => response.writeHead(502).end());
    const transport = writeTransport({
      ...at(NOW + 60_000),
      url: `http://127.0.0.1:${port}`,
      now: () => now,
      sleep: async () => {
        now += 60_000;
      },
    });
    expect(await failureOf(transport.write('PUT', '/api/groups/g1', {}))).toMatchObject({
      code: 'API_DEADLINE',
      mayHaveHappened: true,
      message: expect.stringContaining('may have been executed'),
    });
    expect(transport.requests()).toBe(1);
  });

  test('changes nothing if it is not reached', async () => {
    let calls = 0;
    const port = await serve((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 502 : 200).end('[]');
    });
    const transport = readTransport({ ...at(NOW + 60_000), url: `http://127.0.0.1:${port}` });
    expect(await transport.get('/api/groups')).toEqual([]);
  });
});
