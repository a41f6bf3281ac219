// A PUT of the account replaces all of it. Whatever setting is declared, every other value stays as it is, also values that a newer
// server has and that no schema knows: by drawn settings, drawn values and drawn fields of that server.
import { expect, test } from 'vitest';
import { readTransport } from '../../src/api/transport/transport.ts';
import { present } from '../../src/model/errors.ts';
import { kindName } from '../../src/model/names.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { reconcile } from '../support/reconcile.ts';
import { fc } from '../support/seeded.ts';
import { newerServer } from '../support/servers/newerServer.ts';
import { randomSources } from './generators/randomSource.ts';
import { drawFields } from './generators/values.ts';

const EXTENT: Extent = { slice: 40, full: 2_000 };

const SETTINGS = present(KINDS.get(kindName('account_settings')), 'account settings');

/** What the server keeps if a PUT does not send it (docs/server-behaviour.md#account-settings). */
const KEPT = ['onboarding', 'extra'];

/** Those that the server stores whatever the others are. */
const NAMES = [...SETTINGS.shape.fields.values()]
  .filter(({ readOnly }) => !readOnly)
  .map(({ name }) => name)
  .filter(name => !['agent_network_only', 'peer_expose_enabled'].includes(name))
  .filter(name => !name.startsWith('network_traffic') && name !== 'peer_approval_enabled');

const scalars = fc.oneof(fc.boolean(), fc.integer({ min: -9, max: 9 }), fc.string());
const fields = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.dictionary(
    fc.integer({ min: 0, max: 99 }).map(n => `newer_${n}`),
    value,
    { maxKeys: 3 },
  );
const values: fc.Arbitrary<Json> = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fields(scalars),
  fields(fields(scalars)),
);

/** What a newer server has besides, in every place of the body. */
const NEWER: fc.Arbitrary<JsonObject> = fc
  .tuple(fields(values), fields(values), fields(values), fields(values))
  .map(([top, settings, extra, onboarding]) => ({
    ...top,
    settings: { ...settings, extra },
    onboarding,
  }));

const CASES = fc.record({ name: fc.constantFrom(...NAMES), random: randomSources, newer: NEWER });

test(
  'setting one field of the account leaves every other value equal',
  async () => {
    const { count, seed, found } = proof('one setting of the account, all others equal', EXTENT);
    const behind = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
    const { account, more, close } = await newerServer(behind, KEPT);
    try {
      await behind.enrol('ada');
      // `account.call` asks the server behind.
      const asked = readTransport(account.transport);
      const settings = async () => {
        const [one] = (await asked.get('/api/accounts')) as JsonObject[];
        return present(one, 'an account');
      };
      const { id } = await settings();
      const figures = { written: 0, values: 0, newer: 0 };
      for (const { name, random, newer } of fc.sample(CASES, { numRuns: count * 4, seed })) {
        if (figures.written >= count) break;
        const drawn = drawFields(SETTINGS, {}, { random, dialect: 'netbird', keys: () => ['All'] });
        more.set(String(id), newer);
        const before = valuesIn(await settings());
        const isOn = [...before].find(([path]) => path.split('/').at(-1) === name)?.[1];
        const value = isOn === 'true' ? false : isOn === 'false' ? true : drawn?.[name];
        if (value === undefined) continue;
        const files = desiredOf(JSON.stringify({ account_settings: { [name]: value } }));
        const { plan, result } = await reconcile(account, files);
        expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
        const after = valuesIn(await settings());
        const paths = [...new Set([...before.keys(), ...after.keys()])];
        const moved = paths.filter(path => before.get(path) !== after.get(path));
        const strays = moved.filter(path => path.split('/').at(-1) !== name);
        expect(strays.map(path => [name, path, before.get(path), after.get(path)])).toEqual([]);
        figures.written += plan.actions.length;
        figures.values += paths.length;
        figures.newer += paths.filter(path => path.includes('/newer_')).length;
      }
      expect(figures.written).toBe(count);
      expect(figures.newer).toBeGreaterThan(count);
      found(
        `${figures.written} updates; ${figures.values} values compared, ${figures.newer} of them of a newer server; held`,
      );
    } finally {
      await close();
      await behind.close();
    }
  },
  patience(EXTENT),
);

/** The lists in which order means nothing. */
const SETS: ReadonlySet<string> = new Set(
  [...SETTINGS.shape.fields.values()].flatMap(({ name, shape }) =>
    shape.type === 'list' && shape.set ? name : [],
  ),
);

/** All values of an account, by their paths. */
function valuesIn(value: Json, path = ''): Map<string, string> {
  const isSet = isList(value) && SETS.has(path.split('/').at(-1) ?? '');
  if (isSet) return new Map([[path, JSON.stringify(value.toSorted())]]);
  if (!isObject(value)) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, item]) => [...valuesIn(item, `${path}/${name}`)]),
  );
}
