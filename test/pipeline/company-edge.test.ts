// What the example company has on servers of dialect netbird only: one desired state with the company, as layers.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { COMPANY } from '../support/examples/company.ts';

vi.setConfig({ testTimeout: 60_000 });

const EDGE = fileURLToPath(new URL('../../examples/company-edge', import.meta.url));
const PUBLIC = 'SERVICE_PUBLIC=proxy_service/status.eu.proxy.test';

// A whole company is created and read again: on a busy machine that takes minutes.
test('the tests of the example hold, only the status page is public, and a second plan is empty', {
  timeout: 300_000,
}, async () => {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/proxy-clusters', {
    address: 'eu.proxy.test',
    shared: true,
  });
  const env = { ...environmentOf(account) };
  // Only the hosted service has notification channels.
  const limits = ['--except', 'notification_channel/*'];
  const run = (...words: readonly string[]) => meshform(words, { env });
  expect((await run('test', EDGE)).code).toBe(0);
  const refused = await run('apply', EDGE, '--yes', ...limits);
  expect(refused.code, refused.stderr).toBe(6);
  expect(refused.stderr.match(/SERVICE_PUBLIC {2}\S+ is created open/g)).toEqual([
    'SERVICE_PUBLIC  proxy_service.status.eu.proxy.test is created open',
  ]);
  const applied = await run('apply', EDGE, '--yes', '--allow', PUBLIC, ...limits);
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  const again = await run('plan', EDGE, '--detailed-exitcode', ...limits);
  expect(again.code, again.stdout).toBe(0);
});

test.each([
  ['a portal without its sign-in', 'bearer_auth: { enabled: true', 'bearer_auth: { enabled: false'],
  [
    'a portal that a PIN opens',
    'auth:\n',
    'auth:\n        pin_auth: { enabled: true, pin: "${env:PIN}" }\n',
  ],
])('%s breaks the tests of the example and one of the company', (_, before, after) =>
  inFolder(async cwd => {
    await cp(COMPANY, join(cwd, 'company'), { recursive: true });
    await cp(EDGE, join(cwd, 'company-edge'), { recursive: true });
    const file = join(cwd, 'company-edge', 'reverse_proxy.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(before, after));
    const { code, stdout } = await meshform(
      ['test', 'company', 'company-edge', '--dialect', 'netbird'],
      { cwd, env: {} },
    );
    expect(code).toBe(6);
    expect(stdout).toContain('FAIL  the internet reaches no machine');
    expect(stdout).toContain('FAIL  nobody reads bookings without a sign-in');
  }),
);
