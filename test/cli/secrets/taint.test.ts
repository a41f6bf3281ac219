// Marked secrets go through every verb in every format, on servers in good order and on ones that repeat what they are
// sent, and are found again only where the user wanted them.
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { startAccount } from '../../support/account.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { type Fate, startLeakingServer } from '../../support/servers/leakingServer.ts';
import { someOf } from '../../support/variations.ts';

/** What must not be told, by where it comes from. */
const MARKS = {
  env: 'Taint-ENV 7f3a "quoted" ü',
  file: 'taint-file-51d0/+=%41',
  sops: 'taint-sops-91c2\\backslash',
  key: 'taint-fingerprint-key-of-enough-length',
};

const FILES = `
setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]
service_users: [{ name: robot, role: user, tokens: [{ name: pipeline, expires_in: 30 }] }]
scim_integrations: [{ provider: generic, prefix: staff }]
identity_providers:
  - { type: oidc, name: staff, issuer: "https://login.example.com", client_id: x, client_secret: "${'${env:TAINT}'}" }
notification_channels:
  - type: webhook
    event_types: [user.join]
    target:
      url: https://hook.example.com
      headers: { A: "Bearer ${'${env:TAINT}'}", B: "${'${file:taint.txt}'}", C: "${'${sops:sealed.enc.yaml#hook.key}'}" }
event_streams:
  - { platform: generic_http, config: { url: "https://events.example.com", headers: "${'${sops:sealed.enc.yaml#hook.key}'}" } }
`;

const REVEALING = ['setup_key/ci', 'token/robot/pipeline', 'scim_integration/generic staff'];
const ALL_ALLOWED = ['REPLACES_OBJECT', 'GAP'].flatMap(code => ['--allow', code]);
const PRINTS = ['--fingerprints', 'prints.json'];
const SINK = ['--secrets-to', 'file:../kept.jsonl'];

/** Commands that are not given an account of the user, or nothing but one that is made for them; `grant` reads files that `plan` reads, and `fleet` and `studio` have tests of their own, cli/fleet/secrets.test.ts, cli/studio/following.test.ts and live.test.ts. */
const APART = ['emulator', 'demo', 'completion', 'complete', 'grant', 'fleet', 'studio'];

/** By command, how it is run. The formats come from its own flags. */
const RUNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [['init', 'fresh']],
  validate: [['validate', 'network']],
  plan: [
    ['plan', 'network', '--out', 'plan.json', ...PRINTS],
    ['plan', 'network', ...REVEALING.flatMap(name => ['--rotate', name])],
    ['plan', 'network', '--rotate', 'identity_provider/staff', '--prune', 'unmanaged'],
  ],
  test: [['test', 'network', '--coverage']],
  show: [['show', 'plan.json']],
  apply: [['apply', 'network', '--yes', ...PRINTS, ...SINK, ...ALL_ALLOWED]],
  drift: [['drift', 'network']],
  expire: [['expire', 'network', '--yes']],
  observe: [['observe', '--store', 'traffic', '--people']],
  tighten: [
    ['tighten', 'network', '--details'],
    ['tighten', 'network', '--write'],
  ],
  render: [
    ['render', 'network'],
    ['render', 'network', '--origin'],
  ],
  export: [
    ['export'],
    ['export', '--out', 'exported'],
    ['export', '--check', 'network'],
    ['export', '--state', 'account.json'],
  ],
  access: [
    ['access', 'to', 'all', '--why', 'network'],
    ['access', 'to', 'all', '--why', '--live'],
    ['access', '--html', '-', '--live'],
  ],
  graph: [
    ['graph', 'network'],
    ['graph', '--live'],
  ],
  base: [['base', 'show', 'network']],
  lock: [['lock', 'show', 'network']],
  runs: [['runs', 'network']],
  events: [['events', 'audit']],
  explain: [['explain'], ['explain', 'setup_key'], ['explain', 'identity_provider.client_secret']],
  api: [
    ['api', 'list'],
    ['api', 'describe', 'listSetupKeys'],
    ['api', 'call', 'GET', '/api/setup-keys'],
  ],
};

function commandsOf(): readonly Command[] {
  return buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 }).commands;
}

/** The ways to run a command, once for each of its formats. */
function linesOf(name: string): string[][] {
  const command = commandsOf().find(one => one.name() === name);
  const choices = command?.options.find(({ long }) => long === '--format')?.argChoices ?? [];
  return (RUNS[name] ?? []).flatMap(words =>
    choices.length === 0
      ? [[...words]]
      : choices.map(format => [...words, '--format', String(format)]),
  );
}

/** The first way to run a command, in each of its formats. */
const firstLines = (name: string): string[][] =>
  linesOf(name).slice(0, linesOf(name).length / (RUNS[name]?.length ?? 1));

/** Everything that was written somewhere, by a name for it. */
type Traces = Map<string, string>;

/** Where a secret can be read in a text, however it was written there. */
function reported(traces: Traces, secrets: readonly string[]): string[] {
  const forms = secrets.flatMap(secret => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    [...secret].map(letter => `&#${letter.codePointAt(0)};`).join(''),
    [...secret].map(letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  ]);
  const marks = new Set(forms.map(form => form.toLowerCase()));
  return [...traces].flatMap(([name, text]) => {
    const lower = text.toLowerCase();
    return [...marks].filter(mark => lower.includes(mark)).map(mark => `${name}: ${mark}`);
  });
}

interface Ground {
  readonly run: (label: string, argv: readonly string[], url: string) => Promise<number>;
  readonly traces: Traces;
  /** Reads every new or changed file into the traces, but those that hold the secrets by the user's own will. */
  readonly gather: () => Promise<void>;
  /** The secrets that the user was given. */
  readonly kept: () => Promise<string[]>;
}

async function onGround(token: string, use: (ground: Ground) => Promise<void>): Promise<void> {
  await inFolder(async home => {
    const folder = join(home, 'work');
    const bin = join(home, 'bin');
    await mkdir(join(folder, 'network'), { recursive: true });
    await mkdir(bin);
    await writeFile(join(folder, 'network', 'network.yaml'), FILES);
    await writeFile(join(folder, 'network', 'taint.txt'), `${MARKS.file}\n`);
    const sealed = new URL('../../source/sealed.enc.yaml', import.meta.url);
    await writeFile(join(folder, 'network', 'sealed.enc.yaml'), await readFile(sealed));
    await writeFile(join(home, 'opened.json'), JSON.stringify({ hook: { key: MARKS.sops } }));
    const talkative = '#!/bin/sh\ncat "$SOPS_ANSWER" >&2\ncat "$SOPS_ANSWER"\n';
    await writeFile(join(bin, 'sops'), talkative);
    await chmod(join(bin, 'sops'), 0o755);
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      SOPS_ANSWER: join(home, 'opened.json'),
      // Journals are among the files that are looked through.
      MESHFORM_JOURNALS: '',
      TAINT: MARKS.env,
      MESHFORM_FINGERPRINT_KEY: MARKS.key,
      MESHFORM_TOKEN: token,
    };
    const traces: Traces = new Map();
    const gathered = new Map<string, string>();
    await use({
      traces,
      run: async (label, argv, url) => {
        const ended = await meshform(argv, { cwd: folder, env: { ...env, MESHFORM_URL: url } });
        const name = `${label} ${argv.join(' ')}`;
        traces.set(`${name} (stdout)`, ended.stdout).set(`${name} (stderr)`, ended.stderr);
        return ended.code;
      },
      gather: async () => {
        for (const path of await readdir(folder, { recursive: true, withFileTypes: true })) {
          if (!path.isFile() || path.name === 'taint.txt') continue;
          const file = join(path.parentPath, path.name);
          const { size, mtimeMs, ino } = await stat(file);
          const version = [size, mtimeMs, ino].join();
          if (gathered.get(file) === version) continue;
          gathered.set(file, version);
          traces.set(`${file} (${version})`, await readFile(file, 'utf8'));
        }
      },
      kept: async () => {
        const text = await readFile(join(home, 'kept.jsonl'), 'utf8').catch(() => '');
        const lines = text.split('\n').filter(line => line !== '');
        return lines.map(line => String(JSON.parse(line).value));
      },
    });
  });
}

test('the test of all outputs runs every command', () => {
  const unknown = commandsOf()
    .map(command => command.name())
    .filter(name => name !== 'help' && !(name in RUNS) && !APART.includes(name));
  expect(unknown).toEqual([]);
});

/** Milliseconds, on a machine that is busy. */
const PATIENCE = 240_000;

test('no command reveals a secret, in any format', { timeout: PATIENCE }, async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await onGround(account.token, async ({ run, traces, gather, kept }) => {
    const before = ['init', 'validate', 'plan', 'show', 'apply'];
    for (const argv of before.flatMap(linesOf)) {
      const code = await run('at first', argv, account.url);
      expect([code, ...argv]).toEqual([0, ...argv]);
      await gather();
    }
    const rotate = REVEALING.flatMap(name => ['--rotate', name]);
    const again = [...linesOf('apply'), ...linesOf('apply').slice(0, 1)];
    for (const argv of again) expect(await run('again', [...argv, ...rotate], account.url)).toBe(0);
    for (const argv of Object.keys(RUNS).flatMap(linesOf)) {
      await run('later', argv, account.url);
      await gather();
    }
    const shown = await kept();
    expect(shown.length, 'each was shown at first, and with each rotation').toBe(
      REVEALING.length * (1 + again.length),
    );
    expect(reported(traces, [...Object.values(MARKS), account.token, ...shown])).toEqual([]);
  });
});

/** By name, which requests fail and how. The server repeats the secrets that the command knows too. */
const MISHAPS: Readonly<Record<string, (method: string, path: string) => Fate>> = {
  'every request': () => ({ status: 500, as: 'json' }),
  'every request, in words': () => ({ status: 500, as: 'text' }),
  'every request, again and again': () => ({ status: 503, as: 'json' }),
  'every list but the first': (_, path) =>
    path.startsWith('/api/groups') ? 'pass' : { status: 403, as: 'json' },
  'every write': method => (method === 'GET' ? 'pass' : { status: 422, as: 'json' }),
  'every write, in words': method => (method === 'GET' ? 'pass' : { status: 400, as: 'text' }),
  'every write after what shows a secret': (method, path) =>
    method === 'GET' || /setup-keys|users|scim/.test(path) ? 'pass' : { status: 422, as: 'json' },
};

test.each(someOf(Object.entries(MISHAPS), 4))(
  'no error repeats a secret: %s',
  { timeout: PATIENCE },
  async (label, fate) => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    // What no command was given in this run, none can know to be a secret: those that read no files hear the token alone.
    const echo = await startLeakingServer(account, [MARKS.env, MARKS.file], fate);
    const distant = await startLeakingServer(account, [], fate);
    await onGround(account.token, async ({ run, traces, gather, kept }) => {
      for (const argv of ['plan', 'apply', 'drift'].flatMap(firstLines)) {
        echo.begin();
        const oneByOne = argv[0] === 'apply' ? ['--concurrency', '1'] : [];
        await run(label, [...argv, ...oneByOne], echo.url);
      }
      for (const argv of ['export', 'api'].flatMap(linesOf)) await run(label, argv, distant.url);
      await gather();
      const secrets = [...Object.values(MARKS), account.token, ...(await kept())];
      const said = new Map([['it', [...echo.said, ...distant.said].join()]]);
      expect(reported(said, secrets).length, 'there was much to repeat').toBeGreaterThan(2);
      expect(reported(traces, secrets)).toEqual([]);
    });
  },
);
