// The project file: what it may say, and that a faulty one says nothing.
import { expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { PROJECT_FILE, readProject } from '../../src/source/project/project.ts';
import { KINDS } from '../support/files.ts';

const read = (text: string) =>
  readProject({ file: PROJECT_FILE, text }, shippedSchema('project.schema.json'), KINDS);

test('says what holds for a folder', () => {
  const text = `
url: https://api.example.com
dialect: netbird
exclude: [charts/**]
allow: [DELETES_OBJECT, GAP=group/engineers]
protect: [group/engineers, policy/id:p1]
thresholds:
  default: { share: 0.3 }
  networks.resources: { deletes: 5, share: 0 }
`;
  expect(read(text)).toEqual({
    project: {
      url: 'https://api.example.com',
      urlAt: { file: PROJECT_FILE, line: 2, column: 6 },
      dialect: 'netbird',
      exclude: ['charts/**'],
      allow: ['DELETES_OBJECT', 'GAP=group/engineers'],
      protect: ['group/engineers', 'policy/id:p1'],
      thresholds: { default: { share: 0.3 }, 'networks.resources': { deletes: 5, share: 0 } },
    },
    diagnostics: [],
  });
});

test('knows where each acknowledgement stands', () => {
  const entry = { object: 'group/a.peers', reason: 'known', until: '2026-12-31' };
  const { project } = read(
    'acknowledge:\n  - { object: group/a.peers, reason: known, until: 2026-12-31 }\n',
  );
  expect(project.acknowledge).toEqual([
    { ...entry, at: { file: PROJECT_FILE, line: 2, column: 5 } },
  ]);
});

test.each(['', '# nothing yet\n', '---\n', '~\n'])('may say nothing: %j', text => {
  expect(read(text)).toEqual({ project: {}, diagnostics: [] });
});

test.each([
  ['a list', '- a\n', 'SCHEMA_TYPE'],
  ['no YAML', 'url: "a\n', 'SOURCE_YAML'],
  ['a key twice', 'url: https://a\nurl: https://b\n', 'SOURCE_DUPLICATE_KEY'],
  ['an unknown key', 'urls: https://a\n', 'SCHEMA_UNKNOWN_FIELD'],
  ['a hazard that is none', 'allow: [deletes]\n', 'SCHEMA_FORMAT'],
  ['an unknown hazard', 'allow: [DELETES_OBJECTS]\n', 'PROJECT_INVALID'],
  ['protection for a name of no kind', 'protect: [engineers]\n', 'SCHEMA_FORMAT'],
  ['protection for an unknown kind', 'protect: [groups/engineers]\n', 'PROJECT_INVALID'],
  [
    'an acknowledgement without an end',
    'acknowledge: [{ object: group/a, reason: known }]\n',
    'SCHEMA_MISSING_FIELD',
  ],
  [
    'an acknowledgement of an unknown kind',
    'acknowledge: [{ object: groups/a, reason: known, until: 2026-12-31 }]\n',
    'PROJECT_INVALID',
  ],
  [
    'a day that is none',
    'acknowledge: [{ object: group/a, reason: known, until: 2026-13-31 }]\n',
    'PROJECT_INVALID',
  ],
  [
    'a threshold for nothing',
    'thresholds: { network.resources: { deletes: 1 } }\n',
    'PROJECT_INVALID',
  ],
  ['two documents', 'url: https://a\n---\nurl: https://b\n', 'PROJECT_INVALID'],
])('with %s is not used', (_, text, code) => {
  const { project, diagnostics } = read(text);
  expect(project).toEqual({});
  expect(diagnostics).toMatchObject([{ code, severity: 'error' }]);
});
