// The project file: what it may say, and that a faulty one says nothing.
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { PROJECT_FILE, readProject } from '../../src/source/project/project.ts';
import { KINDS } from '../support/files.ts';

const read = (text: string) =>
  readProject({ file: PROJECT_FILE, text }, shippedSchema('project.schema.json'), KINDS);

test('the project file has the settings of a folder', () => {
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
    places: new Map(
      [
        ['protect group/engineers', 6, 11],
        ['protect policy/id:p1', 6, 28],
        ['allow DELETES_OBJECT', 5, 9],
        ['allow GAP=group/engineers', 5, 25],
        ['thresholds default', 8, 3],
        ['thresholds networks.resources', 9, 3],
      ].map(([name, line, column]) => [name, { file: PROJECT_FILE, line, column }]),
    ),
    diagnostics: [],
  });
});

test('each acknowledgement has its place', () => {
  const entry = { object: 'group/a.peers', reason: 'known', until: '2026-12-31' };
  const { project } = read(
    'acknowledge:\n  - { object: group/a.peers, reason: known, until: 2026-12-31 }\n',
  );
  expect(project.acknowledge).toEqual([
    { ...entry, at: { file: PROJECT_FILE, line: 2, column: 5 } },
  ]);
});

describe('an object is named', () => {
  test.each([
    ['group/engineers', 'group/engineers'],
    ['group.engineers', 'group/engineers'],
    ['group["engineers"]', 'group/engineers'],
    ['groups/engineers', 'group/engineers'],
    ['group/a\\/b', 'group/a/b'],
    ['group/a/b', 'group/a/b'],
    ['group["a/b"]', 'group/a/b'],
    ['group["a.b"]', 'group/a.b'],
    ['policy/id:p1', 'policy/id:p1'],
    ['network_resource.office/wiki', 'network_resource/office/wiki'],
    ['network_resource/a\\/b/wiki', 'network_resource/a\\/b/wiki'],
    ['network_resource["a\\\\/b/wiki"]', 'network_resource/a\\/b/wiki'],
    ['networks.resources/office/wiki', 'network_resource/office/wiki'],
  ])('an object is named as %s in protect, allow and acknowledge', (written, name) => {
    const object = JSON.stringify(written);
    const entry = `{ object: ${object}, reason: known, until: 2026-12-31 }`;
    const allow = JSON.stringify(`DELETES_OBJECT=${written}`);
    const text = `protect: [${object}]\nallow: [${allow}]\nacknowledge: [${entry}]\n`;
    expect(read(text)).toMatchObject({
      project: {
        protect: [name],
        allow: [`DELETES_OBJECT=${name}`],
        acknowledge: [{ object: name }],
      },
      diagnostics: [],
    });
  });

  test.each([
    ['group/a.peers', 'group/a.peers'],
    ['group.a.peers', 'group/a.peers'],
    ['group["a"].peers', 'group/a.peers'],
    ['group["a/b"].peers', 'group/a/b.peers'],
    ['group/a\\/b.peers', 'group/a/b.peers'],
    ['policy["a \\"b\\"].c"].rules["ssh"].ports', 'policy/a "b"].c.rules["ssh"].ports'],
  ])('an object is named with a field as %s in acknowledge', (written, object) => {
    const entry = `{ object: ${JSON.stringify(written)}, reason: known, until: 2026-12-31 }`;
    expect(read(`acknowledge: [${entry}]\n`).project.acknowledge).toMatchObject([{ object }]);
  });

  test('a hazard of access names its target, which stays as written', () => {
    const text = 'allow: ["WIDENS_ACCESS=group.a"]\n';
    expect(read(text).project.allow).toEqual(['WIDENS_ACCESS=group.a']);
  });

  test.each(['groop.a', 'groop["a"]', 'groop["a"].peers'])(
    'an object is not named by %s',
    object => {
      const { diagnostics } = read(`protect: [${JSON.stringify(object)}]\n`);
      expect(diagnostics).toMatchObject([
        { code: 'PROJECT_INVALID', hint: 'did you mean `group`?' },
      ]);
    },
  );
});

test.each(['', '# nothing yet\n', '---\n', '~\n'])('the project file may be empty: %j', text => {
  expect(read(text)).toEqual({ project: {}, places: new Map(), diagnostics: [] });
});

test.each([
  ['a list', '- a\n', 'SCHEMA_TYPE'],
  ['no YAML', 'url: "a\n', 'SOURCE_YAML'],
  ['a key twice', 'url: https://a\nurl: https://b\n', 'SOURCE_DUPLICATE_KEY'],
  ['an unknown key', 'urls: https://a\n', 'SCHEMA_UNKNOWN_FIELD'],
  ['a hazard that is none', 'allow: [deletes]\n', 'SCHEMA_FORMAT'],
  ['an unknown hazard', 'allow: [DELETES_OBJECTS]\n', 'PROJECT_INVALID'],
  ['protection for a name of no kind', 'protect: [engineers]\n', 'SCHEMA_FORMAT'],
  ['protection for an unknown kind', 'protect: [groop/engineers]\n', 'PROJECT_INVALID'],
  [
    'an acknowledgement without an end',
    'acknowledge: [{ object: group/a, reason: known }]\n',
    'SCHEMA_MISSING_FIELD',
  ],
  [
    'an acknowledgement of an unknown kind',
    'acknowledge: [{ object: groop/a, reason: known, until: 2026-12-31 }]\n',
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
])('the project file with %s is not used', (_, text, code) => {
  const { project, diagnostics } = read(text);
  expect(project).toEqual({});
  expect(diagnostics).toMatchObject([{ code, severity: 'error' }]);
});
