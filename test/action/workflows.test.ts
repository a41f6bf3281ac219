// The example workflows run whenever something changes that their plans read.
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
