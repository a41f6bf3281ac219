// `export` into files with templates and `for_each`: what several objects use is never edited, and what is not written is said.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const ICMP = 'protocol: icmp, sources: [a], destinations: [a]';
const RULES = `rules: [{ name: in, ${ICMP} }]`;
const TEMPLATED = `templates:
  - name: described
    description: from the template
    enabled: true
groups:
  - name: a
policies:
  - name: own
    extends: described
    ${RULES}
  - name: listed
    rules:
      - { name: r, ${ICMP} }
      - { name: "in \${each.key}", for_each: [v], ${ICMP} }
  - name: p \${each.key}
    for_each: [x, y]
    description: for \${each.key}
    ${RULES}
`;

test('an export writes differences of a templated object into its own text, and lists the rest', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const run = (...argv: string[]) => meshform(argv, { cwd, env: environmentOf(account) });
    await mkdir(join(cwd, 'net'));
    const file = join(cwd, 'net/network.yaml');
    await writeFile(file, TEMPLATED);
    expect((await run('apply', 'net', '--yes')).code).toBe(0);

    await mkdir(join(cwd, 'hand'));
    const byHand = (name: string) =>
      `  - { name: ${name}, description: by hand, enabled: true, ${RULES} }\n`;
    const listed = `  - name: listed\n    rules:\n      - { name: r, ${ICMP} }\n      - { name: in v, enabled: false, ${ICMP} }\n`;
    const hand = `groups: [{ name: a }]\npolicies:\n${byHand('own')}${byHand('p x')}${listed}`;
    await writeFile(join(cwd, 'hand/network.yaml'), hand);
    expect((await run('apply', 'hand', '--yes')).code).toBe(0);

    const checked = await run('export', '--check', 'net');
    expect(checked.code).toBe(2);
    const exported = await run('export', '--out', 'net');
    const said = exported.stdout + exported.stderr;
    expect(said).toContain('net/network.yaml:15:5');
    // A repeated rule is listed once, at its place.
    expect(said.match(/policy\.listed .*/g)).toEqual([
      expect.stringMatching(/differs from the account, .*: it is made by `for_each`$/),
    ]);
    expect(said).toContain('net/network.yaml:14:9');
    expect(said).toContain('it is made by `for_each`');
    const now = await readFile(file, 'utf8');
    // What several objects use is as it was.
    const [shared = ''] = TEMPLATED.split('groups:');
    expect(now.startsWith(shared)).toBe(true);
    expect(now).toContain(TEMPLATED.slice(TEMPLATED.indexOf('  - name: p ')));
    const own = now.slice(now.indexOf('  - name: own'), now.indexOf('  - name: p '));
    expect(own).toContain('    description: by hand\n');
    expect(own).toContain('    extends: described\n');
    expect(own).not.toContain('enabled');
    expect((await run('export', '--check', 'net')).code).toBe(2);
  }));

const BELOW = `templates:
  - { name: dark, description: from the template, enabled: false }
groups: [{ name: a }]
policies:
  - { name: layered, description: from below, ${RULES} }
`;
const ABOVE = `policies:
  - name: layered
    lifecycle: { override: true }
    description: own words
  - name: own
    extends: dark
    enabled: false
    description: own words
    rules: [{ name: in, description: a rule, protocol: icmp, sources: [a], destinations: [a] }]
`;
const EMPTIED = `groups: [{ name: a }]
policies:
  - { name: layered, description: "", ${RULES} }
  - { name: own, description: "", enabled: true, rules: [{ name: in, description: "", protocol: icmp, sources: [a], destinations: [a] }] }
`;

test('a field that was emptied in the account does not get the value of a template or of a layer', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const run = (...argv: string[]) => meshform(argv, { cwd, env: environmentOf(account) });
    for (const folder of ['below', 'net', 'hand']) await mkdir(join(cwd, folder));
    const file = join(cwd, 'net/network.yaml');
    await writeFile(join(cwd, 'below/network.yaml'), BELOW);
    await writeFile(join(cwd, 'net/meshform.yaml'), 'layers: [../below, .]\n');
    await writeFile(file, ABOVE);
    await writeFile(join(cwd, 'hand/network.yaml'), EMPTIED);
    // Layers must be in one work tree.
    git(cwd, 'init', '-q');
    expect((await run('apply', 'net', '--yes')).code).toBe(0);
    expect((await run('apply', 'hand', '--yes')).code).toBe(0);

    const { code, stderr } = await run('export', '--out', 'net', '--kinds', 'policies');
    const now = await readFile(file, 'utf8');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('OBJECT_STUCK')]);
    expect(now.match(/description: null/g)).toHaveLength(2);
    expect(now).toContain('enabled: null');
    // Nothing else says it.
    expect(now).not.toContain('a rule');
    expect((await run('plan', 'net', '--detailed-exitcode')).code).toBe(0);
    await run('export', '--out', 'net', '--kinds', 'policies');
    expect(await readFile(file, 'utf8')).toBe(now);
  }));
