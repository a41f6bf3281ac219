// The schedules that end what has ended: the job of the chart, and that of the GitLab component. `npm run test:packaging` renders
// them; this holds what their texts say.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

test('the chart has a job that is disabled by default, runs every 15 minutes, and has its own token', () => {
  const { expire } = parse(textOf('charts/meshform/values.yaml'));
  expect(expire).toMatchObject({
    enabled: false,
    schedule: '*/15 * * * *',
    tokenSecret: { name: '', key: 'token' },
  });
});

test('the expire template is empty without `enabled`, and runs `expire` with the path and without a shell', () => {
  const template = textOf('charts/meshform/templates/expire.yaml');
  expect(template).toMatch(/^\{\{- if \.Values\.expire\.enabled \}\}\n[\s\S]*\{\{- end \}\}\n$/);
  expect(template).toContain('list "expire" $path "--yes"');
  expect(template).toContain('include "meshform.cronJob"');
  expect(template).toContain('"job" .Values.expire');
  expect(template).not.toMatch(/command:|\bsh\b/);
});

interface Component {
  readonly spec?: { readonly inputs: Readonly<Record<string, { readonly default?: unknown }>> };
  readonly 'meshform-expire'?: {
    readonly rules: readonly { readonly if: string }[];
    readonly script: readonly unknown[];
    readonly resource_group: string;
  };
}

test('the component runs `expire` only if enabled, and only in a schedule of the default branch', () => {
  const text = textOf('templates/meshform.yml');
  const all = parseAllDocuments(text).map(one => one.toJS() as Component);
  const inputs = all.find(one => one.spec)?.spec?.inputs;
  const job = all.find(one => one['meshform-expire'])?.['meshform-expire'];
  expect(inputs?.expire?.default).toBe(false);
  expect(job?.rules).toHaveLength(1);
  for (const part of [
    '$CI_PIPELINE_SOURCE == "schedule"',
    '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
    '"$[[ inputs.expire ]]" == "true"',
  ])
    expect(job?.rules[0]?.if.split(' && ')).toContain(part);
  expect(String(job?.script.at(-1))).toContain('with_token "$MESHFORM_WRITER" expire');
  // One apply of an environment at a time.
  expect(job?.resource_group).toContain('inputs.environment');
});
