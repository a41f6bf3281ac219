// A limited run that renames an object: what it leaves out refers to that object still, under its new name.
import { expect, test, vi } from 'vitest';
import { expectCode, teams } from './teams.ts';

// A whole story, of several applies.
vi.setConfig({ testTimeout: 60_000 });

const policy = (group: string) =>
  `policies: [{ name: p, rules: [{ name: p, sources: [${group}], destinations: [b], protocol: tcp, ports: ["22"] }] }]\n`;
const RENAMED = 'groups: [{ name: a2, lifecycle: { was: a } }, { name: b }]\n';

test('references to a group that a limited run renames are recorded with the new name', () =>
  teams(async ({ id, apply, commit, names, run }) => {
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/groups.yaml': 'groups: [{ name: a }, { name: b }]\n',
      'net/p.yaml': policy('a'),
    });
    expectCode(await apply('net'), 0);
    await commit({ 'net/groups.yaml': RENAMED, 'net/p.yaml': policy('a2') });
    expectCode(await apply('net', ['--only', 'group/a2']), 0);
    const shown = await run(['base', 'show', 'net', '--format', 'json']);
    const { objects } = JSON.parse(shown.stdout).base;
    const [kept] = objects.filter(({ kind }: { kind: string }) => kind === 'policy');
    expect(kept.fields.rules[0].sources).toEqual(['a2']);
    await commit({ 'net/p.yaml': null });
    const ended = await apply('net');
    expectCode(ended, 0);
    expect(await names('/api/policies')).toEqual(['Default']);
  }, 'netbird'));
