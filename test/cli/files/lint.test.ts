// `validate --lint`: exit codes, formats, and the examples.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { meshform } from '../../support/cli.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

const FILE = `groups: [{ name: lab }, { name: ops }]
policies:
  - name: ssh
    rules: [{ name: r, sources: [ops], destinations: [lab], protocol: netbird-ssh }]
  - name: ping first
    rules: [{ name: r, sources: [ops], destinations: [lab], protocol: icmp }]
  - name: ping second
    lifecycle: { lint_ignore: { RULE_DUPLICATE: "kept while #1 is open" } }
    rules: [{ name: r, sources: [ops], destinations: [lab], protocol: icmp }]
`;

async function folderOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meshform-lint-'));
  await mkdir(join(folder, 'my net'));
  await writeFile(join(folder, 'my net', 'a.yaml'), text);
  return folder;
}

async function validate(text: string, ...flags: readonly string[]) {
  return meshform(['validate', ...flags], { cwd: await folderOf(text) });
}

describe('exit codes', () => {
  test('nothing is linted without --lint', async () => {
    const { code, stdout } = await validate(FILE);
    expect([code, stdout]).toEqual([0, 'Valid: 5 objects declared.\n']);
  });

  test('findings are warnings, with exit code 0', async () => {
    const { code, stdout } = await validate(FILE, '--lint');
    expect(code).toBe(0);
    expect(stdout).toContain('my net/a.yaml:4:71 warning SSH_ALL_TCP');
    expect(stdout).toMatch(/Valid: 5 objects declared; 1 warning; 1 lint finding silenced\.\n$/);
  });

  test('findings are errors with --strict, with exit code 6', async () => {
    const { code, stdout } = await validate(FILE, '--lint', '--strict');
    expect(code).toBe(6);
    expect(stdout).toContain('error SSH_ALL_TCP');
    expect(stdout).toMatch(/Not valid; 1 error; 1 lint finding silenced\.\n$/);
  });

  test('files with errors are not linted, with exit code 3', async () => {
    const { code, stdout } = await validate(`${FILE}users: 3\n`, '--lint', '--strict');
    expect(code).toBe(3);
    expect(stdout).not.toContain('SSH_ALL_TCP');
    expect(stdout).toMatch(/Not valid; 1 error; not linted because of the errors\.\n$/);
  });

  test('--dialect decides the meaning of a policy with several rules', async () => {
    const text = `groups: [{ name: a }, { name: b }, { name: c }]
networks:
  - name: n
    routers: [{ peer_groups: [c], masquerade: true }]
    resources: [{ name: x, address: 10.0.0.1, groups: [b] }]
policies:
  - name: p
    rules:
      - { name: one, sources: [a], destinations: [b], protocol: tcp, ports: ["443"] }
      - { name: two, sources: [a], destinations: [c], protocol: tcp, ports: ["22"] }
`;
    expect((await validate(text, '--lint')).stdout).not.toContain('RULE_LEAKS');
    expect((await validate(text, '--lint', '--dialect', 'spec')).stdout).toContain('RULE_LEAKS');
  });
});

test('JSON has the findings and, with their reasons, the silenced findings', async () => {
  const { stdout } = await validate(FILE, '--lint', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    valid: true,
    diagnostics: [{ code: 'SSH_ALL_TCP', severity: 'warning', at: { file: 'my net/a.yaml' } }],
    silenced: [{ code: 'RULE_DUPLICATE', reason: 'kept while #1 is open', reason_at: { line: 8 } }],
  });
  expect(JSON.parse((await validate(FILE, '--format', 'json')).stdout)).not.toHaveProperty(
    'silenced',
  );
});

interface Sarif {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly rules: readonly { id: string; shortDescription: { text: string } }[];
      };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number; readonly startColumn: number };
        };
      }[];
      readonly suppressions: readonly { kind: string; justification: string }[];
    }[];
  }[];
}

describe('SARIF', () => {
  const sarifOf = async (...flags: readonly string[]): Promise<Sarif['runs'][number]> => {
    const { stdout } = await validate(FILE, ...flags, '--format', 'sarif');
    const log: Sarif = JSON.parse(stdout);
    expect([log.version, log.runs.length]).toEqual(['2.1.0', 1]);
    expect(log.$schema).toContain('sarif-2.1.0');
    return log.runs[0] as Sarif['runs'][number];
  };

  test('has everything that the format and code scanning require', async () => {
    const { tool, results } = await sarifOf('--lint');
    expect(tool.driver.name).toBe('meshform');
    expect(results.map(({ ruleId }) => ruleId)).toEqual(['SSH_ALL_TCP', 'RULE_DUPLICATE']);
    for (const { ruleId, ruleIndex, level, message, locations, suppressions } of results) {
      expect(tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId });
      expect(tool.driver.rules[ruleIndex]?.shortDescription.text).not.toBe('');
      expect(['error', 'warning', 'note']).toContain(level);
      expect(message.text).not.toBe('');
      expect(suppressions).toBeInstanceOf(Array);
      for (const { physicalLocation } of locations) {
        expect(physicalLocation.artifactLocation.uri).toBe('my%20net/a.yaml');
        expect(physicalLocation.region.startLine).toBeGreaterThan(0);
        expect(physicalLocation.region.startColumn).toBeGreaterThan(0);
      }
      expect(locations).toHaveLength(1);
    }
  });

  test('suppresses silenced findings, with the reason', async () => {
    const { results } = await sarifOf('--lint');
    expect(results.map(({ suppressions }) => suppressions)).toEqual([
      [],
      [
        expect.objectContaining({
          kind: 'inSource',
          status: 'accepted',
          justification: 'kept while #1 is open',
        }),
      ],
    ]);
  });

  test('contains findings other than lints too, and is a run without results if there are none', async () => {
    expect((await sarifOf()).results).toEqual([]);
    const { stdout, code } = await validate('groups: 3\n', '--format', 'sarif');
    const log: Sarif = JSON.parse(stdout);
    expect(code).toBe(3);
    expect(log.runs[0]?.results[0]).toMatchObject({ level: 'error', ruleIndex: 0 });
  });
});

test.each(['quickstart', 'everything', 'company'])(
  'examples/%s has no lint findings',
  async example => {
    const { code, stdout } = await meshform(
      ['validate', `examples/${example}`, '--lint', '--strict', '--format', 'json'],
      { cwd: ROOT },
    );
    const { diagnostics } = JSON.parse(stdout);
    const found = diagnostics.filter(({ severity }: { severity: string }) => severity !== 'note');
    expect([code, found]).toEqual([0, []]);
  },
);
