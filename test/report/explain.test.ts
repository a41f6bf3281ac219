// What kinds are said to be follows from their schemas: every field is reported, and every example would pass as a file.
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { shippedSchemaCheck } from '../../src/kinds/shippedChecks.ts';
import { present } from '../../src/model/errors.ts';
import { fileWords } from '../../src/report/explain/explainFiles.ts';
import { kindMarkdown, kindsMarkdown } from '../../src/report/explain/explainMarkdown.ts';
import { fieldsWithin } from '../../src/report/explain/explainWords.ts';
import { meshform } from '../support/cli.ts';
import { everything } from '../support/examples/everything.ts';
import { KINDS, load } from '../support/files.ts';

// Objects of a kind without verbs can only be referred to.
const kinds = [...KINDS.values()]
  .filter(({ verbs }) => verbs.size > 0)
  .map(kind => ({ name: kind.name, kind }));

/** What a lone example may lack: it points at others, and its secrets are elsewhere. */
const LACKS = ['REF_NOT_DECLARED', 'SECRET_UNDEFINED'];

describe.each(kinds)('$name in Markdown', ({ name, kind }) => {
  const page = kindMarkdown(kind, KINDS);

  test('has a row for each of its fields, including nested ones', () => {
    const fields = [...kind.shape.fields.values()].flatMap(field =>
      field.readOnly ? [field.name] : fieldsWithin(field).map(({ path }) => path),
    );
    const rows = page.split('\n').flatMap(line => line.match(/^\| `([^`]+)` \|/)?.[1] ?? []);
    expect(rows.sort()).toEqual(fields.sort());
  });

  test('has an example that is valid in a file', () => {
    const [, yaml] = present(page.match(/```yaml\n([\s\S]*?)```/) ?? undefined, 'an example');
    const { desired, diagnostics } = load(yaml ?? '', {
      env: () => undefined,
      file: () => undefined,
      vars: new Map(),
    });
    expect(diagnostics.filter(({ code }) => !LACKS.includes(code))).toEqual([]);
    expect(desired.map(one => one.kind)).toContain(name);
  });

  test('links to a file with an example', () => {
    const [, file] = present(page.match(/\]\(\.\.\/examples\/everything\/(.+)\)/) ?? undefined, '');
    const found = everything().desired.filter(one => one.kind === name);
    expect(found.map(({ at }) => at.file)).toContain(file);
  });
});

const FACTS: readonly [string, readonly string[], RegExp][] = [
  ['paths of a dialect', ['edr_provider_b'], /`\/api\/integrations\/edr\/intune` in netbird/],
  ['the product of a neutral name', ['edr_provider_a'], /In dialect netbird: SentinelOne\./],
  ['that there is one at most', ['edr_provider_b'], /nothing: an account has at most one/],
  ['a filter', ['service_user'], /those whose `is_service_user` is true/],
  ['what is shown once', ['setup_key'], /`key`, in the response to its creation/],
  ['when it ends', ['setup_key'], /at `expires`, or when `state` is expired or overused/],
  ['what makes it needless', ['user_invite'], /where a user has its `email`/],
  [
    'that it is forgotten',
    ['user'],
    /it is no longer managed; `lifecycle: \{ delete: true \}` deletes it/,
  ],
  ['that none is made', ['peer'], /updated, deleted; the server creates it/],
  ['what an update sends', ['scim_integration'], /sends only the declared fields/],
  ['what names it', ['network_router'], /\| named by \| `peer` or `peer_groups` \|/],
  ['what cannot be taken back', ['setup_key'], /`revoked` .*cannot be undone/],
  ['what is masked', ['event_stream'], /`config` .*shows masked is a secret/],
  ['what a field mirrors', ['peer'], /`groups` .*written as the other object's peers/],
  ['what is read back otherwise', ['token'], /`expires_in` .*the days between two times/],
];

test.each(FACTS)('Markdown describes %s', async (_, argv, expected) => {
  const { stdout, code } = await meshform(['explain', ...argv, '--format', 'markdown']);
  expect(code).toBe(0);
  expect(stdout).toMatch(expected);
});

describe('explain', () => {
  test('describes a field alike in both formats', async () => {
    const [text, markdown] = await Promise.all(
      ['text', 'markdown'].map(format => meshform(['explain', 'policy.rules', '--format', format])),
    );
    for (const ended of [text, markdown]) {
      expect(ended?.stdout).toContain('identified by name; order does not matter');
      expect(ended?.stdout).toContain('authorized_groups');
    }
  });

  test('lists kinds without an argument', async () => {
    const { stdout } = await meshform(['explain', '--format', 'markdown']);
    expect(stdout.split('\n').filter(line => line.startsWith('| `'))).toHaveLength(KINDS.size);
  });

  test('describes all kinds, in either format', async () => {
    const markdown = await meshform(['explain', '--all', '--format', 'markdown']);
    expect(markdown.stdout).toBe(kindsMarkdown(KINDS));
    const text = await meshform(['explain', '--all']);
    for (const { kind } of kinds) expect(text.stdout).toContain(`${kind.title} (${kind.name})\n`);
  });

  test('does not accept a name and --all together', async () => {
    const { code, stderr } = await meshform(['explain', 'group', '--all']);
    expect(code).toBe(64);
    expect(stderr).toContain('`--all` explains every kind, not `group` alone');
  });
});

describe('a keyword of the files', () => {
  const words = fileWords();

  test('is every key beside objects, every key that repeats or extends an object, and every project setting', () => {
    const known = words.map(({ name }) => name);
    for (const name of ['templates', 'sets', 'extends', 'for_each', 'as', 'layers', 'grants'])
      expect(known).toContain(name);
    expect(new Set(known).size).toBe(known.length);
    expect(words.filter(({ text }) => text === '')).toEqual([]);
  });

  test.each([
    ['templates', 0, 'extends  string or list'],
    ['sets', 0, 'hamburg:'],
    ['grants', 0, 'max: 8h'],
    ['grants.from', 0, 'The sources that grants may have'],
    ['layers', 0, '    - ../base'],
    ['until', 0, 'lifecycle.until'],
    ['override', 0, 'Merge this object into the object of an earlier layer'],
    ['templats', 64, 'did you mean `templates`?'],
    ['grants.form', 64, 'did you mean `from`?'],
    ['layers.x', 64, 'it is a value without fields: run `meshform explain layers`'],
  ])('%s', async (name, code, text) => {
    const ended = await meshform(['explain', name]);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([
      code,
      expect.stringContaining(text),
    ]);
  });

  test('has an example in Markdown too', async () => {
    const { stdout } = await meshform(['explain', 'grants', '--format', 'markdown']);
    expect(stdout).toContain('| `max` | string |');
    expect(stdout).toContain('```yaml\ngrants:\n  max: 8h\n');
  });

  test('has an example that its schema accepts', () => {
    const check = shippedSchemaCheck(shippedSchema('project.schema.json'));
    const settings = words.filter(({ place }) => place.includes('meshform.yaml'));
    for (const { example = '{}' } of settings) expect(check(parse(example))).toBe(true);
    const objects = { groups: [{ name: 'staff' }] };
    for (const { name, place, example = '{}' } of words)
      if (place.includes('top level'))
        expect(
          load(stringify({ ...objects, ...parse(example) }), {
            env: () => undefined,
            file: () => undefined,
            vars: new Map(),
          }).diagnostics.filter(({ severity }) => severity === 'error'),
          name,
        ).toEqual([]);
  });
});
