// The client against the witnessed exchanges: it takes what the server says for what it means, sees no change where
// there is none, and sends exactly what the server is known to be sent.
import nock from 'nock';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TransportOptions, writeTransport } from '../../src/api/transport/transport.ts';
import { carryOut } from '../../src/apply/run/carryOut.ts';
import { present } from '../../src/model/errors.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isList, type JsonObject } from '../../src/model/value.ts';
import { planDesired } from '../../src/pipeline/planning/planDesired.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { type Case, readWitnesses, type Step, stepOf } from './witness.ts';
import { serveWitness, type Write, writeOf } from './witnessServer.ts';

/** Without TLS, which these exchanges do not depend on. */
const SERVER = 'http://overlay.example.com';
const witnesses = readWitnesses();

const transport: TransportOptions = {
  url: SERVER,
  token: 'nbp_example',
  dispatcher: new Agent(),
  now: () => 0,
  random: () => 0,
  // A request that is tried again would be one that nobody witnessed.
  sleep: () => Promise.resolve(),
};

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

test('every kind has its witness, and every witness states its origin', () => {
  expect(witnesses.map(({ kind }) => kind).sort()).toEqual([...KINDS.keys()].sort());
  for (const { source, unwitnessed } of witnesses) {
    expect(source.join(' ')).toMatch(/OpenAPI document.*docs\/server-behaviour\.md#/s);
    expect(isList(unwitnessed)).toBe(true);
  }
});

const tools = loadSchemas(KINDS);

function planOf(desired: readonly Desired[], base: readonly Desired[] = []): Promise<Plan> {
  return planDesired(tools, { desired, base, folder: 'test' }, writeTransport(transport), {
    dialect: 'netbird',
    prune: 'removed',
    allow: [],
    thresholds: {},
    concurrency: 2,
  });
}

async function apply(plan: Plan, { env = {} }: Case): Promise<void> {
  const { outcomes } = await carryOut(tools, plan, writeTransport(transport), {
    now: () => 0,
    planReadAt: 0,
    inputs: { env: name => env[name], file: () => undefined },
    concurrency: 2,
  });
  expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(outcomes).toHaveLength(1);
}

const declared = (document: JsonObject | undefined): readonly Desired[] =>
  document === undefined ? [] : desiredOf(JSON.stringify(document));

/** The writes that a case says the server gets, in their order. */
const expected = (one: Case, ...what: Step['do'][]): Write[] =>
  what.flatMap(name => {
    const step = stepOf(one, name);
    return step ? [writeOf(step)] : [];
  });

describe.each(witnesses.filter(({ cases }) => cases.some(({ desired }) => desired)))(
  '$kind',
  ({ cases }) => {
    describe.each(cases)('$title', one => {
      const { created, updated, deleted } = present(one.desired, 'desired states');

      test('is created, kept, changed and deleted with the witnessed requests', async () => {
        const { writes } = serveWitness(SERVER, one);
        // What can only be enrolled is there from the beginning.
        if (stepOf(one, 'create')) await apply(await planOf(declared(created)), one);
        expect(writes.splice(0)).toEqual(expected(one, 'create', 'settle'));
        expect((await planOf(declared(created))).changes).toEqual([]);
        if (updated !== undefined) {
          await apply(await planOf(declared(updated)), one);
          expect(writes.splice(0)).toEqual(expected(one, 'update'));
          expect((await planOf(declared(updated))).changes).toEqual([]);
        }
        if (stepOf(one, 'delete') === undefined) return;
        await apply(await planOf(declared(deleted), declared(updated ?? created)), one);
        expect(writes).toEqual(expected(one, 'delete'));
      });
    });
  },
);
