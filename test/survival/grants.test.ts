// Grants are drawn, and their ends come: with clocks that jump, runs that are killed, and people who edit the account meanwhile. After
// each run that lives and reads a sane clock, nothing that has ended is left; and what an end takes away is what the grant gave.
import { expect, test } from 'vitest';
import {
  readTransport,
  type TransportOptions,
  writeTransport,
} from '../../src/api/transport/transport.ts';
import { carryOut } from '../../src/apply/run/carryOut.ts';
import { seededRandom } from '../../src/emulator/index.ts';
import { missingAllowances } from '../../src/engine/checks/hazards.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planDesired } from '../../src/pipeline/planning/planDesired.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { patience, proof } from '../support/proof.ts';
import { SERVERS } from '../support/servers/servers.ts';

const RUNS = { slice: 4, full: 1000 };

const tools = loadSchemas(KINDS);
const MINUTE = 60_000;
/** How often the schedule runs. */
const INTERVAL = 15 * MINUTE;
const BEGUN = Date.parse('2026-11-30T12:00:00Z');

const BASE = `
groups:
  - { name: staff, peers: [ada, bob] }
  - { name: contractors, peers: [cay] }
  - { name: servers, peers: [db] }
  - { name: gateways, peers: [gw] }
  - { name: databases }
networks:
  - name: prod
    resources: [{ name: orders, address: 10.20.0.5, groups: [databases] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
`;

type Draw = (below: number) => number;

const SOURCES = ['sources: [staff]', 'sources: [contractors]', 'sourceResource: { peer: ada }'];
const DESTINATIONS = [
  'destinations: [servers]',
  'destinations: [gateways, servers]',
  'destinationResource: { peer: db }',
  'destinationResource: { network_resource: prod/orders }',
];

interface Grant {
  readonly name: string;
  readonly until: number;
  readonly text: string;
}

function drawnGrant(number: number, draw: Draw): Grant {
  const until = BEGUN + (1 + draw(16)) * INTERVAL - draw(2) * MINUTE;
  const sides = `${SOURCES[draw(SOURCES.length)]}, ${DESTINATIONS[draw(DESTINATIONS.length)]}`;
  const rule = `{ name: a, ${sides}, protocol: tcp, ports: ["${22 + number}"] }`;
  const name = `grant ${number}`;
  const time = new Date(until).toISOString();
  return {
    name,
    until,
    text: `  - { name: ${name}, lifecycle: { until: "${time}" }, rules: [${rule}] }\n`,
  };
}

/** An account whose clock the test moves, and a runner whose clock may differ. */
interface World {
  readonly account: TestAccount;
  readonly server: (typeof SERVERS)[number];
  time: number;
}

async function planned(
  world: World,
  text: string,
  clock: number,
  onlyEnds: boolean,
): Promise<Plan> {
  const { desired, endings } = endedAt(desiredOf(text), KINDS, clock);
  const transport: TransportOptions = { ...world.account.transport, now: () => clock };
  const state = { desired, endings, base: [], folder: 'test' };
  return planDesired(tools, state, readTransport(transport), {
    dialect: world.server.dialect,
    prune: 'none',
    allow: [],
    thresholds: {},
    concurrency: 4,
    now: clock,
    onlyEnds,
    access: {
      tests: [],
      areTestsJudged: false,
      guards: { guarded: [{ to: 'group/servers' }], thresholds: { lost: 0 }, noNewAccess: false },
      allowances: { byFlag: [], byProject: [] },
    },
  });
}

/** Carries a plan out; after `writes` requests that write, the process is killed: the last one may have been executed. */
async function carried(world: World, plan: Plan, writes = Number.POSITIVE_INFINITY): Promise<void> {
  let left = writes;
  const transport: TransportOptions = {
    ...world.account.transport,
    now: () => world.time,
    mayWrite: () => {
      left -= 1;
      return Promise.resolve(left >= 0);
    },
  };
  const inputs = { env: () => undefined, file: () => undefined };
  const options = { inputs, concurrency: 2, now: () => world.time, planReadAt: world.time };
  await carryOut(tools, plan, writeTransport(transport), options);
}

interface Policy {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly sources: readonly { readonly id: string }[] | null;
  readonly destinations: readonly { readonly id: string }[] | null;
  readonly ports?: readonly string[];
}

const policiesOf = async ({ account }: World) =>
  (await account.call('GET', '/api/policies')) as unknown as readonly Policy[];

const idsOf = (list: readonly { readonly id: string }[] | null) => (list ?? []).map(({ id }) => id);

// What somebody does to a grant, or beside it, in the dashboard.
const EDITS: readonly ((world: World, policy: Policy) => Promise<unknown>)[] = [
  ({ account }, { id }) => account.call('DELETE', `/api/policies/${id}`),
  ({ account }, { id, rules, ...policy }) =>
    account.call('PUT', `/api/policies/${id}`, {
      ...policy,
      enabled: !policy.enabled,
      rules: rules.map(body),
    } as never),
  ({ account }, { id, rules, ...policy }) =>
    account.call('PUT', `/api/policies/${id}`, {
      ...policy,
      description: 'longer, please',
      rules: rules.map(rule => ({ ...body(rule), ports: ['1', ...(rule.ports ?? [])] })),
    } as never),
  ({ account }, { rules, id: _, ...policy }) =>
    account.call('POST', '/api/policies', {
      ...policy,
      name: `copy of ${policy.name}`,
      rules: rules.map(body),
    } as never),
];

const body = ({ sources, destinations, ...rule }: Rule) => ({
  ...rule,
  ...(sources && { sources: idsOf(sources) }),
  ...(destinations && { destinations: idsOf(destinations) }),
});

const textsOf = ({ access }: Plan, change: 'gained' | 'lost') =>
  (access?.changes ?? [])
    .filter(one => one.change === change)
    .map(({ from, to, protocol, ports_before, ports_after, machines }) =>
      [from, to, protocol, change === 'gained' ? ports_after : ports_before, machines].join('|'),
    )
    .sort();

test(
  'no object outlives its expiry by more than one interval and one run while the runner lives',
  async () => {
    const { count, seed, found } = proof('grants end', RUNS);
    const figures = { grants: 0, kills: 0, jumps: 0, edits: 0, ended: 0, inverse: 0 };
    for (let n = 0; n < count; n++) {
      const random = seededRandom(seed * 10_000 + n);
      const draw: Draw = below => Math.floor(random() * below);
      const server = SERVERS[n % SERVERS.length] as (typeof SERVERS)[number];
      const world: World = { account: undefined as never, server, time: BEGUN };
      const account = await startAccount({ ...server, seed: n, clock: () => new Date(world.time) });
      Object.assign(world, { account });
      try {
        for (const { id } of await policiesOf(world))
          await account.call('DELETE', `/api/policies/${id}`);
        for (const name of ['ada', 'bob', 'cay', 'db', 'gw']) await account.enrol(name);
        const grants = Array.from({ length: 1 + draw(3) }, (_, i) => drawnGrant(i, draw));
        const text = `${BASE}policies:\n${grants.map(one => one.text).join('')}`;
        await carried(world, await planned(world, `${BASE}`, BEGUN, false));
        const granting = await planned(world, text, BEGUN, false);
        await carried(world, granting);
        figures.grants += grants.length;
        await live({ world, grants, text, draw, figures, granting });
      } finally {
        await account.close();
      }
    }
    found(
      `${figures.grants} grants, ${figures.ended} ended by a run; ${figures.kills} runs killed, ${figures.jumps} with a wrong clock, ${figures.edits} edits by others; ${figures.inverse} ends took exactly what was granted`,
    );
    expect(figures.ended).toBeGreaterThan(0);
  },
  patience(RUNS, 5_000),
);

interface Life {
  readonly world: World;
  readonly grants: readonly Grant[];
  readonly text: string;
  readonly draw: Draw;
  readonly figures: Record<'kills' | 'jumps' | 'edits' | 'ended' | 'inverse', number>;
  readonly granting: Plan;
}

async function live({ world, grants, text, draw, figures, granting }: Life): Promise<void> {
  const end = Math.max(...grants.map(({ until }) => until)) + 2 * INTERVAL;
  let isEdited = false;
  while (world.time < end) {
    world.time += INTERVAL;
    const policies = (await policiesOf(world)).filter(({ name }) => name.startsWith('grant'));
    const policy = policies[draw(Math.max(1, policies.length))];
    if (policy && draw(8) === 0) {
      await EDITS[draw(EDITS.length)]?.(world, policy);
      figures.edits += 1;
      isEdited = true;
    }
    const jump = draw(6) === 0 ? (draw(2) === 0 ? 1 : -1) * (5 + draw(600)) * MINUTE : 0;
    const plan = await planned(world, text, world.time + jump, true);
    if (jump !== 0) {
      figures.jumps += 1;
      // A wrong clock ends nothing.
      expect(hasErrors(plan.diagnostics) || plan.actions.length === 0).toBe(true);
      continue;
    }
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.changes.filter(({ type }) => type !== 'delete')).toEqual([]);
    expect(missingAllowances(plan.actions)).toEqual([]);
    expect(plan.gates?.findings ?? []).toEqual([]);
    if (plan.actions.length > 0 && draw(4) === 0) {
      figures.kills += 1;
      await carried(world, plan, draw(plan.actions.length + 1));
      continue;
    }
    await carried(world, plan);
    figures.ended += plan.actions.length;
    if (!isEdited && plan.actions.length === grants.length) {
      expect(textsOf(plan, 'lost')).toEqual(textsOf(granting, 'gained'));
      figures.inverse += 1;
    }
    // The runner lived, and its clock was right.
    const names = new Set((await policiesOf(world)).map(({ name }) => name));
    const outlived = grants.filter(({ name, until }) => until <= world.time && names.has(name));
    expect(outlived.map(({ name }) => name)).toEqual([]);
    const kept = grants.filter(({ until }) => until > world.time);
    if (!isEdited) expect(kept.filter(({ name }) => !names.has(name))).toEqual([]);
  }
}
