// How the GitLab component starts git: without the tokens of meshform, and without programs of the checkout.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const TEMPLATE = new URL('../../../templates/meshform.yml', import.meta.url);

interface Job {
  readonly script?: readonly string[];
}

const [, jobs] = parseAllDocuments(readFileSync(TEMPLATE, 'utf8')).map(document =>
  (document as { toJS: () => Readonly<Record<string, Job>> }).toJS(),
);
const scripts = Object.values(jobs ?? {}).flatMap(({ script }) => script ?? []);
const declared = scripts.filter(line => line.startsWith('safe_git()'));

test('git is started by one function alone', () => {
  expect(new Set(declared).size).toBe(1);
  const others = scripts.filter(line => !declared.includes(line)).join('\n');
  expect(others.match(/(?<!safe_)\bgit [a-z-]+/g)).toBeNull();
});

test('git gets no variable of meshform, and the job keeps them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stand = join(folder, 'git');
  writeFileSync(stand, `#!/bin/sh\necho "$*"\nenv\n`);
  chmodSync(stand, 0o755);
  const script = `${declared[0]}\nset -f\nsafe_git fetch 'a b'\necho "still $MESHFORM_TOKEN"`;
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    CI_JOB_TOKEN: 'job',
    PLAIN: 'x\nMESHFORM_NO=y',
    MESHFORM_TOKEN: 'nbp_t',
    MESHFORM_WRITER: 'nbp_w',
    MESHFORM_NOTES_TOKEN: 'glpat',
  };
  const said = execFileSync('sh', ['-euc', script], { env, encoding: 'utf8' });
  expect(said).toMatch(/-c core\.hooksPath=\/dev\/null .* fetch a b$/m);
  expect(said).toContain('CI_JOB_TOKEN=job');
  expect(said).not.toMatch(/nbp_w|glpat|^MESHFORM_TOKEN/m);
  expect(said).toContain('still nbp_t');
});
