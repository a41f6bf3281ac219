// No secret of the contract is printed unless somebody asks for it: not in answers, not in messages.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationTable } from '../../../src/api/operations/operationsById.ts';
import { answerSchema, requestSchema } from '../../../src/api/schema/bodies.ts';
import { newSecrets } from '../../../src/cli/api/apiAnswer.ts';
import { exampleCall } from '../../../src/cli/api/apiExample.ts';
import type { Operation } from '../../../src/contract/index.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { cannedServer, fullBody, HUSH } from './apiCalls.ts';

const { document, operations } = operationTable();

/** The words that call an operation, its parameters as they are. */
function wordsOf(operation: Operation): readonly string[] {
  const { words, body } = exampleCall(document, operation);
  const data = body === undefined ? [] : ['--data', '-'];
  return [...words.filter(word => word !== '--reveal').map(word => word.replace('@', '')), ...data];
}

const stdinOf = (operation: Operation) => JSON.stringify(exampleCall(document, operation).body);

/** Everything that an operation may answer, its secrets included. */
function answerOf(operation: Operation): string {
  const schema = answerSchema(document, operation);
  return JSON.stringify(schema === undefined ? {} : fullBody(document, schema));
}

const hushesIn = (text: string) => text.match(new RegExp(HUSH, 'g'))?.length ?? 0;

const all = [...operations.values()].map(operation => [operation.id, operation] as const);

const isSafe = ([, operation]: (typeof all)[number]) =>
  newSecrets(document, operation).length === 0;

describe('a call that would lose a new secret is not sent', () => {
  const losing = all.filter(one => !isSafe(one));

  test('calls that create tokens and keys are among the refused calls', () => {
    expect(losing.map(([id]) => id)).toEqual(
      expect.arrayContaining(['createToken', 'createSetupKey', 'regenerateScimToken']),
    );
  });

  test.each(losing)('%s', async (id, operation) => {
    const { env, received } = await cannedServer({ body: answerOf(operation) });
    const ended = await meshform(wordsOf(operation), { env, stdin: stdinOf(operation) });
    expect([ended.code, ended.stdout, received.length]).toEqual([64, '', 0]);
    expect(ended.stderr).toContain(`${id} was not sent: its response shows `);
    expect(ended.stderr).toContain('add --reveal');
  });
});

describe.each(['json', 'table'])('an answer as %s shows no secret', format => {
  test.each(all.filter(isSafe))('%s', async (_, operation) => {
    const answer = answerOf(operation);
    const { env } = await cannedServer({ body: answer });
    const words = [...wordsOf(operation), '--format', format];
    const { code, stdout, stderr } = await meshform(words, { env, stdin: stdinOf(operation) });
    expect([code, hushesIn(stdout + stderr)]).toEqual([0, 0]);
    expect(stderr.includes('hidden: ')).toBe(hushesIn(answer) > 0);
  });
});

describe('--reveal shows every secret', () => {
  const revealing = all.filter(([, operation]) => hushesIn(answerOf(operation)) > 0);

  test('more than 10 operations have secrets in their responses', () => {
    expect(revealing.length).toBeGreaterThan(10);
  });

  test.each(revealing)('%s', async (_, operation) => {
    const answer = answerOf(operation);
    const { env } = await cannedServer({ body: answer });
    const words = [...wordsOf(operation), '--reveal'];
    const { stdout } = await meshform(words, { env, stdin: stdinOf(operation) });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(answer));
  });
});

describe('a secret that the server echoes is not printed:', () => {
  const secretive = all.flatMap(([id, operation]) => {
    const schema = requestSchema(document, operation);
    const sent = schema === undefined ? '' : JSON.stringify(fullBody(document, schema));
    return hushesIn(sent) > 0 ? [[id, operation, sent] as const] : [];
  });

  test.each(secretive)('%s', async (_, operation, sent) => {
    const { env } = await cannedServer({ body: sent });
    const words = wordsOf(operation).filter(word => word !== '-' && word !== '--data');
    const unchecked = [...words, '--unchecked', '--data', '-'];
    const { code, stdout, stderr } = await meshform(unchecked, { env, stdin: sent });
    expect([code, hushesIn(stdout + stderr)]).toEqual([0, 0]);
  });
});

test('hidden fields are listed by name, and hidden lists by their members', async () => {
  const { env } = await cannedServer({ body: '[{"key":"a"},{"key":"b"}]' });
  expect((await meshform(['api', 'call', 'listSetupKeys'], { env })).stderr).toBe(
    'hidden: /*/key; --reveal shows it\n',
  );
});

test('a secret hidden in the response to a write is not shown a second time, and that is reported', async () => {
  const { env } = await cannedServer({ body: '{"key":"x"}' });
  const data = '{"revoked":true,"auto_groups":[]}';
  const words = ['api', 'call', 'updateSetupKey', '--param', 'keyId=1', '--data', data];
  expect((await meshform(words, { env })).stderr).toBe(
    'hidden: /key; only --reveal shows it, and the server does not show a new secret again\n',
  );
});

describe('an error message contains no secret of the request', () => {
  const accept = ['api', 'call', 'acceptUserInvite', '--data', '-'];
  const stdin = '{"password":"Pass \\"word/1"}';

  test('no secret of the path is in an error message, and none that the server’s message quotes from the body', async () => {
    const sentence = 'Pass "word/1 and s/cret are wrong';
    const body = JSON.stringify({
      message: sentence,
      code: 422,
      got: { password: 'Pass "word/1' },
    });
    const server = await cannedServer({ status: 422, body });
    const ended = await meshform([...accept, '--param', 'token=s/cret'], {
      env: server.env,
      stdin,
    });
    expect(ended.stderr).not.toMatch(/s\/cret|s%2Fcret|Pass/);
    expect(ended.stderr).toContain(
      'POST /api/users/invites/(secret)/accept returned 422: (secret) and (secret) are wrong',
    );
  });

  test('no secret of a repeated request is in an error message', async () => {
    const server = await cannedServer({ status: 503, body: 's3cret is down' }, {});
    const words = ['api', 'call', 'getUserInvite', '--param', 'invite=s3cret'];
    const { code, stderr } = await meshform(words, { env: server.env });
    expect(code).toBe(0);
    expect(stderr).toContain('trying again');
    expect(stderr).not.toContain('s3cret');
  });

  test('no secret of a body that is refused or cannot be read is in an error message', async () => {
    const broken = '{"password":"hunter2-hunter2" oops}';
    const { env } = await cannedServer();
    for (const text of [broken, '{"password":["hunter2"]}', '{"password":"hunter2"}']) {
      const words = [...accept, '--param', 'token=x'];
      const { code, stderr } = await meshform(words, { env, stdin: text });
      expect(code).toBe(3);
      expect(stderr).not.toContain('hunter2');
    }
  });
});

describe('a secret on the command line', () => {
  test('is reported as a secret', async () => {
    const { env } = await cannedServer();
    const data = '{"password":"Secret-1"}';
    const words = ['api', 'call', 'acceptUserInvite', '--param', 'token=t', '--data', data];
    const { stderr } = await meshform(words, { env });
    expect(stderr).toBe(`Warning:
  body /password  a secret on the command line can be read by other users of this machine; use
                  --data @FILE or --data -
  param /token    a secret on the command line can be read by other users of this machine; use
                  --param token=@FILE
`);
  });

  test('can be passed in a file instead, and only secrets can', async () => {
    const { env, received } = await cannedServer({ body: '[]' });
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'invite'), 'from-file\n');
      const invite = ['api', 'call', 'getUserInvite', '--param', 'invite=@invite'];
      expect(await meshform(invite, { env, cwd })).toMatchObject({ code: 0, stderr: '' });
      await meshform(['api', 'call', 'listGroups', '--param', 'name=@invite'], { env, cwd });
      const missing = await meshform([...invite.slice(0, -1), 'invite=@no'], { env, cwd });
      expect([missing.code, missing.stderr]).toEqual([
        64,
        'Error: the file `no` of --param does not exist\n' +
          '  hint: write @ and the path of a file that can be read\n',
      ]);
    });
    expect(received.map(({ line }) => line)).toEqual([
      'GET /api/users/invites/from-file',
      'GET /api/groups?name=%40invite',
    ]);
  });
});
