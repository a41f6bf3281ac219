// Somebody else edits objects at random, between the plan and the apply or between the read and the PUT. What they did
// stands afterwards, or the report says that it may not.
import { expect, test } from 'vitest';
import { accountPort } from '../../src/api/account/port.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { runPlan } from '../../src/apply/run/run.ts';
import { seededRandom } from '../../src/emulator/index.ts';
import { isObject, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { patience, proof } from '../support/proof.ts';
import { plan } from '../support/reconcile.ts';
import { itemsOf } from './mixed.ts';

const RUNS = { slice: 20, full: 1000 };

const FILES = `
groups: [{ name: developers, peers: [ada] }, { name: operators, peers: [bob] }]
networks: [{ name: office, description: First floor }]
posture_checks: [{ name: recent agent, description: ours, checks: { nb_version_check: { min_version: 0.60.0 } } }]
routes: [{ network_id: lan, network: 10.1.0.0/16, peer: ada, masquerade: true, metric: 50, groups: [developers] }]
policies: [{ name: reach, description: ours, rules: [{ name: web, sources: [developers], destinations: [operators], protocol: tcp, ports: ["443"] }] }]
`;
const BEFORE = FILES.replace('peers: [ada]', 'peers: []')
  .replace('peers: [bob]', 'peers: []')
  .replace('First floor', 'Ground floor')
  .replace('0.60.0', '0.50.0')
  .replace('metric: 50', 'metric: 70')
  .replace('"443"', '"80"');

/** An edit of one object, and whether it stands. */
interface Edit {
  readonly path: string;
  readonly name: string;
  readonly make: (live: JsonObject, number: number) => JsonObject;
  readonly stands: (live: JsonObject, number: number) => boolean;
}

const pointers = (list: unknown): unknown[] =>
  (Array.isArray(list) ? list : []).map(item => (isObject(item) ? item.id : item));

function policyBody(live: JsonObject): JsonObject {
  const rules = itemsOf(live.rules ?? []).map(rule => ({
    ...rule,
    sources: pointers(rule.sources) as string[],
    destinations: pointers(rule.destinations) as string[],
  }));
  return { ...live, rules } as JsonObject;
}

// What is read of a route has two forms of where it leads, of which only one may be written.
const routeBody = ({ domains: _, ...live }: JsonObject): JsonObject => live;

const DESCRIPTIONS = [
  ['networks', 'office'],
  ['posture-checks', 'recent agent'],
  ['policies', 'reach'],
] as const;

const EDITS: readonly Edit[] = [
  ...DESCRIPTIONS.map(([path, name]) => ({
    path,
    name,
    make: (live: JsonObject, number: number) => ({
      ...(path === 'policies' ? policyBody(live) : live),
      description: `theirs ${number}`,
    }),
    stands: (live: JsonObject, number: number) => live.description === `theirs ${number}`,
  })),
  {
    path: 'routes',
    name: 'lan',
    make: (live, number) => ({ ...routeBody(live), metric: 100 + number }),
    stands: (live, number) => live.metric === 100 + number,
  },
  {
    path: 'routes',
    name: 'lan',
    make: (live, number) => ({ ...routeBody(live), description: `theirs ${number}` }),
    stands: (live, number) => live.description === `theirs ${number}`,
  },
  {
    path: 'groups',
    name: 'developers',
    make: (live, number) => ({ name: `theirs ${number}`, peers: pointers(live.peers) as string[] }),
    stands: (live, number) => live.name === `theirs ${number}`,
  },
];

const nameOf = (one: JsonObject): unknown => one.network_id ?? one.name;

async function objectAt({ call }: TestAccount, path: string, id: string): Promise<JsonObject> {
  return itemsOf(await call('GET', `/api/${path}`)).find(one => one.id === id) ?? {};
}

test(
  'no change by somebody else is silently overwritten by an apply',
  async () => {
    const { count, seed, found } = proof('edits of somebody else while an apply runs', RUNS);
    const random = seededRandom(seed);
    const figures = { stood: 0, stale: 0, reported: 0, joined: 0 };
    for (let round = 1; round <= count; round++) {
      const account = await startAccount({ seed: round });
      try {
        const outcome = await roundOf(account, round, random);
        figures[outcome] += 1;
      } finally {
        await account.close();
      }
    }
    const { stood, stale, reported, joined } = figures;
    found(
      `${stood} stood, ${stale} were refused as stale, ${reported} were told to be overwritten perhaps, ${joined} members that joined were put back or kept`,
    );
    expect(stood + stale + reported + joined).toBe(count);
  },
  patience(RUNS, 2_000),
);

async function roundOf(account: TestAccount, round: number, random: () => number) {
  const about = `round ${round}`;
  const peers = new Map<string, string>();
  for (const name of ['ada', 'bob', 'late'])
    peers.set(name, String((await account.enrol(name)).id));
  const first = await plan(account, desiredOf(BEFORE));
  await runPlan(first, optionsFor(account));
  const made = await plan(account, desiredOf(FILES));
  const other = await somebodyElse(account);
  const isJoin = random() < 0.2;
  const edit = EDITS[Math.floor(random() * EDITS.length)] ?? EDITS[0];
  if (!edit) throw new Error('no edit');
  const path = isJoin ? 'groups' : edit.path;
  const name = isJoin ? 'operators' : edit.name;
  const live = itemsOf(await account.call('GET', `/api/${path}`)).find(one => nameOf(one) === name);
  const id = String(live?.id);
  const act = async () => {
    if (!isJoin) {
      const now = await objectAt(account, path, id);
      await other('PUT', `/api/${path}/${id}`, edit.make(now, round));
      return;
    }
    const now = await objectAt(account, path, id);
    const members = [...(pointers(now.peers) as string[]), peers.get('late') ?? ''];
    await other('PUT', `/api/groups/${id}`, { name: 'operators', peers: members });
  };
  const isBetween = random() < 0.6;
  if (!isBetween) await act();
  let isDue = isBetween;
  const options = optionsFor(account);
  const { outcomes } = await runPlan(made, {
    ...options,
    port: {
      ...options.port,
      read: async (kind, at) => {
        const read = await options.port.read(kind, at);
        if (isDue && at.id === id) {
          isDue = false;
          await act();
        }
        return read;
      },
    },
  });
  const now = await objectAt(account, path, id);
  const words = JSON.stringify(outcomes);
  if (isJoin) {
    expect(pointers(now.peers), `${about}: ${words}`).toContain(peers.get('late'));
    return 'joined';
  }
  if (edit.stands(now, round)) return words.includes('PLAN_STALE') ? 'stale' : 'stood';
  expect(words, about).toContain('OVERWROTE_FOREIGN: ');
  return 'reported';
}

function optionsFor(account: TestAccount) {
  const port = accountPort(writeTransport(account.transport), KINDS);
  return {
    kinds: KINDS,
    now: () => 0,
    planReadAt: 0,
    concurrency: 4,
    openSecret: () => 'unused',
    port,
  };
}

/** Somebody else who may write. */
async function somebodyElse(account: TestAccount) {
  const body = { name: 'other', role: 'admin', auto_groups: [], is_service_user: true };
  const user = await account.call('POST', '/api/users', body);
  const made = await account.call('POST', `/api/users/${isObject(user) ? user.id : ''}/tokens`, {
    name: 'own',
    expires_in: 1,
  });
  const shown = isObject(made) ? made.plain_token : undefined;
  const token = String(isObject(shown) ? Object.values(shown)[0] : shown);
  return writeTransport({ ...account.transport, token }).write;
}
