// A secret whose value is empty is no secret: a password that everybody knows, a key that nobody checks. No default makes it one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount({ dialect: 'netbird', edition: 'cloud' });
  await account.control('POST', '/emulator/proxy-clusters', {
    address: 'eu.proxy.test',
    shared: true,
  });
  await account.enrol('web');
});
afterAll(() => account.close());

const service = (auth: string): string => `reverse_proxy:
  services:
    - domain: a.eu.proxy.test
      name: A
      targets: [{ target: { peer: web }, port: 80, protocol: http }]
      auth: { ${auth} }
`;

test.each([
  ['a password', service('password_auth: { enabled: true, password: "${env:NOPE:-}" }')],
  ['a PIN', service('pin_auth: { enabled: true, pin: "${env:NOPE:- }" }')],
  [
    'the value of a header that opens a service',
    service('header_auths: [{ enabled: true, header: x-a, value: "${env:NOPE:-}" }]'),
  ],
  [
    'a header for a target',
    service('').replace(
      'protocol: http',
      'protocol: http, options: { custom_headers: { X-K: "${env:NOPE:-}" } }',
    ),
  ],
  [
    'the secret of an identity provider',
    'identity_providers: [{ name: staff, type: oidc, client_id: x, client_secret: "${env:NOPE:-}", issuer: "https://id.example.com" }]\n',
  ],
  [
    'a header of a webhook',
    'notification_channels: [{ type: webhook, target: { url: "https://hooks.example.com/x", headers: { Authorization: "${env:NOPE:-}" } }, event_types: [user.join] }]\n',
  ],
])('%s with an empty default is a fault with its place, and nothing is written', (_, text) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), text);
    const run = (...argv: string[]) =>
      meshform(argv, { env: { ...environmentOf(account), MESHFORM_JOURNALS: '' }, cwd });
    expect((await run('validate', '.')).stdout).toMatch(
      /^network\.yaml:\d+:\d+ note SECRET_UNDEFINED\n {2}the default of `\$\{env:NOPE:- ?\}` is empty; an apply needs a value$/m,
    );
    const ended = await run('apply', '.', '--yes', '--allow', 'SERVICE_PUBLIC');
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stderr).toMatch(/^network\.yaml:\d+:\d+ error SECRET_UNDEFINED$/m);
    expect(ended.stderr).toMatch(/a secret is empty: \$\{env:NOPE:- ?\}/);
    expect(
      account.requests.filter(one => one.method !== 'GET' && one.path.startsWith('/api/')),
    ).toEqual([]);
  }),
);
