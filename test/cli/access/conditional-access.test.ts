// A source that fails the posture check of one rule keeps what other rules grant it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';

const rule = (port: number) =>
  `rules: [{ name: r, sources: [admins], destinations: [prod], protocol: tcp, ports: ["${port}"] }]`;
const FILES = `
groups: [{ name: admins }, { name: prod }]
posture_checks: [{ name: recent, checks: { nb_version_check: { min_version: 0.60.0 } } }]
policies:
  - { name: ssh, source_posture_checks: [recent], ${rule(22)} }
  - { name: backup, ${rule(2222)} }
`;

const testYaml = (deny: string) =>
  `access_tests: [{ name: t, from: group/admins, with: { version: 0.50.0, os: linux, country: DE }, deny: [${deny}] }]\n`;

const judged = (deny: string) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), FILES);
    await writeFile(join(cwd, 'tests.yaml'), testYaml(deny));
    return meshform(['test', '.'], { cwd });
  });

describe('a test with an old agent that fails the posture check of one of two rules', () => {
  test('fails if it denies everything', async () => {
    const { code, stdout } = await judged('group/prod');
    expect(code).toBe(6);
    expect(stdout).toContain('tcp/2222');
    expect(stdout).not.toContain('tcp/22 ');
  });

  test('passes if it denies only what the check protects', async () => {
    expect((await judged('"group/prod:tcp/22"')).code).toBe(0);
  });
});
