// The example of a company on every server, without a word of its dialect anywhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { loadFiles } from '../support/files.ts';
import { apply, plan } from '../support/reconcile.ts';
import { offeredOf, SERVERS } from '../support/servers/servers.ts';

const FOLDER = new URL('../../examples/company', import.meta.url).pathname;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  name => name.endsWith('.yaml') && !name.endsWith('meshform.yaml'),
);

test.each(SERVERS)(
  'it becomes a live account on $dialect, $edition, and a second plan is empty',
  async server => {
    const texts = Object.fromEntries(
      files.map(name => [name, readFileSync(join(FOLDER, name), 'utf8')]),
    );
    const { desired: all, diagnostics } = loadFiles(texts);
    const desired = offeredOf(server, all);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(desired.length).toBeGreaterThan(120);
    const account = await startAccount(server);
    const made = await plan(account, desired, { dialect: 'auto' });
    expect([made.dialect, made.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual(
      [server.dialect, []],
    );
    const env = new Proxy({}, { get: () => 'there' });
    const { outcomes } = await apply(account, made, { env });
    expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    expect((await plan(account, desired, { dialect: 'auto' })).changes).toEqual([]);
    await account.close();
  },
);
