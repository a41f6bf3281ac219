// What a person reads of a call that was refused: the server's own sentence, and never a page, a header or a query.
import { describe, expect, test } from 'vitest';
import type { ApiErrorCode } from '../../src/model/errors.ts';
import { failureOf } from './calls.ts';
import { client, nockEachTest, server } from './nocked.ts';

nockEachTest();

describe('a refusal', () => {
  test.each<[number, ApiErrorCode]>([
    [400, 'API_INVALID'],
    [401, 'API_UNAUTHENTICATED'],
    [403, 'API_DENIED'],
    [404, 'API_NOT_FOUND'],
    [405, 'API_INVALID'],
    [409, 'API_CONFLICT'],
    [412, 'API_CONFLICT'],
    [418, 'API_BAD_ANSWER'],
    [422, 'API_INVALID'],
    [500, 'API_UNAVAILABLE'],
    [501, 'API_UNAVAILABLE'],
  ])('a refusal with status %i is %s', async (status, code) => {
    server().post('/api/groups').reply(status, { message: 'no', code: status });
    expect(await failureOf(client().write('POST', '/api/groups', {}))).toMatchObject({
      code,
      status,
      mayHaveHappened: false,
    });
  });

  test('a refusal with status 429 after every retry is API_THROTTLED', async () => {
    server().get('/api/groups').reply(429, { message: 'slow down', code: 429 }).persist();
    expect(await failureOf(client().get('/api/groups'))).toMatchObject({
      code: 'API_THROTTLED',
      status: 429,
      retryable: true,
    });
  });

  test.each([
    [
      'the server’s sentence',
      { message: 'group with name devs already exists', code: 409 },
      'group with name devs already exists',
    ],
    ['words that are no JSON', '404 page\n  not found', '404 page not found'],
    ['the first words of a long text', 'x'.repeat(900), 'x'.repeat(200)],
    ['that there is no more than a page', ' <!doctype html><h1>Blocked</h1>', 'a web page'],
    ['that there is nothing', '', 'no reason given'],
    ['JSON without a sentence', { code: 409 }, '{"code":409}'],
  ])('reports %s', async (_, body, words) => {
    server().get('/api/groups').reply(409, body);
    expect(await failureOf(client().get('/api/groups'))).toMatchObject({
      message: `GET /api/groups returned 409: ${words}`,
    });
  });

  test('keeps the request id of the server', async () => {
    server().get('/api/groups').reply(500, {}, { 'x-request-id': 'd5p7eedra0h0lt6f59hg' });
    expect(await failureOf(client().get('/api/groups'))).toMatchObject({
      requestId: 'd5p7eedra0h0lt6f59hg',
    });
  });

  test('never contains the token or the request body', async () => {
    server().post('/api/groups').reply(422, '<html>');
    const details = await failureOf(client().write('POST', '/api/groups', { name: 'hush' }));
    expect(JSON.stringify(details)).not.toMatch(/nbp_example|hush/);
  });
});

describe('a 404', () => {
  test.each([
    ['in JSON says that the object is gone', { message: 'not found', code: 404 }, 'API_NOT_FOUND'],
    ['without a body says so too', '', 'API_NOT_FOUND'],
    ['in plain text says that there is no such path', '404 page not found\n', 'API_BAD_ANSWER'],
    ['on a web page says the same', '<h1>Not found</h1>', 'API_BAD_ANSWER'],
  ])('%s', async (_, body, code) => {
    server().get('/api/groups/g1').reply(404, body);
    expect(await failureOf(client().get('/api/groups/g1'))).toMatchObject({ code, status: 404 });
  });
});

describe('a redirect', () => {
  test.each([301, 302, 307, 308])('a redirect with status %i is not followed', async status => {
    const location = 'https://login.example.com/start?state=hush#hush';
    server().put('/api/groups/g1').reply(status, '', { location });
    const details = await failureOf(client().write('PUT', '/api/groups/g1', {}));
    expect(details).toMatchObject({
      code: 'API_BAD_ANSWER',
      mayHaveHappened: false,
      message: `PUT /api/groups/g1 returned ${status}: a redirect to https://login.example.com/start, which is not followed`,
    });
  });

  test('the error for a redirect without a target says that the target is missing', async () => {
    server().get('/api/groups').reply(302);
    expect(await failureOf(client().get('/api/groups'))).toMatchObject({
      message: 'GET /api/groups returned 302: a redirect without a location',
    });
  });
});
