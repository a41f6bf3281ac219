// An undo restores what is no secret beside a secret: groups that may sign in, and locks that the run switched on or off.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const PASSWORD = 'password_auth: { enabled: true, password: "${env:WIKI}" }';
const OTHER = 'password_auth: { enabled: true, password: "${env:OTHER}" }';
const PIN = 'pin_auth: { enabled: true, pin: "${env:PIN}" }';
const NO_PIN = 'pin_auth: { enabled: false }';
const NO_PASSWORD = 'password_auth: { enabled: false }';
const SIGN_IN = (group = '') => `bearer_auth: { enabled: true, distribution_groups: [${group}] }`;
const HEADER = (name: string) => `{ enabled: true, header: ${name}, value: "\${env:PIN}" }`;

const files = (auth: string, more = '') => `groups: [{ name: sales }]
reverse_proxy:
  services:
    - domain: wiki.eu.proxy.test
      name: Wiki
      targets: [{ target: { peer: gate }, port: 8080, protocol: http }]
      auth: { ${auth} }
${more}`;

/** An account with proxies and a machine `gate`. */
async function accountWithProxies() {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  const cluster = { address: 'eu.proxy.test', shared: true };
  await account.control('POST', '/emulator/proxy-clusters', cluster);
  await account.enrol('gate');
  return account;
}

/** The undo of an apply from one `auth` to another, and the `auth` of the account after it. */
async function undone(from: string, to: string) {
  const account = await accountWithProxies();
  const services = async () =>
    (await account.call('GET', '/api/reverse-proxies/services')) as JsonObject[];
  return await inFolder(async cwd => {
    const secrets = { WIKI: 'hunter2-hunter2', OTHER: 'other-password', PIN: '471100' };
    const run = (...flags: string[]) =>
      meshform(['apply', '.', '--yes', '--allow', 'SERVICE_PUBLIC', ...flags], {
        env: { ...environmentOf(account), ...secrets },
        cwd,
      });
    await writeFile(join(cwd, 'network.yaml'), files(from));
    expect(await run()).toMatchObject({ code: 0 });
    const [before] = await services();
    await writeFile(join(cwd, 'network.yaml'), files(to));
    const applied = await run('--journal', 'run.jsonl');
    expect(applied.code, applied.stderr).toBe(0);
    const result = await run('--undo', 'run.jsonl');
    const [after] = await services();
    const text = `${result.stdout}${result.stderr}`.replaceAll(/\s+/g, ' ');
    return { code: result.code, text, before: before?.auth, after: after?.auth };
  });
}

const A = 'proxy_service.wiki.eu.proxy.test';
const FORMER = 'because its former value is a secret';

/** What lets callers in: the parts that are switched on, without secrets. */
const keys = (auth: Json | undefined) =>
  Object.entries(isObject(auth) ? auth : {}).flatMap(([name, part]) =>
    isObject(part) && part.enabled === false ? [] : [[name, part]],
  );

test.each([
  ['the groups that may sign in', `${PASSWORD}, ${SIGN_IN('sales')}`, `${PASSWORD}, ${SIGN_IN()}`],
  ['no sign-in, beside a password that was replaced', PASSWORD, `${OTHER}, ${SIGN_IN()}`],
  ['a password alone, beside a PIN', PASSWORD, `${PASSWORD}, ${PIN}`],
])('an undo restores everything that is not a secret: %s', async (_, from, to) => {
  const { before, after, text, code } = await undone(from, to);
  expect(code, text).toBe(0);
  expect(keys(after)).toEqual(keys(before));
  expect(text).toContain(`${A}: \`auth.password_auth.password\` stays as it is, ${FORMER}`);
  expect(text).not.toContain('`auth` stays');
});

test('an undo switches off a lock that the run added', async () => {
  const { after, text } = await undone(NO_PIN, PIN);
  expect(keys(after)).toEqual([]);
  expect(text).not.toContain('UNDO_PARTIAL');
});

test('an undo does not switch on a lock without its secret, and restores everything else', async () => {
  const { after, text, code } = await undone(
    `${PASSWORD}, ${SIGN_IN('sales')}`,
    `${NO_PASSWORD}, ${SIGN_IN()}`,
  );
  expect(code, text).toBe(0);
  expect(keys(after)).toMatchObject([
    ['bearer_auth', { enabled: true, distribution_groups: [expect.any(String)] }],
  ]);
  expect(text).toContain(
    `${A}: \`auth.password_auth\` is not switched on again, because its \`password\` is a secret`,
  );
});

test.each([
  ['a PIN', PASSWORD, `${NO_PASSWORD}, ${PIN}`, 'auth.pin_auth', 'pin_auth'],
  [
    'a header',
    `header_auths: [${HEADER('x-a')}]`,
    `header_auths: [${HEADER('x-b')}]`,
    'auth.header_auths',
    'header_auths',
  ],
])(
  'an undo keeps a lock that the run added if the service would otherwise be open to everybody: %s',
  async (_, from, to, path, name) => {
    const { after, text, code } = await undone(from, to);
    expect(code, text).toBe(0);
    expect(keys(after).map(([key]) => key)).toEqual([name]);
    expect(text).toContain('is not switched on again, because its');
    expect(text).toContain(`${A}: \`${path}\` stays as it is: without it, everybody could get in`);
  },
);

test.each([
  ['a password', PASSWORD, 'auth.password_auth.password'],
  ['a PIN, beside a sign-in', `${PIN}, ${SIGN_IN()}`, 'auth.pin_auth.pin'],
  ['a header', `header_auths: [${HEADER('x-key')}]`, 'auth.header_auths.x-key.value'],
])(
  'a deleted service with %s is not restored, and everything else is as before',
  async (_, auth, name) => {
    const account = await accountWithProxies();
    await inFolder(async cwd => {
      const env = { ...environmentOf(account), WIKI: 'hunter2-hunter2', PIN: '471100' };
      const run = (...flags: string[]) => meshform(['apply', '.', '--yes', ...flags], { env, cwd });
      const policy = `policies:
  - { name: web, rules: [{ name: in, sources: [sales], destinations: [sales], protocol: icmp }] }
`;
      await writeFile(join(cwd, 'network.yaml'), files(auth, policy));
      expect(await run()).toMatchObject({ code: 0 });
      const gone = files(auth, policy)
        .replace('name: Wiki', 'name: Wiki\n      lifecycle: { delete: true }')
        .replace('{ name: web,', '{ name: web, lifecycle: { delete: true },');
      await writeFile(join(cwd, 'network.yaml'), gone);
      const deleted = await run('--allow', 'DELETES_OBJECT', '--journal', 'run.jsonl');
      expect(deleted.code, deleted.stderr).toBe(0);
      expect(await account.call('GET', '/api/reverse-proxies/services')).toEqual([]);
      const result = await run('--undo', 'run.jsonl');
      const text = `${result.stdout}${result.stderr}`.replaceAll(/\s+/g, ' ');
      expect(result.code, text).toBe(0);
      expect(text).toContain(
        `warning UNDO_PARTIAL ${A} cannot be restored: its \`${name}\` is a secret that only the files know: declare it again with that secret, and apply`,
      );
      expect(await account.call('GET', '/api/reverse-proxies/services')).toEqual([]);
      const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
      expect(policies.map(one => one.name)).toContain('web');
    });
  },
);
