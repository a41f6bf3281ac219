// The project file: what it may say, and that a faulty one says nothing.
import { expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { PROJECT_FILE, readProject } from '../../src/source/project.ts';
import { KINDS } from '../support/files.ts';

const read = (text: string) =>
  readProject({ file: PROJECT_FILE, text }, shippedSchema('project.schema.json'), KINDS);

test('says what holds for a folder', () => {
  const text = `
url: https://api.example.com
dialect: netbird
inputs: [TEAM, team.txt]
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
      dialect: 'netbird',
      inputs: ['TEAM', 'team.txt'],
      exclude: ['charts/**'],
      allow: ['DELETES_OBJECT', 'GAP=group/engineers'],
      protect: ['group/engineers', 'policy/id:p1'],
      thresholds: { default: { share: 0.3 }, 'networks.resources': { deletes: 5, share: 0 } },
    },
    diagnostics: [],
  });
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
