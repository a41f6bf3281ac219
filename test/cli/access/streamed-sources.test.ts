// A source that a change of the files sends to a webhook or an event stream: a right that names the source, whose it is and where it goes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const SECRETS = {
  STAFF: 'oidc-client-secret-1',
  OWN: 'own-header-secret',
  CI: 'token-of-the-job',
  STREAM: '{"X-A":"stream-secret"}',
};

const FILES = `groups: [{ name: laptops }]
identity_providers:
  - { name: staff, type: oidc, issuer: "https://idp.example.com", client_id: abc, client_secret: "\${env:STAFF}" }
notification_channels:
  - { type: webhook, target: { url: "https://hooks.example.net/c", headers: { "X-A": "\${env:OWN}" } }, event_types: [user.join], enabled: ENABLED }
event_streams:
  - { platform: generic_http, enabled: ENABLED, config: { url: "https://events.example.net/overlay", headers: "\${env:STREAM}" } }
`;
const OF_STAFF = '${env:STAFF}, the `client_secret` of identity_provider.staff, is sent in';

/** The plan of a change of the files, with and without `--no-new-access`. */
async function planned(files: string, from: string, to: string) {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  return await inFolder(async cwd => {
    const env = { ...environmentOf(account), ...SECRETS };
    const run = (...words: string[]) => meshform(words, { env, cwd });
    await writeFile(join(cwd, 'before.yaml'), files);
    const applied = await run('apply', 'before.yaml', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    expect(files).toContain(from);
    await writeFile(join(cwd, 'network.yaml'), files.replace(from, to));
    const base = ['--base', 'before.yaml', '--prune', 'removed'];
    const { stdout } = await run('plan', 'network.yaml', ...base);
    for (const value of Object.values(SECRETS)) expect(stdout).not.toContain(value);
    const refused = await run('plan', 'network.yaml', ...base, '--no-new-access');
    return { rights: stdout.replaceAll(/\s+/g, ' '), code: refused.code };
  });
}

const CASES = [
  [
    'in place of another source of a header',
    '"X-A": "${env:OWN}"',
    '"X-A": "${env:STAFF}"',
    `${OF_STAFF} \`target.headers["X-A"]\` to hooks.example.net`,
  ],
  [
    'before another source of a header',
    '"X-A": "${env:OWN}"',
    '"X-A": "${env:STAFF}${env:OWN}"',
    `${OF_STAFF} \`target.headers["X-A"]\` to hooks.example.net`,
  ],
  [
    'in a new header',
    '{ "X-A"',
    '{ "X-B": "${env:CI}", "X-A"',
    '${env:CI} is sent in `target.headers["X-B"]` to hooks.example.net',
  ],
  [
    'in the address of a webhook',
    'net/c"',
    'net/c/${env:STAFF}"',
    `${OF_STAFF} \`target.url\` to hooks.example.net`,
  ],
  [
    'in the headers of a stream',
    'headers: "${env:STREAM}"',
    'headers: "${env:STAFF}"',
    `${OF_STAFF} \`config["headers"]\` to events.example.net`,
  ],
  [
    'in the address of a stream',
    'net/overlay"',
    'net/${env:STAFF}"',
    `${OF_STAFF} \`config["url"]\``,
  ],
] as const;

test.each(
  someOf(
    CASES.flatMap(([name, ...one]) => [true, false].map(on => [name, on, ...one] as const)),
    3,
  ),
)('a source %s (enabled: %s) is a right', async (_, isEnabled, from, to, says) => {
  const files = FILES.replaceAll('ENABLED', String(isEnabled));
  const { rights, code } = await planned(files, from, to);
  expect(rights).toContain(says);
  expect(rights).not.toContain('an address that is not shown');
  expect(code).toBe(6);
});

test('the headers of a disabled stream that go to another address are a right', async () => {
  const files = FILES.replaceAll('ENABLED', 'false');
  const { rights, code } = await planned(files, 'events.example.net', 'evil.example.net');
  expect(rights).toContain(
    '`config["headers"]` is sent to evil.example.net instead of events.example.net',
  );
  expect(code).toBe(6);
});

test('a header of a channel does not change its target', async () => {
  const files = FILES.replaceAll('ENABLED', 'true');
  const { rights } = await planned(files, '"X-A": "${env:OWN}"', '"X-A": "${env:STAFF}"');
  expect(rights).not.toContain('the target changes');
});

test.each([
  [
    'more events of a disabled channel',
    'event_types: [user.join]',
    'event_types: [user.join, user.block]',
  ],
  ['a new group', '[{ name: laptops }]', '[{ name: laptops }, { name: phones }]'],
])('%s sends no source to another place', async (_, from, to) => {
  const files = FILES.replaceAll('ENABLED', 'false');
  const { rights, code } = await planned(files, from, to);
  expect(rights).not.toContain('is sent');
  expect(code).toBe(0);
});
