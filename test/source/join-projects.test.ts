// Nested project files: an inner file adds guards and never removes those of the files above it.
import { expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { joinProjects } from '../../src/source/project/joinProjects.ts';
import { readProject } from '../../src/source/project/project.ts';
import { KINDS } from '../support/files.ts';

/** Joins project files, given from the nearest outwards. */
function join(...texts: readonly string[]) {
  const projects = texts.map((text, i) => {
    const file = `${'../'.repeat(i)}meshform.yaml`;
    return readProject({ file, text }, shippedSchema('project.schema.json'), KINDS).project;
  });
  return joinProjects(projects);
}

test('the guards of all files apply', () => {
  const { project, diagnostics } = join(
    'protect: [group/a, group/b]\nguarded: [group/x]\n',
    'dialect: spec\n',
    'protect: [group/b, group/c]\nguarded: [{ from: group/y, to: group/z }]\n',
  );
  expect(diagnostics).toEqual([]);
  expect(project).toMatchObject({
    protect: ['group/a', 'group/b', 'group/c'],
    guarded: [{ to: 'group/x' }, { from: 'group/y', to: 'group/z' }],
    dialect: 'spec',
  });
});

test.each([
  [
    'a looser number',
    'default: { deletes: 50 }',
    'default: { deletes: 5 }',
    { default: { deletes: 5 } },
  ],
  [
    'a stricter number',
    'default: { share: 0.1 }',
    'default: { share: 0.5 }',
    { default: { share: 0.1 } },
  ],
  [
    'another kind of limit',
    'default: { share: 0.9 }',
    'default: { deletes: 5 }',
    { default: { share: 0.9, deletes: 5 } },
  ],
  [
    'a kind that the outer file limits by its default',
    'groups: { deletes: 50 }',
    'default: { deletes: 5 }',
    { groups: { deletes: 5 }, default: { deletes: 5 } },
  ],
  [
    'a default that is looser than the limit of a kind',
    'default: { deletes: 50 }',
    'groups: { deletes: 1 }',
    { groups: { deletes: 1 }, default: { deletes: 50 } },
  ],
])('the stricter threshold counts: %s', (_, inner, outer, thresholds) => {
  const nested = join(`thresholds:\n  ${inner}\n`, `thresholds:\n  ${outer}\n`);
  expect(nested.project.thresholds).toEqual(thresholds);
});

test('the smaller limit of access and of the rate counts', () => {
  const { project } = join(
    'access_thresholds: { gained: 9, lost: 1 }\nrate: 60\n',
    'access_thresholds: { gained: 3 }\nrate: 600\n',
  );
  expect(project).toMatchObject({ access_thresholds: { gained: 3, lost: 1 }, rate: 60 });
});

test('settings that loosen a check come only from the nearest file', () => {
  const { project } = join('protect: [group/a]\n', 'allow: [GAP]\nexclude: [charts/**]\n');
  expect(project.allow).toBeUndefined();
  expect(project.exclude).toBeUndefined();
});

test('the account of an outer file applies if the inner file names none', () => {
  const { project, diagnostics } = join('rate: 60\n', 'account: ours\n');
  expect({ project, diagnostics }).toMatchObject({ project: { account: 'ours' }, diagnostics: [] });
});

test('different accounts are an error at the inner file', () => {
  const { diagnostics } = join('account: theirs\n', 'rate: 60\n', 'account: ours\n');
  expect(diagnostics).toMatchObject([
    {
      code: 'PROJECT_ACCOUNTS_DIFFER',
      severity: 'error',
      message: expect.stringContaining('`theirs`'),
      at: { file: 'meshform.yaml', line: 1 },
    },
  ]);
  expect(diagnostics[0]?.message).toContain('../../meshform.yaml');
});

test('an address of every file must be the address of the run', () => {
  const { project } = join('url: https://a.example.com\n', 'url: https://b.example.com\n');
  expect(project).toMatchObject({
    url: 'https://a.example.com',
    others: [{ url: 'https://b.example.com', urlAt: { file: '../meshform.yaml' } }],
  });
});
