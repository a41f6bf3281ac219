// `api call` over a live account: what is sent, what is not, and what is said of it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operationTable } from '../../../src/api/operations/operationsById.ts';
import { exampleCall } from '../../../src/cli/api/apiExample.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { cannedServer } from './apiCalls.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const call = (words: readonly string[], options: CliOptions = {}) =>
  meshform(['api', 'call', ...words], { env: environmentOf(account), ...options });
const lines = () => account.requests.map(({ method, path }) => `${method} ${path}`);

/** The id of a new group. */
async function newGroup(name: string): Promise<string> {
  const { stdout } = await call(['createGroup', '--data', JSON.stringify({ name })]);
  return JSON.parse(stdout).id;
}

describe('a call', () => {
  test('creates, reads, replaces and deletes', async () => {
    const id = await newGroup('engineers');
    const params = ['--param', `groupId=${id}`];
    const read = await call(['getGroup', ...params]);
    expect(JSON.parse(read.stdout)).toMatchObject({ id, name: 'engineers' });
    await call(['updateGroup', ...params, '--data', '{"name":"developers"}']);
    const list = await call(['listGroups', '--param', 'name=developers']);
    expect(JSON.parse(list.stdout)).toMatchObject([{ id, name: 'developers' }]);
    expect(await call(['deleteGroup', ...params, '--yes'])).toEqual({
      code: 0,
      stdout: '{}\n',
      stderr: '',
    });
    expect(JSON.parse((await call(['listGroups'])).stdout)).toHaveLength(1);
  });

  test('takes its body from a file or from stdin', async () => {
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'group.json'), '\ufeff{"name":"from a file"}\n');
      expect((await call(['createGroup', '--data', '@group.json'], { cwd })).code).toBe(0);
    });
    const stdin = '{"name":"piped in"}';
    expect((await call(['createGroup', '--data', '-'], { stdin })).code).toBe(0);
    expect((await call(['createGroup', '--data', '@-'], { stdin: '{"name":"x"}' })).code).toBe(0);
    const { stdout } = await call(['listGroups']);
    const names = JSON.parse(stdout).map(({ name }: { readonly name: string }) => name);
    expect(names.sort()).toEqual(['All', 'from a file', 'piped in', 'x']);
  });

  test('uses the paths of the dialect, from a flag or the project file', async () => {
    const { env, received } = await cannedServer();
    await call(['getEdrProviderA'], { env });
    await call(['getEdrProviderA', '--dialect', 'netbird'], { env });
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'meshform.yaml'), 'dialect: netbird\n');
      await call(['getDirectorySyncA', '--param', 'id=3'], { env, cwd });
    });
    expect(received.map(({ line }) => line)).toEqual([
      'GET /api/integrations/edr/edr-provider-a',
      'GET /api/integrations/edr/sentinelone',
      'GET /api/integrations/azure-idp/3',
    ]);
  });

  test('finds the server in the project file, at a terminal', async () => {
    const AT_TERMINAL = { answer: 'yes', isTerminal: true };
    const { env, received } = await cannedServer({ body: '[]' });
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'meshform.yaml'), `url: ${env.MESHFORM_URL}/api\n`);
      const options = { env: { MESHFORM_TOKEN: 'nbp_test' }, cwd };
      expect((await call(['listGroups'], options)).code).toBe(64);
      expect((await call(['listGroups'], { ...options, ...AT_TERMINAL })).code).toBe(0);
    });
    expect(received.map(({ line }) => line)).toEqual(['GET /api/groups']);
  });

  test('a call of a public operation sends no credentials, and needs none', async () => {
    const { env, received } = await cannedServer();
    const { MESHFORM_URL = '' } = env;
    const words = ['acceptUserInvite', '--param', 'token=x', '--data', '-'];
    const stdin = '{"password":"Secret-1"}';
    expect((await call(words, { env: { MESHFORM_URL }, stdin })).code).toBe(0);
    await call(words, { env, stdin });
    await call(['listGroups'], { env });
    expect(received.map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
      'Token nbp_test',
    ]);
  });
});

describe('a DELETE', () => {
  const words = ['deleteGroup', '--param', 'groupId=g/1'];

  test('is not sent without a terminal to ask', async () => {
    expect(await call(words)).toEqual({
      code: 64,
      stdout: '',
      stderr: `Error: DELETE /api/groups/g%2F1 was not sent: there is no terminal to ask for confirmation
  hint: add --yes to send it without a question
`,
    });
    expect(lines()).toEqual([]);
  });

  test.each(['no', 'y', 'YES', ''])('is not sent if the answer is %j', async answer => {
    expect(await call(words, { answer })).toMatchObject({ code: 6, stdout: '' });
    expect(lines()).toEqual([]);
  });

  test('is sent if the answer is yes', async () => {
    const id = await newGroup('engineers');
    const ended = await call(['deleteGroup', '--param', `groupId=${id}`], { answer: 'yes' });
    expect(ended.code).toBe(0);
    expect(lines()).toEqual(['POST /api/groups', `DELETE /api/groups/${id}`]);
  });

  test('is sent without a question with --yes or --auto-approve', async () => {
    const { env, received } = await cannedServer();
    await call([...words, '--yes'], { env });
    await call([...words, '--auto-approve'], { env, answer: 'no' });
    expect(received.map(({ line }) => line)).toEqual(Array(2).fill('DELETE /api/groups/g%2F1'));
  });

  test('a DELETE of any operation needs that confirmation', async () => {
    const { document, operations } = operationTable();
    const deleting = [...operations.values()].filter(({ method }) => method === 'DELETE');
    for (const operation of deleting) {
      const { words: example } = exampleCall(document, operation);
      const unsaid = example.filter(word => word !== '--yes').slice(2);
      expect([operation.id, (await call(unsaid)).code]).toEqual([operation.id, 64]);
    }
    expect(lines()).toEqual([]);
  });
});

describe('an operation outside the specification', () => {
  test('is called, unless the dialect is spec', async () => {
    const { env, received, answer } = await cannedServer({ body: '[]' });
    expect(await call(['listAccounts'], { env })).toMatchObject({ code: 0, stdout: '[]\n' });
    answer({ body: '{}' });
    const body = '{"disabled_management_groups":[]}';
    expect((await call(['updateDnsSettings', '--data', body], { env })).code).toBe(0);
    expect(received.map(({ line }) => line)).toEqual([
      'GET /api/accounts',
      'PUT /api/dns/settings',
    ]);
    expect(await call(['listAccounts', '--dialect', 'spec'], { env })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('it is outside the specification, and the dialect is spec'),
    });
    expect(received).toHaveLength(2);
  });
});

describe('no request is sent', () => {
  /** Calls, and expects that the server was not asked. */
  async function refused(words: readonly string[], options: CliOptions = {}) {
    const ended = await call(words, options);
    expect(lines()).toEqual([]);
    expect(ended.stdout).toBe('');
    return ended;
  }

  test('all faults of a request are reported, each with its place, and nothing is sent', async () => {
    const body = '{"name":"p","enabled":"yes","rules":[{"protocol":"tpc","bidirectional":true}]}';
    const words = ['updatePolicy', '--param', 'polcyId=1', '--data', body];
    expect(await refused(words)).toEqual({
      code: 3,
      stdout: '',
      stderr: `Error: updatePolicy was not sent: 7 faults in the request
  param /polcyId          updatePolicy has no such parameter; did you mean \`policyId\`?
  param /policyId         policyId is required
  body /enabled           enabled must be true or false
  body /rules/0/name      rules[0].name is required
  body /rules/0/enabled   rules[0].enabled is required
  body /rules/0/action    rules[0].action is required
  body /rules/0/protocol  rules[0].protocol must be one of all, tcp, udp, icmp, netbird-ssh
  hint: \`meshform api describe updatePolicy\` shows its parameters
`,
    });
  });

  test.each([
    ['no body where one is needed', ['createGroup'], 'createGroup needs a body: --data'],
    ['a body where none is taken', ['listGroups', '--data', '{}'], 'listGroups accepts no body'],
    ['a body that is no object', ['createGroup', '--data', '[]'], 'the body must be an object'],
    [
      'a query out of range',
      ['listProxyAccessLogs', '--param', 'page_size=101'],
      'param /page_size  page_size must be at most 100',
    ],
    [
      'a flag that is none',
      ['listUsers', '--param', 'service_user=maybe'],
      'service_user must be true or false',
    ],
    [
      'a parameter that is not there',
      ['listGroups', '--param', 'toString=1'],
      'listGroups has no such parameter; it has name',
    ],
    [
      'a parameter given twice',
      ['listGroups', '--param', 'name=a', '--param', 'name=b'],
      'name is used twice',
    ],
    [
      'a path that leads to the list',
      ['deleteGroup', '--param', 'groupId=', '--yes'],
      'groupId is empty',
    ],
    [
      'a path that leads elsewhere',
      ['deleteGroup', '--param', 'groupId=..', '--yes'],
      'groupId cannot be `..`',
    ],
    ['what is not JSON', ['createGroup', '--data', '{"name":"a",}'], 'is not JSON'],
    ['what is not JSON but a file', ['createGroup', '--data', 'a.json'], '--data @FILE'],
    ['nothing piped in', ['createGroup', '--data', '-'], 'the standard input of --data is empty'],
  ])('%s', async (_, words, sentence) => {
    const ended = await refused(words);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(sentence);
  });

  test.each([
    ['an operation that is not there', ['creatGroup'], 'did you mean `createGroup`?'],
    ['a parameter without a value', ['getGroup', '--param', 'groupId'], 'name=value'],
    ['a parameter without a name', ['getGroup', '--param', '=x'], 'name=value'],
    [
      'a file that is not there',
      ['createGroup', '--data', '@no.json'],
      '`no.json` of --data does not exist',
    ],
    ['a file without a name', ['createGroup', '--data', '@'], 'no file after the @'],
    ['a format that is none', ['listGroups', '--format', 'yaml'], 'json, table'],
  ])('nothing is sent if the command line is wrong: %s', async (_, words, sentence) => {
    const ended = await refused(words);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(sentence);
  });

  test('nothing is sent if the project file has a fault', async () => {
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'meshform.yaml'), 'urll: x\n');
      const ended = await refused(['listGroups'], { cwd });
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('meshform.yaml:1:1 error');
    });
  });
});

describe('a request body', () => {
  test('may remove a field by null, as the server does', async () => {
    const data = '{"name":"x","peers":null}';
    expect((await call(['createGroup', '--data', data])).code).toBe(0);
  });

  test('a request body with a field that the contract does not have is sent, with a warning', async () => {
    const { code, stderr } = await call(['createGroup', '--data', '{"name":"x","peer":[]}']);
    expect(code).toBe(0);
    expect(stderr).toBe(`Warning:
  body /peer  the API contract has no such field: the server will ignore it; did you mean \`peers\`?
`);
  });

  test('is sent unchecked if the flag requests it, and its faults are warnings', async () => {
    const netbird = await startAccount({ dialect: 'netbird' });
    const data = '{"name":"k","type":"reusable","expires_in":0,"auto_groups":[]}';
    const options = { env: environmentOf(netbird) };
    const words = ['createSetupKey', '--reveal', '--dialect', 'netbird', '--data', data];
    expect((await call(words, options)).code).toBe(3);
    const { code, stderr } = await call([...words, '--unchecked'], options);
    await netbird.close();
    expect(code).toBe(0);
    expect(stderr).toContain('body /usage_limit  usage_limit is required');
  });

  test('is checked against the limits of the dialect, and against both if it is unknown', async () => {
    const data = (seconds: number) =>
      `{"name":"k","type":"reusable","expires_in":${seconds},"auto_groups":[],"usage_limit":0}`;
    const netbird = await startAccount({ dialect: 'netbird' });
    const ended = async (dialect: string, seconds: number) => {
      const words = ['createSetupKey', '--reveal', '--dialect', dialect, '--data', data(seconds)];
      const { code, stderr } = await call(words, { env: environmentOf(netbird) });
      return [code, /expires_in must be .*/.exec(stderr)?.[0]];
    };
    expect(await ended('netbird', 0)).toEqual([0, undefined]);
    expect(await ended('spec', 0)).toEqual([3, 'expires_in must be at least 86400']);
    expect(await ended('auto', 60)).toEqual([
      0,
      'expires_in must be at least 86400 on a server of dialect `spec`',
    ]);
    for (const dialect of ['netbird', 'auto'])
      expect(await ended(dialect, -1)).toEqual([3, 'expires_in must be at least 0']);
    await netbird.close();
  });

  test('must be present, and the path complete, even with --unchecked', async () => {
    expect((await call(['createGroup', '--unchecked'])).code).toBe(3);
    expect((await call(['deleteGroup', '--unchecked', '--yes'])).code).toBe(3);
    expect(lines()).toEqual([]);
  });
});

test('an argument that is not name=value is not quoted in the error, because it may hold a secret', async () => {
  expect((await call(['getUserInvite', '--param', 'invite:hunter2'])).stderr).toBe(
    'Error: --param `invite…` is not in the form name=value\n' +
      '  hint: write --param NAME=VALUE; `meshform api describe OPERATION` lists the names\n',
  );
});
