// `apply` carries out a saved plan once; a second apply changes nothing.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { present } from '../../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { NETWORKS, planned, writes } from '../plans/plannedFolder.ts';

// A policy reads with groups as objects, and is written with their ids.
const withIds = (rules: Json): Json =>
  (rules as JsonObject[]).map(rule => ({ ...rule, ...idsIn(rule, 'sources', 'destinations') }));
const idsIn = (rule: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(
    names.map(name => [name, (rule[name] as JsonObject[]).map(({ id }) => present(id, 'its id'))]),
  );

describe('a plan that is applied again', () => {
  test('is recognised as already applied: exit 0, and nothing is sent', () =>
    planned(NETWORKS, async ({ account, run, named }) => {
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
      const before = writes(account);
      for (const _ of ['second', 'third']) {
        const again = await run('apply', 'plan.json', '--yes');
        expect(again).toMatchObject({ code: 0 });
        expect(again.stdout).toContain('Already applied');
      }
      expect(writes(account)).toBe(before);
      expect(await named('/api/networks')).toHaveLength(3);
      const json = await run('apply', 'plan.json', '--yes', '--format', 'json');
      expect(JSON.parse(json.stdout)).toMatchObject({ already_applied: true, complete: true });
    }));

  test('is recognised if a program sorted its keys', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      const file = join(folder, 'plan.json');
      const sorted = (value: Json): Json => {
        if (isList(value)) return value.map(sorted);
        if (!isObject(value)) return value;
        const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
        return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
      };
      await writeFile(file, JSON.stringify(sorted(JSON.parse(await readFile(file, 'utf8')))));
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    }));

  test('is carried out if it is a new plan with the same content, because somebody undid the first apply', () =>
    planned(NETWORKS, async ({ account, folder, run, named }) => {
      const policy = async () => (await named('/api/policies')).find(one => one.name !== 'Default');
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
      const loosened = async () => {
        const { id, name, rules } = present(await policy(), 'the policy');
        const body = { name, enabled: false, rules: withIds(present(rules, 'its rules')) };
        await account.call('PUT', `/api/policies/${id}`, body as JsonObject);
      };
      const digests: Json[] = [];
      for (const [round, file] of ['p1.json', 'p2.json'].entries()) {
        await loosened();
        const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
        const now = 1_000 * (round + 1);
        const made = await meshform(['plan', 'network', '--out', file], { env, cwd: folder, now });
        expect(made, made.stderr).toMatchObject({ code: 0 });
        const { meshform: ours } = JSON.parse(await readFile(join(folder, file), 'utf8'));
        digests.push(ours.digest);
        expect(await run('apply', file, '--yes')).toMatchObject({ code: 0 });
        expect(await policy()).toMatchObject({ enabled: true });
      }
      expect(new Set(digests).size).toBe(2);
      await loosened();
      for (const file of ['p1.json', 'p2.json'])
        expect(await run('apply', file, '--yes')).toMatchObject({ code: 5 });
    }));

  test('is stale without the journal of the first apply: exit 5, and nothing is duplicated', () =>
    planned(NETWORKS, async ({ account, folder, run, named }) => {
      expect(await run('apply', 'plan.json', '--yes', '--journal', 'a.jsonl')).toMatchObject({
        code: 0,
      });
      await rm(join(folder, 'a.jsonl'));
      const before = writes(account);
      const again = await run('apply', 'plan.json', '--yes', '--journal', 'b.jsonl');
      expect(again).toMatchObject({ code: 5 });
      for (const name of ['one', 'two', 'three'])
        expect(again.stdout).toContain(`network.${name} was created in the account since`);
      expect(again.stderr).not.toContain('--resume');
      expect(writes(account)).toBe(before);
      expect(await named('/api/policies')).toHaveLength(2);
    }));

  test('is stale after somebody reverted a result', () =>
    planned(NETWORKS, async ({ account, run, named }) => {
      await run('apply', 'plan.json', '--yes');
      const [one] = (await named('/api/networks')).filter(({ name }) => name === 'one');
      await account.call('DELETE', `/api/networks/${one?.id}`);
      const before = writes(account);
      const again = await run('apply', 'plan.json', '--yes');
      expect(again).toMatchObject({ code: 5 });
      expect(again.stderr).toContain('network.one');
      expect(writes(account)).toBe(before);
    }));

  test('says how to continue if the first apply was interrupted', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.fault({
        method: 'POST',
        path: '/api/policies',
        effect: 'status',
        status: 500,
        times: 1,
      });
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 4 });
      const again = await run('apply', 'plan.json', '--yes');
      expect(again).toMatchObject({ code: 5 });
      expect(again.stderr).toContain('apply --resume journals/network-');
      expect(await run('apply', 'network', '--resume', '--yes')).toMatchObject({ code: 0 });
    }));
});
