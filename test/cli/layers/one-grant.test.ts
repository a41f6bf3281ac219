// One file or folder of grants of a project with layers: the other layers are no grants because of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const grant = (source: string) =>
  `policies: [{ name: g, lifecycle: { until: 2026-12-01 }, rules: [{ name: a, sources: [${source}], destinations: [servers], protocol: tcp, ports: ["22"] }] }]\n`;

const files = (source: string): Readonly<Record<string, string>> => ({
  'base/a.yaml': 'groups: [{ name: temps }, { name: staff }, { name: servers }]\n',
  'prod/meshform.yaml': 'layers: [../base, .]\ngrants: { from: [group/temps] }\n',
  'prod/grants/a.yaml': grant(source),
});

const validated = (source: string, path: string) =>
  inFolder(async cwd => {
    git(cwd, 'init', '--quiet');
    for (const [name, text] of Object.entries(files(source))) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const { code, stdout, stderr } = await meshform(['validate', path], { cwd, now: NOW });
    return { code, told: stdout + stderr };
  });

test.each(['prod', 'prod/grants', 'prod/grants/a.yaml'])(
  'validate accepts a grant within the limits of all layers for the path %s',
  async path => {
    expect(await validated('temps', path)).toMatchObject({ code: 0 });
  },
);

test.each(['prod', 'prod/grants', 'prod/grants/a.yaml'])(
  'validate refuses a grant outside the limits of all layers for the path %s',
  async path => {
    const { code, told } = await validated('staff', path);
    expect([code, told]).toEqual([3, expect.stringContaining('GRANT_REFUSED')]);
    expect(told).not.toContain('base/a.yaml');
  },
);
