// What becomes of an answer to `api call`: as JSON, as a table, or as the reason why there is none.
import { describe, expect, test } from 'vitest';
import { type CliOptions, meshform } from '../../support/cli.ts';
import { type Canned, cannedServer } from './apiCalls.ts';

/** Calls a server that gives these answers. */
async function answered(
  words: readonly string[],
  answers: readonly Canned[],
  options: CliOptions = {},
) {
  const server = await cannedServer(...answers);
  const ended = await meshform(['api', 'call', ...words], { env: server.env, ...options });
  return { ...ended, received: server.received };
}

const json = (body: unknown): Canned => ({ body: JSON.stringify(body) });

describe('an answer as a table', () => {
  const table = (words: readonly string[], body: unknown) =>
    answered([...words, '--format', 'table'], [json(body)]);
  const group = (id: string, name: string) => ({ id, name, peers_count: 3, peers: [] });

  test('has a row per object of a list, and columns in the order of the contract', async () => {
    const groups = [group('1', 'engineers'), { more: 'x', ...group('2', '数据库') }];
    expect((await table(['listGroups'], groups)).stdout).toBe(`id  name       peers_count  more
1   engineers  3
2   数据库     3            x
`);
  });

  test('has a row per field of an object, and cuts off no value', async () => {
    const peers = ['ada', 'bob', 'eve'].map(name => ({ id: name, name: name.repeat(12) }));
    const { stdout } = await table(['getGroup', '--param', 'groupId=1'], { name: 'g', peers });
    expect(stdout).toBe(`name   g
peers  adaadaadaadaadaadaadaadaadaadaadaada, bobbobbobbobbobbobbobbobbobbobbobbob,
       eveeveeveeveeveeveeveeveeveeveeveeve
`);
  });

  test('names the columns that do not fit', async () => {
    const long = (letter: string) => letter.repeat(60);
    const users = [{ id: long('i'), name: long('n'), email: long('e'), role: 'user' }];
    const { stdout, stderr } = await table(['listUsers'], users);
    const [head = '', row = ''] = stdout.split('\n');
    expect(head).toMatch(/^id +email +role$/);
    expect([row.length, row.includes(`${'i'.repeat(39)}…`)]).toEqual([88, true]);
    expect(stderr).toBe('columns not shown: name; --format json shows everything\n');
  });

  test('shows the list of a page, and its page numbers on stderr', async () => {
    const data = [{ id: '1', method: 'GET' }];
    const body = { page: 1, page_size: 50, total_records: 1, total_pages: 1, data };
    const { stdout, stderr } = await table(['listProxyAccessLogs'], body);
    expect(stdout).toBe('id  method\n1   GET\n');
    expect(stderr).toBe('page 1, page_size 50, total_records 1, total_pages 1\n');
  });

  test('says that it is empty', async () => {
    const { stdout, stderr } = await table(['deleteGroup', '--param', 'groupId=1', '--yes'], {});
    expect([stdout, stderr]).toEqual(['', 'the response is empty\n']);
  });

  test('is plain in a pipe, and has a highlighted header on a terminal', async () => {
    const options = { isTerminal: true };
    const words = ['listGroups', '--format', 'table'];
    const { stdout } = await answered(words, [json([group('1', 'x')])], options);
    expect(stdout.split('\n')[0]).toBe('\u001b[1mid  name  peers_count\u001b[22m');
  });

  test('contains no control characters of the server', async () => {
    const { stdout } = await table(['listGroups'], [group('1', '\u001b[31mred\u202e')]);
    expect(stdout).toContain('\\u001b[31mred\\u202e');
  });
});

describe('an answer as JSON', () => {
  test('is what the server returned, of any type', async () => {
    for (const body of [[], null, 'text', { any: ['thing', 1.5] }]) {
      const { stdout } = await answered(['listGroups'], [json(body)]);
      expect(JSON.parse(stdout)).toEqual(body);
    }
  });

  test('escapes control characters, and keeps its meaning', async () => {
    const body = [{ name: '\u001b[31m\u009b1m\u202e\u2028' }];
    const { stdout } = await answered(['listGroups'], [json(body)]);
    expect(stdout).toContain('"\\u001b[31m\\u009b1m\\u202e\\u2028"');
    expect(JSON.parse(stdout)).toEqual(body);
  });
});

describe('a write with an empty response prints null and succeeds', () => {
  test.each([204, 200])('an empty response with status %i prints null', async status => {
    const words = ['deleteGroup', '--param', 'groupId=1', '--yes'];
    const { code, stdout } = await answered(words, [{ status, body: '' }]);
    expect([code, stdout]).toEqual([0, 'null\n']);
  });
});

describe('a call that fails', () => {
  const create = ['createGroup', '--data', '{"name":"x"}'];

  test('prints the server’s message and request id', async () => {
    const body = '{"message":"name is taken","code":409}';
    const headers = { 'x-request-id': 'r-1' };
    const { code, stdout, stderr } = await answered(create, [{ status: 409, body, headers }]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Error: POST /api/groups returned 409: name is taken
  hint: the object may have changed in the meantime: check it with \`meshform drift\` or \`meshform api
    call\`; the server’s id of the request is r-1
`);
  });

  test('prints the whole message if it is longer than a sentence', async () => {
    const body = '{"message":"no","code":422,"fields":["name"]}';
    const { stderr } = await answered(create, [{ status: 422, body }]);
    expect(stderr).toBe(`Error: POST /api/groups returned 422: no
  the response: {"message":"no","code":422,"fields":["name"]}
  hint: check the request: the server rejects it
`);
  });

  test.each([
    ['a web page', '<html>', 'a web page'],
    ['no JSON', 'oops', 'text that is not JSON'],
    ['half an object', '{"id":', 'text that is not JSON'],
  ])('is reported if the server returns %s', async (_, body, form) => {
    const read = await answered(['listGroups'], [{ body }]);
    expect([read.code, read.stdout]).toEqual([1, '']);
    expect(read.stderr).toContain(
      `Error: GET /api/groups returned 200: ${form}\n  hint: check that `,
    );
    const write = await answered(create, [{ body }]);
    expect(write.stderr).toContain(
      `returned 200: ${form}\n  the server may have executed the request: check the account before you call it again\n`,
    );
    expect(write.received).toHaveLength(1);
  });

  test('is sent once if a gateway answers with a web page, and the hint says to check the account', async () => {
    const { code, stderr, received } = await answered(create, [{ status: 502, body: '<html>' }]);
    expect([code, received.length]).toEqual([1, 1]);
    expect(stderr).toContain(
      'returned 502: a web page\n  the server may have executed the request',
    );
  });

  test('is reported if a read returns an empty body, which is not an empty list', async () => {
    const { code, stderr } = await answered(['listGroups'], [{ body: '' }]);
    expect(code).toBe(1);
    expect(stderr).toContain('returned 200: an empty body');
  });

  test('a call that fails with status 429 is repeated, and the retry is reported', async () => {
    const slow: Canned = { status: 429, body: '{"message":"slow down","code":429}' };
    const { code, stdout, stderr, received } = await answered(create, [slow, slow, json({})]);
    expect([code, stdout, received.length]).toEqual([0, '{}\n', 3]);
    expect(stderr.split('\n')[0]).toMatch(
      /^POST \/api\/groups returned 429.*; trying again in \d\.\d s$/,
    );
  });

  test('a call that fails with status 429 several times is reported once, with the hint --rate', async () => {
    const slow: Canned = { status: 429, headers: { 'retry-after': '0' }, body: '{}' };
    const { code, stderr } = await answered(create, [...Array(6).fill(slow), json({})]);
    expect(code).toBe(0);
    expect(stderr.match(/returned 429/g)).toHaveLength(1);
    expect(stderr).toContain('--rate NUMBER');
  });

  test('a call that fails with status 429 at every retry ends with exit code 1 and a hint', async () => {
    const { code, stderr } = await answered(create, [{ status: 429, body: '' }]);
    expect(code).toBe(1);
    expect(stderr).toContain('hint: the server limits the rate of this token');
  });

  test('prints no control characters of the server on a terminal', async () => {
    const body = JSON.stringify({ message: '\u001b[2Jgone', code: 400 });
    const { stderr } = await answered(create, [{ status: 400, body }]);
    expect(stderr).toContain('returned 400: \\u001b[2Jgone');
  });
});
