// The example workflows run whenever something changes that their plans read, and no name of theirs reaches a shell as text.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const FOLDER = new URL('../../examples/github/', import.meta.url);

interface Workflow {
  readonly on: Readonly<Record<string, { readonly paths?: readonly string[] } | null>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly with?: { readonly path?: string } }[] }>
  >;
}

test.each(readdirSync(FOLDER))('%s', name => {
  const { on, jobs } = parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Workflow;
  const steps = Object.values(jobs).flatMap(job => job.steps);
  const folders = steps.flatMap(step => step.with?.path?.match(/^network\b/)?.[0] ?? []);
  for (const { paths } of Object.values(on).flatMap(event => event ?? [])) {
    if (paths === undefined) continue;
    expect(paths).toContain('**/meshform.yaml');
    for (const folder of folders) expect(paths).toContain(`${folder}/**`);
  }
});

test.each(readdirSync(FOLDER))(
  'the workflow %s sets permissions per job, and its scripts are fixed text',
  name => {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    const { permissions, jobs } = parse(text) as {
      readonly permissions: unknown;
      readonly jobs: Readonly<
        Record<string, { readonly steps: readonly { run?: string; uses?: string }[] }>
      >;
    };
    expect(permissions).toEqual({});
    for (const { run = '', uses } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      expect(run).not.toContain('${{');
      // Other users of a machine can read the arguments of a program. That of printf is none: it is a part of the shell.
      expect(run).not.toMatch(/\b(?:curl|jq|git|base64)\b[^|\n]*\$\{?\w*TOKEN/);
      if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    }
  },
);
