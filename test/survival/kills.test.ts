// An apply is killed as any of its requests is answered. What its journal says has happened, nothing was sent that it does
// not know of, and --resume brings the account where it was to go, with nothing there twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type AnsweredRequest, seededRandom } from '../../src/emulator/index.ts';
import { kindName } from '../../src/model/names.ts';
import { isObject, type JsonObject } from '../../src/model/value.ts';
import { LAUNCHER } from '../support/program/program.ts';
import { patience, proof } from '../support/proof.ts';
import { BEYOND, offeredKinds, SPECIFIED } from '../support/servers/servers.ts';
import {
  ALLOWED,
  itemsOf,
  journalIn,
  MIXED,
  type Mixed,
  rotationAfter,
  SETTINGS,
  startMixed,
} from './mixed.ts';

/** After each of 81 or 84 requests, twice: at once, or some turns of the loop later. */
const RUNS = { slice: 2, full: 168 };

test.each(MIXED)(
  'an apply of %s that is killed after any request can be resumed to its end, and its journal is true',
  (kinds, setting) =>
    startMixed(async mixed => {
      const { count, seed, found } = proof(`kills of an apply of ${kinds}`, RUNS);
      const random = seededRandom(seed);
      const figures = { resumed: 0, unproven: 0, begunAnew: 0 };
      const step = mixed.requests / Math.min(count, mixed.requests);
      for (let run = 0; run < count; run++) {
        const nth = 1 + (Math.floor(run * step + random() * step) % mixed.requests);
        const turns = random() < 0.5 ? 0 : Math.floor(random() * 40);
        const concurrency = random() < 0.5 ? '1' : '4';
        const about = `seed ${seed}: after request ${nth} and ${turns} turns, ${concurrency} at a time`;
        await mixed.reset();
        const requests = await killedAfter(nth, turns, mixed, concurrency);
        const journal = await journalIn(mixed.folder);
        const isBegun = journal?.some(({ type }) => type === 'run') === true;
        expect(await untruths(journal ?? [], requests, mixed), about).toEqual([]);
        const ended = isBegun
          ? await mixed.run(...mixed.apply.slice(0, 1), ...RESUME)
          : await mixed.run(...mixed.apply, '--journal', 'second.jsonl');
        const flags = isBegun ? rotationAfter(ended) : undefined;
        const last = flags
          ? await mixed.run(...mixed.apply, '--journal', 'second.jsonl', ...flags)
          : ended;
        expect(last.code, `${about}\n${last.stdout.slice(-2000)}\n${last.stderr}`).toBe(0);
        expect(await mixed.held(), about).toBe(mixed.wanted);
        expect(await lostSecrets(mixed), about).toEqual([]);
        figures[flags ? 'unproven' : isBegun ? 'resumed' : 'begunAnew'] += 1;
      }
      const { resumed, unproven, begunAnew } = figures;
      const rotated =
        unproven === 0
          ? ''
          : `, ${unproven} named the token whose creation no audit event shows and were ended by its rotation`;
      found(
        `${resumed} resumed${rotated}, ${begunAnew} had written nothing: each came to what was wanted, nothing twice`,
      );
      expect(resumed).toBeGreaterThan(count / 3);
    }, setting),
  patience(RUNS, 12_000),
);

test.each([
  ['12 kinds', SETTINGS.specified, { all: 12, beyond: 0 }],
  ['12 kinds, 8 of them beyond the specification', SETTINGS.beyond, { all: 12, beyond: 8 }],
] as const)('the change is one of %s', (_, setting, counts) =>
  startMixed(async mixed => {
    await mixed.reset();
    const { stdout } = await mixed.run('plan', 'after', ...CHANGED, '--format', 'json');
    const { resource_changes: changes } = JSON.parse(stdout);
    const kinds = new Set(itemsOf(changes).map(({ type }) => kindName(String(type))));
    const beyond = offeredKinds(BEYOND).difference(offeredKinds(SPECIFIED));
    expect({ all: kinds.size, beyond: kinds.intersection(beyond).size }).toEqual(counts);
  }, setting),
);

const CHANGED = ['--prune', 'removed', '--base', 'before'];
const RESUME = ['--resume', 'run.jsonl', '--yes', '--secrets-to', 'file:secrets.jsonl', ...ALLOWED];

// Runs the change as a process, and ends it as the nth request is answered. What the server was asked until it was dead.
async function killedAfter(
  nth: number,
  turns: number,
  { folder, env, apply, watch }: Mixed,
  concurrency: string,
): Promise<AnsweredRequest[]> {
  const requests: AnsweredRequest[] = [];
  const child = spawn(process.execPath, [LAUNCHER, ...apply, '--concurrency', concurrency], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'] as const,
    env: { ...env, PATH: process.env.PATH, MESHFORM_JOURNALS: join(folder, 'locks') },
  });
  watch(request => {
    requests.push(request);
    if (requests.length === nth) afterTurns(turns, () => child.kill('SIGKILL'));
  });
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  await answered();
  watch(null);
  // Some requests more or less, and it was over before.
  if (signal === null) expect(requests.length, stderr).toBeGreaterThan(nth - 2);
  return requests;
}

function afterTurns(turns: number, work: () => void): void {
  if (turns === 0) work();
  else setImmediate(() => afterTurns(turns - 1, work));
}

// What the dead process had sent is still carried out: it is what it was killed for.
const answered = (): Promise<void> => new Promise(resolve => afterTurns(20, resolve));

const LISTED = { group: 'groups', policy: 'policies', route: 'routes', setup_key: 'setup-keys' };
const LISTS = {
  spec: LISTED,
  netbird: {
    ...LISTED,
    dns_zone: 'dns/zones',
    nameserver_group: 'dns/nameservers',
    proxy_domain: 'reverse-proxies/domains',
    proxy_service: 'reverse-proxies/services',
  },
};

// Where the journal says more than happened, or the server was asked to write what the journal does not know.
async function untruths(
  journal: readonly JsonObject[],
  requests: readonly AnsweredRequest[],
  { call, dialect }: Mixed,
): Promise<string[]> {
  const of = (type: string) => journal.filter(entry => entry.type === type);
  const done = of('answer').filter(({ result }) => result === 'done');
  const writes = requests.filter(({ method }) => method !== 'GET');
  const there = new Map(
    await Promise.all(
      Object.entries(LISTS[dialect]).map(async ([kind, path]) => {
        const list = itemsOf(await call('GET', `/api/${path}`));
        return [kind, list.map(({ id }) => String(id))] as const;
      }),
    ),
  );
  const lies = done.filter(({ action, verb, id }) => {
    const [kind = ''] = String(action).replace(/^\w+ /, '').split(/[.[]/);
    const ids = there.get(kind);
    if (!ids || verb !== 'create') return false;
    return !ids.includes(String(id));
  });
  const gone = of('end').filter(({ outcome }) => {
    if (!isObject(outcome) || !String(outcome.action).startsWith('delete ')) return false;
    const [kind = ''] = String(outcome.address).split(/[.[]/);
    return outcome.status === 'done' && there.get(kind)?.includes(String(outcome.remoteId));
  });
  return [
    ...[...lies, ...gone].map(entry => `not so: ${JSON.stringify(entry)}`),
    ...(done.length <= writes.length ? [] : [`${done.length} answers to ${writes.length} writes`]),
    ...(of('send').length >= writes.length ? [] : [`${writes.length} writes, and fewer lines`]),
  ];
}

// Keys that the account has and nobody was given, and tokens of the reverse proxy: the server shows nothing of these again.
async function lostSecrets({ folder, call, dialect }: Mixed): Promise<string[]> {
  const text = await readFile(join(folder, 'secrets.jsonl'), 'utf8').catch(() => '');
  const kept = text
    .split('\n')
    .filter(line => line !== '')
    .map((line): { address: string; value: string } => JSON.parse(line));
  const isKnown = (key: string) =>
    kept.some(({ value }) => value.startsWith(key.replace(/\*+$/, '')));
  const masked = itemsOf(await call('GET', '/api/setup-keys'));
  const tokens =
    dialect === 'netbird' ? itemsOf(await call('GET', '/api/reverse-proxies/proxy-tokens')) : [];
  const valid = tokens.filter(({ revoked }) => revoked !== true).map(({ name }) => String(name));
  const lost = valid.filter(name => !kept.some(one => one.address === `proxy_token.${name}`));
  return [
    ...masked.filter(({ key }) => !isKnown(String(key))).map(({ name }) => String(name)),
    ...lost,
  ];
}
