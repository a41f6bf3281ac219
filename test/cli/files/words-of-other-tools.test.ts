// What people type who know other tools, and what they mean.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';

test('`import` leads to adoption, not only to export', async () => {
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

test('`show` of a journal says what reads a journal', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'run.jsonl'), '{"type":"begin"}\n');
    const { code, stderr } = await meshform(['show', 'run.jsonl'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('looks like a journal');
    expect(stderr).toContain('`meshform apply --resume run.jsonl`');
  }));
