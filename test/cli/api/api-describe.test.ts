// `api describe`: what an operation takes and answers; its example is a call that would be sent.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationTable } from '../../../src/api/operations/operationsById.ts';
import { exampleCall } from '../../../src/cli/api/apiExample.ts';
import { present } from '../../../src/model/errors.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { cannedServer } from './apiCalls.ts';

const { document, operations } = operationTable();
const ids = [...operations.keys()];

describe('every operation', () => {
  test.each(ids)('%s is described within 100 columns', async id => {
    const { code, stdout, stderr } = await meshform(['api', 'describe', id]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').filter(line => line.length > 100)).toEqual([]);
    const { summary, method, path } = present(operations.get(id), id);
    expect(stdout.startsWith(`${id}: ${summary}\n${method} ${path}\n`)).toBe(true);
  });

  test.each(ids)('%s is described as JSON, with schemas without references', async id => {
    const { stdout } = await meshform(['api', 'describe', id, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ id, format_version: '1.0' });
    expect(stdout).not.toContain('$ref');
  });

  test.each(ids)('%s has an example that is sent as it is written', async id => {
    const { env, received } = await cannedServer();
    const operation = present(operations.get(id), id);
    const { words, body } = exampleCall(document, operation);
    const data = body === undefined ? [] : ['--data', '-'];
    const stdin = JSON.stringify(body);
    await inFolder(async cwd => {
      // Where an example takes a parameter from a file, it is one of these.
      for (const file of ['invite.txt', 'token.txt']) await writeFile(join(cwd, file), 'text\n');
      const { code, stderr } = await meshform([...words, ...data], { env, cwd, stdin });
      expect([code, stderr]).toEqual([0, '']);
    });
    expect(received).toHaveLength(1);
    expect(received[0]?.line.startsWith(`${operation.method} /api/`)).toBe(true);
    expect(received[0]?.body).toBe(body === undefined ? '' : stdin);
  });
});

test('describe prints everything that is known of an operation', async () => {
  const { stdout } = await meshform(['api', 'describe', 'createDirectorySyncA']);
  expect(stdout).toMatchInlineSnapshot(`
    "createDirectorySyncA: Create an integration of directory A
    POST /api/integrations/idp-sync-a
    POST /api/integrations/azure-idp in dialect netbird

    Body, required

      group_prefixes       list of string
                           Name prefixes of the groups to synchronise; all groups if empty.
      user_group_prefixes  list of string
                           Name prefixes of the groups whose users are synchronised; all users if empty.
      connector_id         string or null
                           The connector of an embedded identity provider.
      client_secret        string (required, secret, base64)
      client_id            string (required)
      tenant_id            string (required)
      host                 string (required)
                           Domain of the directory's API. Cannot be changed.
      sync_interval        integer or null (at least 300, default 300)
                           Seconds from one synchronisation to the next.

    Answer

      The integration, without its secret.

      id                   integer (required)
      enabled              boolean (required)
      group_prefixes       list of string (required)
      user_group_prefixes  list of string (required)
      connector_id         string (required)
      last_synced_at       string (required, RFC 3339)
      sync_interval        integer (required, at least 300, default 300)
                           Seconds from one synchronisation to the next.
      client_id            string (required)
      tenant_id            string (required)
      host                 string (required)

    Refusals

      400    The body is not JSON, a field has the wrong type, or the request is impossible.
      401    The credentials are missing, malformed or expired.
      422    A required field is missing, a value is outside its range, or values do not go together.
      other  Any other refusal or failure: 403 where the caller's role does not allow it or the caller
             is blocked, 429 where calls come too fast, 500 where the server fails, 501 where it
             does not offer the operation.

    Example

      meshform api call createDirectorySyncA --data @body.json

      body.json:

        {
          "client_secret": "Secret-1",
          "client_id": "text",
          "tenant_id": "text",
          "host": "text"
        }
    "
  `);
});

describe('the example of an operation', () => {
  const exampleOf = async (id: string) =>
    (await meshform(['api', 'describe', id])).stdout.split('Example\n\n')[1];

  test('is on one line if there is room', async () => {
    expect(await exampleOf('createNetwork')).toBe(
      `  meshform api call createNetwork --data '{"name":"text"}'\n`,
    );
  });

  test('keeps secrets off the command line, and shows secrets that are created', async () => {
    expect(await exampleOf('acceptUserInvite')).toBe(`  meshform api call acceptUserInvite \
--param token=@token.txt --data @body.json

  body.json:

    {
      "password": "Secret-1"
    }
`);
    expect(await exampleOf('regenerateScimToken')).toBe(
      '  meshform api call regenerateScimToken --param id=ID --reveal\n',
    );
  });

  test('has --yes if the operation deletes', async () => {
    expect(await exampleOf('deleteGroup')).toBe(
      '  meshform api call deleteGroup --param groupId=GROUP_ID --yes\n',
    );
  });
});

describe('an unknown operation is an error with a hint:', () => {
  test.each([
    ['creatGroup', 'did you mean `createGroup`?'],
    ['groups', '`meshform api list groups` lists the operations with this word'],
    ['frobnicate', '`meshform api list` lists all operations'],
    ['toString', '`meshform api list` lists all operations'],
  ])('%s', async (id, hint) => {
    expect(await meshform(['api', 'describe', id])).toEqual({
      code: 64,
      stdout: '',
      stderr: `Error: unknown operation \`${id}\`\n  hint: ${hint}\n`,
    });
  });
});
