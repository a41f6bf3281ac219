// `tighten` over a folder: what it prints, what it writes, and that a second run proposes nothing.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { expectDescribed } from '../../support/described.ts';

const FILE = `# Who works here.
groups: [{ name: a }, { name: b }]
policies:
  - name: first
    rules: [{ name: shell, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] }]
  # Nobody knows why.
  - name: second
    rules:
      - { name: again, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] } # the same
      - { name: web, protocol: tcp, ports: ["443"], sources: [a], destinations: [b] }
`;

const withFiles = (files: Readonly<Record<string, string>>, use: (cwd: string) => Promise<void>) =>
  inFolder(async cwd => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(cwd, name, '..'), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    await use(cwd);
  });

describe('a duplicate rule', () => {
  test('is printed even without a log, and is an error with --strict', () =>
    withFiles({ 'net/network.yaml': FILE }, async cwd => {
      const found = await meshform(['tighten', 'net'], { cwd });
      expect(found).toMatchObject({ code: 0, stderr: '' });
      expect(found.stdout).toBe(`net/network.yaml:9:9  policy "second", rule "again"
  rule  has the same effect as rule "shell" of policy "first" (net/network.yaml:5:13)  remove  certain

1 finding: 1 certain.
`);
      expect((await meshform(['tighten', 'net', '--strict'], { cwd })).code).toBe(6);
    }));

  test('is written in the style of the file, and a second run proposes nothing', () =>
    withFiles({ 'net/network.yaml': FILE }, async cwd => {
      const { code, stderr } = await meshform(['tighten', 'net', '--write'], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'Written:\n  net/network.yaml\n' });
      const text = await readFile(join(cwd, 'net/network.yaml'), 'utf8');
      expect(text).toBe(FILE.replace(/ {6}- \{ name: again.*\n/, ''));
      const again = await meshform(['tighten', 'net', '--write'], { cwd });
      expect(again).toMatchObject({ code: 0, stdout: 'Nothing to propose.\n' });
    }));

  test('is printed without --write in the form in which it would be written', () =>
    withFiles({ 'net/network.yaml': FILE }, async cwd => {
      const listed = await meshform(['tighten', 'net', '--details'], { cwd });
      const text = await readFile(join(cwd, 'net/network.yaml'), 'utf8');
      expect(text).toBe(FILE);
      const written = await meshform(['tighten', 'net', '--details', '--write'], { cwd });
      expect(written.stdout).toBe(listed.stdout);
    }));

  test('a duplicate rule with a variable is not edited, because the variable may have another value in another run', () =>
    withFiles(
      {
        'net/network.yaml': FILE.replace(
          '{ name: again, protocol: tcp, ports: ["22"]',
          '{ name: again, protocol: tcp, ports: ["${var:PORT:-22}"]',
        ),
      },
      async cwd => {
        const { code, stderr } = await meshform(['tighten', 'net', '--write'], { cwd });
        expect(code).toBe(0);
        expect(stderr).toContain(
          'it contains a variable, which may have another value in another run',
        );
        expect(stderr).toContain('Nothing to write.');
      },
    ));

  test('a duplicate rule that the project file protects is kept', () =>
    withFiles(
      { 'net/network.yaml': FILE, 'net/meshform.yaml': 'protect: [policy/second]\n' },
      async cwd => {
        const { stdout } = await meshform(['tighten', 'net'], { cwd });
        expect(stdout).toContain('protected');
        expect(stdout).not.toContain('certain');
      },
    ));

  test('a duplicate rule of another layer is listed with its place', () =>
    withFiles(
      {
        'base/network.yaml': FILE,
        'net/more.yaml': 'groups: [{ name: c }]\n',
      },
      async cwd => {
        const { code, stderr } = await meshform(['tighten', 'base', 'net', '--write'], { cwd });
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: 'Not written: base/network.yaml:9:9: it is in another layer\nNothing to write.\n',
        });
      },
    ));

  test('a duplicate rule of a `for_each` is listed with its place, at most five without --details', () => {
    const each = Array.from({ length: 12 }, (_, at) => `k${at}`).join(', ');
    const repeated = `${FILE.slice(0, FILE.indexOf('  # Nobody'))}  - name: more \${each.key}
    for_each: [${each}]
    rules: [{ name: again, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] }]
`;
    return withFiles({ 'net/network.yaml': repeated }, async cwd => {
      const lines = async (...argv: readonly string[]) =>
        (await meshform(['tighten', 'net', '--write', ...argv], { cwd })).stderr
          .trimEnd()
          .split('\n');
      const few = await lines();
      expect(few).toHaveLength(7);
      expect(few[0]).toMatch(/^Not written: net\/network.yaml:\d+:\d+: it is made by `for_each`$/);
      expect(few.at(-2)).toBe('… and 7 more not written: --details lists all');
      expect(await lines('--details')).toHaveLength(13);
    });
  });

  test('is an entry of the document with --format json', () =>
    withFiles({ 'net/network.yaml': FILE }, async cwd => {
      const { stdout } = await meshform(['tighten', 'net', '--format', 'json'], { cwd });
      expectDescribed(stdout, 'tightening.schema.json');
      expect(JSON.parse(stdout)).toMatchObject({
        format_version: '1.1',
        findings: [
          {
            type: 'duplicate-rule',
            kind: 'policy',
            name: 'second',
            rule: 'again',
            at: 'net/network.yaml:9:9',
            state: 'certain',
          },
        ],
      });
    }));
});

test('findings that should stay are listed with the reason', () =>
  withFiles(
    {
      'net/network.yaml': `groups: [{ name: a }, { name: b }]
policies:
  - name: first
    rules: [{ name: shell, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] }]
  - name: second
    lifecycle: { keep_access: the auditor asked }
    rules: [{ name: again, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] }]
`,
    },
    async cwd => {
      const { stdout } = await meshform(['tighten', 'net', '--details'], { cwd });
      expect(stdout).toBe(
        'Kept: net/network.yaml:7:13  policy "second", rule "again", rule  keep_access: the auditor asked\nNothing to propose; 1 kept.\n',
      );
    },
  ));
