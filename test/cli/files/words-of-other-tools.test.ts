// What people type who know other tools, and what they mean.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';

test('`import` leads to adoption and to export', async () => {
  const { code, stderr } = await meshform(['import']);
  expect(code).toBe(64);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('`meshform apply` adopts objects');
});

test('`explain lifecycle` explains the settings that every object can have', async () => {
  const { code, stdout } = await meshform(['explain', 'lifecycle']);
  expect(code).toBe(0);
  expect(stdout).toContain('renew_before');
  expect((await meshform(['explain', 'lifecycle.was'])).stdout).toContain('lifecycle.was');
  const unknown = await meshform(['explain', 'lifecycle.wass']);
  expect(unknown).toMatchObject({ code: 64 });
  expect(unknown.stderr).toContain('did you mean `was`?');
});

test('`show` of a journal names the command that reads a journal', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'run.jsonl'), '{"type":"begin"}\n');
    const { code, stderr } = await meshform(['show', 'run.jsonl'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('looks like a journal');
    expect(stderr).toContain('`meshform apply --resume run.jsonl`');
  }));

test('the product behind a neutral name leads to its kind, in `explain` and in files', () =>
  inFolder(async cwd => {
    const explained = await meshform(['explain', 'crowdstrike']);
    expect(explained.code).toBe(64);
    expect(explained.stderr).toContain('`edr_provider_d`');
    await writeFile(join(cwd, 'a.yaml'), 'edr:\n  intune: {}\ndirectory_sync:\n  google: []\n');
    const { stdout } = await meshform(['validate', '.'], { cwd });
    expect(stdout).toContain('write `provider_b`: ');
    expect(stdout).toContain('In dialect netbird: Google Workspace.');
  }));

test('an error is wrapped between words on a terminal', async () => {
  const terminal = { isTerminal: true, columns: 40, env: { NO_COLOR: '1' } };
  const { stderr } = await meshform(['explain', '--all', 'policy'], terminal);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter(line => line.length > 40)).toEqual([]);
});
