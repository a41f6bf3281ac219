// Without a base: a grant whose file is removed before its end stays, every plan says so, and it still ends.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { namesOf, withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const rules = (port: number) =>
  `rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["${port}"] }]`;
const FILES = `groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]
policies: [{ name: stays, ${rules(443)} }]\n`;
const GRANT = `policies: [{ name: g, lifecycle: { until: 2026-12-01 }, ${rules(22)} }]\n`;

test.each(['spec', 'netbird'] as const)(
  '%s: a journal ends a grant whose file was removed, and an undo that restores the grant keeps its expiry',
  dialect =>
    withEndedFolder(
      async ({ run, write, account, at, folder }) => {
        for (const name of ['ada', 'db']) await account.enrol(name);
        await write({ 'a.yaml': FILES, 'grants/g.yaml': GRANT });
        expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
        await rm(join(folder, 'network/grants/g.yaml'));
        const applied = await run(['apply', 'network', '--yes']);
        expect([applied.code, applied.stderr]).toEqual([
          0,
          expect.stringContaining('warning END_NOT_DECLARED'),
        ]);
        expect(applied.stderr).toContain('policy.g stays');
        expect(applied.stderr).toContain('2026-12-02T00:00:00Z');

        const gone = ['apply', 'network', '--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
        const pruned = await run([...gone, '--yes']);
        expect([pruned.code, pruned.stderr]).toEqual([0, expect.not.stringContaining('NOT_DECL')]);
        expect(await namesOf(account, 'policies')).toEqual(['stays']);
        expect((await run(['apply', 'network', '--undo', '--yes'])).code).toBe(0);
        expect(await namesOf(account, 'policies')).toEqual(['g', 'stays']);

        at('2026-12-02T00:00:00Z');
        const drifted = await run(['drift', 'network']);
        expect([drifted.code, drifted.stdout]).toEqual([2, expect.stringContaining('policy.g')]);
        const ended = await run(['expire', 'network', '--yes']);
        expect(ended.code, ended.stdout + ended.stderr).toBe(0);
        expect(await namesOf(account, 'policies')).toEqual(['stays']);
      },
      { dialect },
    ),
);
