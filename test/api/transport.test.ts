// What a transport does with answers and with silence: repeats, gives up, and never hides what may have happened.
import nock from 'nock';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type ReadTransport,
  readTransport,
  type WriteTransport,
} from '../../src/api/transport/transport.ts';
import { failureOf, options, URL_OF_SERVER } from './calls.ts';
import { client, nockEachTest, server } from './nocked.ts';

nockEachTest();

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const untrusted = Object.assign(new Error('self-signed certificate'), {
  code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
});

describe('a request', () => {
  test('carries the token, asks for JSON, and declares the type of its body', async () => {
    nock(URL_OF_SERVER, {
      reqheaders: {
        authorization: 'Token nbp_example',
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': /^meshform/,
      },
    })
      .post('/api/groups', { name: 'engineers' })
      .reply(200, { id: 'g1' });
    const { write } = client();
    expect(await write('POST', '/api/groups', { name: 'engineers' })).toEqual({ id: 'g1' });
  });

  test('a request without a body declares no content type', async () => {
    nock(URL_OF_SERVER, { badheaders: ['content-type'] })
      .get('/api/groups')
      .reply(200, []);
    expect(await client().get('/api/groups')).toEqual([]);
  });

  test.each([200, 201, 202])('succeeds with %i', async status => {
    server().put('/api/groups/g1').reply(status, { id: 'g1' });
    expect(await client().write('PUT', '/api/groups/g1', {})).toEqual({ id: 'g1' });
  });

  test.each([
    ['nothing', 204, ''],
    ['an empty body', 200, ''],
    ['blanks', 200, ' \n'],
    ['null', 200, 'null'],
  ])('a request that writes may be answered with %s', async (_, status, body) => {
    server().delete('/api/groups/g1').reply(status, body);
    expect(await client().write('DELETE', '/api/groups/g1')).toBeNull();
  });
});

describe('a lost response', () => {
  test.each([
    ['truncated JSON', '[{"id": "g1", "na'],
    ['a web page', '<!doctype html><p>Sign in'],
    ['an empty body, which is not an empty list', ''],
  ])('is requested again: %s', async (_, body) => {
    server().get('/api/groups').reply(200, body).get('/api/groups').reply(200, []);
    const { get, requests } = client();
    expect(await get('/api/groups')).toEqual([]);
    expect(requests()).toBe(2);
  });

  test('leaves open whether a POST created its object, and the POST is not repeated', async () => {
    server().post('/api/groups').reply(200, '{"id": "g');
    expect(await failureOf(client().write('POST', '/api/groups', {}))).toMatchObject({
      code: 'API_BAD_ANSWER',
      mayHaveHappened: true,
    });
  });
});

describe('temporary failures', () => {
  const passing = [429, 502, 503, 504];

  test.each(['GET', 'PUT', 'DELETE'])('a %s is repeated after it', async method => {
    const path = '/api/groups/g1';
    for (const status of passing) server().intercept(path, method).reply(status, 'busy');
    server().intercept(path, method).reply(200, { id: 'g1' });
    const { get, write, requests, pauses } = client();
    const answer = method === 'GET' ? get(path) : write(method as 'PUT' | 'DELETE', path);
    expect(await answer).toEqual({ id: 'g1' });
    expect(requests()).toBe(5);
    expect(pauses).toHaveLength(4);
  });

  test.each(['GET', 'PUT', 'DELETE'])('a %s is repeated after a reset', async method => {
    const path = '/api/groups/g1';
    server().intercept(path, method).replyWithError(reset);
    server().intercept(path, method).reply(200, {});
    const { get, write } = client();
    expect(await (method === 'GET' ? get(path) : write(method as 'PUT' | 'DELETE', path))).toEqual(
      {},
    );
  });

  test('a POST is repeated after a 429, once the time that the server asks for is over', async () => {
    server()
      .post('/api/groups')
      .reply(429, { message: 'too many requests', code: 429 }, { 'retry-after': '3' })
      .post('/api/groups')
      .reply(200, { id: 'g1' });
    const { write, pauses } = client();
    expect(await write('POST', '/api/groups', {})).toEqual({ id: 'g1' });
    expect(pauses).toEqual([3000]);
  });

  test('a POST that was never sent is repeated', async () => {
    server().post('/api/groups').replyWithError(refused);
    server().post('/api/groups').reply(200, { id: 'g1' });
    expect(await client().write('POST', '/api/groups', {})).toEqual({ id: 'g1' });
  });

  test.each([502, 503, 504])('a POST is not repeated after a %i', async status => {
    server().post('/api/groups').reply(status, 'busy');
    const { write, requests } = client();
    expect(await failureOf(write('POST', '/api/groups', {}))).toMatchObject({
      code: 'API_UNAVAILABLE',
      status,
      mayHaveHappened: true,
    });
    expect(requests()).toBe(1);
  });

  test('a POST is not repeated after a reset: its object may exist', async () => {
    server().post('/api/groups').replyWithError(reset);
    expect(await failureOf(client().write('POST', '/api/groups', {}))).toMatchObject({
      code: 'API_NETWORK',
      mayHaveHappened: true,
      message:
        'POST /api/groups failed: the connection was closed before the response was complete',
    });
  });

  test('progress reports the reason and the length of a wait', async () => {
    server().get('/api/groups').reply(503).get('/api/groups').reply(200, []);
    const reported: string[] = [];
    const { get } = client({
      onRetry: (error, pause) => reported.push(`${error.message} ${pause}`),
    });
    await get('/api/groups');
    expect(reported).toEqual(['GET /api/groups returned 503: no reason given 187.5']);
  });
});

describe('permanent failures', () => {
  test.each([400, 401, 403, 404, 405, 409, 412, 422, 500])('a GET ends with a %i', async status => {
    server().get('/api/groups').reply(status, { message: 'no', code: status });
    const { get, requests } = client();
    await failureOf(get('/api/groups'));
    expect(requests()).toBe(1);
  });

  test('an untrusted certificate', async () => {
    server().put('/api/groups/g1').replyWithError(untrusted);
    const { write, requests } = client();
    expect(await failureOf(write('PUT', '/api/groups/g1', {}))).toMatchObject({
      code: 'API_UNTRUSTED',
      mayHaveHappened: false,
      message: expect.stringContaining('its certificate is not trusted'),
    });
    expect(requests()).toBe(1);
  });

  test('a server that stays down', async () => {
    server().get('/api/groups').times(5).reply(503, 'down for repairs');
    const { get, requests } = client();
    expect(await failureOf(get('/api/groups'))).toMatchObject({
      code: 'API_UNAVAILABLE',
      message: 'GET /api/groups returned 503: down for repairs',
    });
    expect(requests()).toBe(5);
  });
});

describe('a write without a response that was then refused', () => {
  test('may still have been executed', async () => {
    server().put('/api/groups/g1').replyWithError(reset);
    server().put('/api/groups/g1').reply(422, { message: 'no such peer', code: 422 });
    expect(await failureOf(client().write('PUT', '/api/groups/g1', {}))).toMatchObject({
      code: 'API_INVALID',
      mayHaveHappened: true,
    });
  });

  test('is done if it is a DELETE and the object no longer exists', async () => {
    server().delete('/api/groups/g1').reply(504, 'gateway timeout');
    server().delete('/api/groups/g1').reply(404, { message: 'not found', code: 404 });
    expect(await client().write('DELETE', '/api/groups/g1')).toBeNull();
  });

  test('is not done if the 404 came from a web page and not from the API', async () => {
    server().delete('/api/groups/g1').reply(504, 'gateway timeout');
    server().delete('/api/groups/g1').reply(404, '<h1>Not found</h1>');
    expect(await failureOf(client().write('DELETE', '/api/groups/g1'))).toMatchObject({
      code: 'API_BAD_ANSWER',
      mayHaveHappened: true,
    });
  });
});

describe('a DELETE', () => {
  test('a DELETE of an object that never existed fails, even after a throttled attempt', async () => {
    server().delete('/api/groups/g1').reply(429);
    server().delete('/api/groups/g1').reply(404, { message: 'not found', code: 404 });
    expect(await failureOf(client().write('DELETE', '/api/groups/g1'))).toMatchObject({
      code: 'API_NOT_FOUND',
      mayHaveHappened: false,
    });
  });
});

describe('a read transport', () => {
  test('cannot write', () => {
    const transport = readTransport(options());
    expectTypeOf(transport).toExtend<ReadTransport>();
    expectTypeOf(transport).not.toExtend<WriteTransport>();
    expectTypeOf(transport).not.toHaveProperty('write');
    expect(Object.keys(transport).sort()).toEqual(['get', 'pause', 'requests', 'skew']);
  });

  test('reads and counts requests', async () => {
    server().get('/api/groups').reply(200, null);
    const { get, requests } = readTransport(options());
    expect(await get('/api/groups')).toBeNull();
    expect(requests()).toBe(1);
  });
});
