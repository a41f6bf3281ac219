// Secrets generated into every place that can hold one are searched for in all that every command prints and writes.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../src/model/value.ts';
import { DRIFT_FORMATS } from '../../src/report/driftFormats.ts';
import { PLAN_FORMATS } from '../../src/report/planFormats.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { inFolder, meshform } from '../support/cli.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { ENCODINGS, reported } from '../support/secretSearch.ts';
import { fc } from '../support/seeded.ts';
import { startLeakingServer } from '../support/servers/leakingServer.ts';
import { type SecretLabel, secretLabels, secrets } from './generators/secretForms.ts';

const EXTENT: Extent = { slice: 1, full: 30 };
const CHANNELS = '/api/integrations/notifications/channels';

/** Where each secret is put, and what else is generated. */
const CASES = fc.record({
  header: secrets(false),
  client: secrets(false),
  file: secrets(false),
  stream: secrets(false),
  key: secrets(false),
  signing: secrets(false),
  literal: secrets(true),
  fromEnv: secrets(true),
  fromFile: secrets(true),
  mixed: secrets(true),
  live: secrets(true),
  removed: secrets(true),
  moved: secrets(true),
  hostInEnv: secretLabels,
  hostInFile: secretLabels,
  dialect: fc.constantFrom('spec' as const, 'netbird' as const),
  isOneHost: fc.boolean(),
  fate: fc.record({
    status: fc.constantFrom(400, 422, 500, 503),
    as: fc.constantFrom('json' as const, 'text' as const),
  }),
});
type Case = typeof CASES extends fc.Arbitrary<infer Generated> ? Generated : never;

const hostOf = ({ isOneHost }: Case, name: string): string =>
  isOneHost ? 'hooks.example.com' : `${name}.example.com:8443`;
const urlOf = (generated: Case, name: (typeof ADDRESSES)[number]): string =>
  `https://${hostOf(generated, name.toLowerCase())}/services/${generated[name]}`;

/** An address that is secret as a whole, with its host. */
const wholeOf = ({ written }: SecretLabel, path: string): string =>
  `https://${written}.example.net:8443/services/${path}`;

const webhook = (url: string, headers?: JsonObject): JsonObject => ({
  type: 'webhook',
  event_types: ['user.join'],
  target: { url, ...(headers && { headers }) },
});

/** What the files declare; the base declares what was removed and what was moved as well. */
function declared(generated: Case, more: readonly JsonObject[]): string {
  return stringify({
    setup_keys: [{ name: 'ci', type: 'reusable', expires_in: 86_400 }],
    service_users: [
      { name: 'robot', role: 'user', tokens: [{ name: 'pipeline', expires_in: 30 }] },
    ],
    user_invites: [{ email: 'new@example.com', name: 'New', role: 'user', expires_in: 86_400 }],
    users: [{ email: 'known@example.com', name: 'Known', role: 'user' }],
    scim_integrations: [{ provider: 'generic', prefix: 'staff' }],
    identity_providers: [
      {
        type: 'oidc',
        name: 'staff',
        issuer: 'https://login.example.com',
        client_id: 'x',
        client_secret: '${env:CLIENT}',
      },
    ],
    event_streams: [
      {
        platform: 'generic_http',
        config: { url: 'https://events.example.com', headers: '${env:STREAM}' },
      },
    ],
    notification_channels: [
      webhook(urlOf(generated, 'literal'), { A: 'Bearer ${env:HEADER}', B: '${file:secret.txt}' }),
      webhook('${env:HOOK}'),
      webhook('${file:hook.txt}'),
      webhook(`https://${hostOf(generated, 'mixed')}/services/\${env:MIXED}`),
      ...more,
    ],
  });
}

/** Commands that were refused as they were written: nothing is proven by them. */
const misused = (traces: ReadonlyMap<string, string>): string[] =>
  [...traces.keys()].filter(name => /\((?:3|64)\) stderr$/.test(name) && !MEANT.test(name));

/** Flags that name files by a secret. */
const MEANT = /--ca-file|missing\.json/;

interface Ground {
  readonly folder: string;
  readonly traces: Map<string, string>;
  readonly run: (argv: readonly string[], url?: string) => Promise<number>;
  readonly gather: () => Promise<void>;
  readonly shown: () => Promise<string[]>;
}

async function onGround(
  account: TestAccount,
  generated: Case,
  use: (ground: Ground) => Promise<void>,
): Promise<void> {
  await inFolder(async home => {
    const folder = join(home, 'work');
    const now = webhook(urlOf(generated, 'moved'));
    const before = webhook(`${urlOf(generated, 'moved')}/before`);
    const inputs = {
      'secret.txt': generated.file,
      'hook.txt': wholeOf(generated.hostInFile, generated.fromFile),
    };
    for (const [name, more] of [
      ['network', [now]],
      ['before', [before, webhook(urlOf(generated, 'removed'))]],
    ] as const) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, 'network.yaml'), declared(generated, more));
      for (const [file, text] of Object.entries(inputs))
        await writeFile(join(folder, name, file), `${text}\n`);
    }
    const env = {
      MESHFORM_TOKEN: account.token,
      MESHFORM_FINGERPRINT_KEY: generated.key,
      MESHFORM_JOURNALS: join(folder, 'journals'),
      MESHFORM_SIGNING_KEY: generated.signing,
      HEADER: generated.header,
      CLIENT: generated.client,
      STREAM: generated.stream,
      HOOK: wholeOf(generated.hostInEnv, generated.fromEnv),
      MIXED: generated.mixed,
    };
    const traces = new Map<string, string>();
    await use({
      folder,
      traces,
      run: async (argv, url = account.url) => {
        const ended = await meshform(argv, { cwd: folder, env: { ...env, MESHFORM_URL: url } });
        const name = `${traces.size} ${argv.join(' ')} (${ended.code})`;
        traces.set(`${name} stdout`, ended.stdout).set(`${name} stderr`, ended.stderr);
        return ended.code;
      },
      gather: async () => {
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || ['network.yaml', ...Object.keys(inputs)].includes(entry.name))
            continue;
          const file = join(entry.parentPath, entry.name);
          traces.set(`${traces.size} ${file.slice(folder.length)}`, await readFile(file, 'utf8'));
        }
      },
      shown: async () => {
        const text = await readFile(join(home, 'kept.jsonl'), 'utf8').catch(() => '');
        const lines = text.split('\n').filter(line => line !== '');
        return lines.map(line => String(JSON.parse(line).value));
      },
    });
  });
}

const BASE = ['--base', './before'];
const SINK = ['--secrets-to', 'file:../kept.jsonl', '--fingerprints', 'prints.json'];
const ALLOWED = ['DELETES_OBJECT', 'REPLACES_OBJECT', 'GAP'].flatMap(code => ['--allow', code]);
const formats = (argv: readonly string[], ...names: string[]): string[][] =>
  names.map(name => [...argv, '--format', name]);

/** Everything that plans and reads, in every format. */
const READERS = [
  ...formats(['validate', 'network'], 'text', 'json'),
  ...formats(['plan', 'network', ...BASE], ...Object.keys(PLAN_FORMATS)),
  ...formats(['plan', 'network', '--prune', 'unmanaged'], 'text', 'json'),
  ...formats(['plan', 'network', '--adopt', 'report'], 'text', 'json'),
  ['plan', 'network', ...BASE, '--prune', 'removed', '--out', 'plan.json', ...SINK.slice(2)],
  ...formats(['show', 'plan.json'], ...Object.keys(PLAN_FORMATS)),
  ...formats(['drift', 'network'], ...Object.keys(DRIFT_FORMATS)),
  ...formats(['events', 'audit'], 'table', 'jsonl'),
  ['export', '--check', 'network'],
  ...['listNotificationChannels', 'listSetupKeys', 'listIdentityProviders'].flatMap(operation =>
    formats(['api', 'call', operation], 'json', 'table'),
  ),
];

/** The addresses of webhooks are a part of what an export is for: they are what the files declare literally. */
const EXPORTS = [['export'], ['export', '--out', 'exported']];
const ADDRESSES = ['literal', 'fromEnv', 'fromFile', 'mixed', 'live', 'removed', 'moved'] as const;
const HOSTS = ['hostInEnv', 'hostInFile'] as const;
const VALUES = ['header', 'client', 'file', 'stream', 'key', 'signing'] as const;

async function searched(generated: Case): Promise<{ commands: number; traces: number }> {
  const account = await startAccount({ dialect: generated.dialect });
  try {
    return await search(generated, account);
  } finally {
    await account.close();
  }
}

async function search(generated: Case, account: TestAccount) {
  const own = new Map<string, string>(
    [...VALUES, ...ADDRESSES].map(name => [name, generated[name]]),
  );
  own.set('token', account.token);
  for (const name of HOSTS)
    own
      .set(`${name} as written`, generated[name].written)
      .set(`${name} as read`, generated[name].read);
  for (const name of ['live', 'removed'] as const)
    await account.call('POST', CHANNELS, { ...webhook(urlOf(generated, name)), enabled: true });
  const before = { ...webhook(`${urlOf(generated, 'moved')}/before`), enabled: true };
  await account.call('POST', CHANNELS, before);
  const figures = { commands: 0, traces: 0 };
  const failing = await startLeakingServer(account, [], method =>
    method === 'GET' ? 'pass' : generated.fate,
  );
  await onGround(account, generated, async ({ run, gather, shown, traces }) => {
    const dialect = ['--dialect', generated.dialect];
    const all = async (lines: readonly (readonly string[])[], url?: string) => {
      for (const argv of lines) {
        const isOnline = !['validate', 'show', 'api', 'events'].includes(argv[0] ?? '');
        await run(isOnline ? [...argv, ...dialect] : argv, url);
      }
      await gather();
    };
    const apply = ['apply', 'network', ...BASE, '--prune', 'removed', '--yes', ...ALLOWED, ...SINK];
    await all(READERS);
    // A server that refuses every write, and repeats what it was sent.
    for (const format of ['text', 'jsonl']) {
      failing.begin();
      await run([...apply, ...dialect, '--format', format, '--concurrency', '1'], failing.url);
    }
    await gather();
    expect(misused(traces)).toEqual([]);
    await run(['plan', 'network', '--ca-file', account.token, ...dialect]);
    await run(['plan', 'network', '--fingerprints', `${account.token}/none`, ...dialect]);
    await run(['show', 'missing.json', '--fingerprints', generated.key]);
    const saved = ['apply', 'plan.json', '--yes', ...ALLOWED, ...SINK.slice(0, 2)];
    expect(await run([...saved, '--format', 'json'])).toBe(0);
    await gather();
    const rotate = ['setup_key/ci', 'token/robot/pipeline'].flatMap(name => ['--rotate', name]);
    for (const format of ['text', 'jsonl'])
      await run([...apply, ...dialect, ...rotate, '--format', format]);
    await all(READERS);
    expect(misused(traces)).toEqual([]);
    const journals = [...traces.keys()].filter(name => name.endsWith('.jsonl'));
    expect(journals.length, 'journals were searched').toBeGreaterThan(0);
    const revealed = await shown();
    expect(revealed.length, 'secrets were shown').toBeGreaterThan(2);
    for (const [i, value] of revealed.entries()) own.set(`shown ${i}`, value);
    expect(reported(traces, own)).toEqual([]);
    Object.assign(figures, { commands: traces.size, traces: own.size });
    traces.clear();
    await all(EXPORTS);
    for (const name of ADDRESSES) own.delete(name);
    for (const name of HOSTS)
      for (const how of ['written', 'read']) own.delete(`${name} as ${how}`);
    expect(reported(traces, own)).toEqual([]);
  });
  return figures;
}

test('no output of any command reveals a secret', {
  timeout: patience(EXTENT, 150_000),
}, async () => {
  const { count, seed, found } = proof('secrets searched in all outputs', EXTENT);
  let texts = 0;
  let places = 0;
  for (const generated of fc.sample(CASES, { seed, numRuns: count })) {
    const figures = await searched(generated);
    texts += figures.commands;
    places += figures.traces;
  }
  found(
    `${places} secrets, none of them in ${texts} outputs and files, in any of ${Object.keys(ENCODINGS).length} encodings`,
  );
});
