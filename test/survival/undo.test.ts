// What an apply has done is taken back from its journal: planned, shown, approved, and as it was but for what cannot be.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../src/model/value.ts';
import { itemsOf, type Mixed, SETTINGS, startMixed, ALLOWED as WHOLE } from './mixed.ts';

const ALLOWED = ['DELETES_OBJECT', 'REPLACES_OBJECT', 'GAP', 'OVER_THRESHOLD'].flatMap(code => [
  '--allow',
  code,
]);

const undo = ({ run }: Mixed, journal: string, ...flags: readonly string[]) =>
  run('apply', '--undo', journal, '--secrets-to', 'file:secrets.jsonl', ...flags);

/** What the account holds, but for setup keys: how long they were to last cannot be read back. */
async function besidesKeys({ held }: Mixed): Promise<unknown> {
  const { setup_keys: _, ...rest } = parse(await held());
  return rest;
}

test(
  'an undo restores everything that can be restored, and reports the rest',
  { timeout: 60_000 },
  () =>
    startMixed(async mixed => {
      await mixed.reset();
      const before = await besidesKeys(mixed);
      expect((await mixed.run(...mixed.apply)).code).toBe(0);
      const refused = await undo(mixed, 'run.jsonl', '--yes');
      expect(refused).toMatchObject({ code: 6 });
      expect(await mixed.held()).toBe(mixed.wanted);
      const undone = await undo(mixed, 'run.jsonl', '--yes', ...ALLOWED);
      expect(undone.code, undone.stderr).toBe(0);
      expect(undone.stdout).toContain('# group.guests will be destroyed');
      expect(undone.stderr).toContain('UNDO_PARTIAL');
      expect(undone.stderr).toContain('setup_key.gateways cannot be restored: `expires_in`');
      expect(undone.stderr).toMatch(
        /token\.pipeline\/main is restored with a different id \(was \S+ another/,
      );
      expect(await besidesKeys(mixed)).toEqual(before);
      const again = await undo(mixed, 'run.jsonl', '--yes', ...ALLOWED);
      expect(again.stdout).toContain('No changes.');
    }),
);

/** The account as before, but for a lock of the changed service: the server keeps an entry of it, which is disabled. */
function withDisabledLock(account: unknown): unknown {
  const whole = account as { reverse_proxy: { services: readonly JsonObject[] } };
  const services = whole.reverse_proxy.services.map(service =>
    service.domain === 'wiki.apps.example.com' && isObject(service.auth)
      ? { ...service, auth: { ...service.auth, password_auth: { enabled: false } } }
      : service,
  );
  return { ...whole, reverse_proxy: { ...whole.reverse_proxy, services } };
}

test(
  'an undo restores the kinds beyond the specification, and reports new ids and tokens',
  { timeout: 300_000 },
  () =>
    startMixed(async mixed => {
      await mixed.reset();
      const before = await besidesKeys(mixed);
      expect((await mixed.run(...mixed.apply)).code).toBe(0);
      const undone = await undo(mixed, 'run.jsonl', '--yes', ...WHOLE);
      expect(undone.code, undone.stderr).toBe(0);
      expect(await besidesKeys(mixed)).toEqual(withDisabledLock(before));
      for (const kind of ['dns_zone.old.example.com', 'nameserver_group.old'])
        expect(undone.stderr).toContain(`${kind} is restored with a different id`);
      expect(undone.stderr).toMatch(
        /proxy_token\.porto is restored with a different id \(was \S+ another `plain_token`/,
      );
      const again = await undo(mixed, 'run.jsonl', '--yes', ...WHOLE);
      expect(again.stdout).toContain('No changes.');
    }, SETTINGS.beyond),
);

describe('changes of others since the run', () => {
  test('are kept by the undo: members that joined, and fields that the run did not write', () =>
    startMixed(async mixed => {
      const { call, folder } = mixed;
      await mixed.reset();
      await writeFile(join(folder, 'group.yaml'), 'groups: [{ name: operators, peers: [ada] }]');
      const flags = ['--yes', '--journal', 'group.jsonl'];
      expect((await mixed.run('apply', 'group.yaml', ...flags)).code).toBe(0);
      const idsOf = async (path: string) =>
        Object.fromEntries(
          itemsOf(await call('GET', `/api/${path}`)).map(one => [String(one.name), String(one.id)]),
        );
      const [peers, groups] = await Promise.all([idsOf('peers'), idsOf('groups')]);
      const live = itemsOf(await call('GET', '/api/groups')).find(one => one.name === 'operators');
      const members = ['ada', 'bob', 'cyd'].map(name => peers[name] ?? '');
      const body = { name: 'operators', peers: members, resources: live?.resources ?? [] };
      await call('PUT', `/api/groups/${groups.operators}`, body);
      const undone = await undo(mixed, 'group.jsonl', '--yes', '--journal', 'back.jsonl');
      expect(undone.code, undone.stderr).toBe(0);
      const after = itemsOf(await call('GET', '/api/groups')).find(one => one.name === 'operators');
      const names = itemsOf(after?.peers ?? []).map(({ name }) => name);
      expect(names.sort()).toEqual(['bob', 'cyd']);
      expect(itemsOf(after?.resources ?? [])).toHaveLength(2);
      expect(
        JSON.parse((await readFile(join(folder, 'back.jsonl'), 'utf8')).split('\n')[0] ?? ''),
      ).toMatchObject({
        type: 'run',
        undoes: 'group.jsonl',
      });
    }));
});

test('an undo reverts an interrupted run as far as it got', { timeout: 60_000 }, () =>
  startMixed(async mixed => {
    await mixed.reset();
    const before = await besidesKeys(mixed);
    await mixed.fault({ method: 'PUT', path: '/api/*', effect: 'status', status: 500, times: 99 });
    expect((await mixed.run(...mixed.apply)).code).toBe(4);
    await mixed.clear();
    const undone = await undo(mixed, 'run.jsonl', '--yes', ...ALLOWED);
    expect(undone.code, undone.stderr).toBe(0);
    expect(await besidesKeys(mixed)).toEqual(before);
  }),
);
