import { GROUPS, type Said } from './said.ts';

const LAUGHS = `x-a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]
${[...'bcdefghi'].map((name, i) => `x-${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(', ')}]`).join('\n')}
groups: *i
`;

export const YAML: readonly Said[] = [
  ['a tab that indents', 'groups:\n\t- name: a\n', 'does not allow tabs', 'spaces'],
  ['a bracket that is not closed', 'groups: [{ name: a }\nx-b: 1\n', 'SOURCE_YAML', 'add'],
  ['a quote that is not closed', 'groups: [{ name: "a }]\n', 'SOURCE_YAML', 'comma'],
  ['a key written twice', 'groups: []\ngroups: []\n', 'SOURCE_DUPLICATE_KEY', 'one'],
  ['a field written twice', 'groups: [{ name: a, name: b }]\n', 'SOURCE_DUPLICATE_KEY', 'one'],
  ['an alias of nothing', 'groups: *nothing\n', 'SOURCE_YAML', '&name'],
  ['an alias in itself', 'groups: &a [{ name: *a }]\n', 'SOURCE_YAML', 'write it out'],
  ['aliases that multiply', LAUGHS, 'SOURCE_YAML', 'write the values out'],
  [
    'a merge of what is no mapping',
    'x-l: &l [1]\ngroups: [{ <<: *l, name: a }]\n',
    'SOURCE_YAML',
    'mapping',
  ],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${GROUPS}`, 'utf16le'), 'UTF-8', 'fix the file'],
  [
    'bytes that are not UTF-8',
    Buffer.from([0x67, 0xff, 0xfe, 0x3a, 0x0a]),
    'UTF-8',
    'fix the file',
  ],
  ['a NUL in a name', 'groups: [{ name: "a\0b" }]\n', 'SOURCE_YAML', 'remove it'],
  ['NUL bytes alone', Buffer.alloc(4096), 'NUL', 'remove it'],
  ['a list at the top', '- name: a\n', 'SOURCE_NO_KIND', 'groups'],
  ['one word', 'hello\n', 'SOURCE_NO_KIND', 'groups'],
  ['nothing but a comment', '# nothing\n', 'SOURCE_NO_KIND', 'exclude'],
  ['a second document that is a list', `${GROUPS}---\n- a\n`, 'SOURCE_NO_KIND', 'groups'],
  ['an alias across documents', 'x-a: &a { name: a }\n---\ngroups: [*a]\n', 'SOURCE_YAML', '&name'],
  ['a tag of a language', 'groups: !!python/object:os.system [a]\n', 'tag', '${var:NAME}'],
  ['a tag of one’s own', 'groups: [{ name: !env TOKEN }]\n', 'tag', '${var:NAME}'],
  ['binary in a name', 'groups: [{ name: !!binary aGVsbG8= }]\n', 'tag', '${var:NAME}'],
  ['another version of YAML', '%YAML 1.1\n---\ngroups: []\n', '1.1', '%YAML'],
  ['nesting without an end', `groups: ${'['.repeat(5_000)}`, 'SOURCE_YAML', 'depth'],
  [
    'mappings in mappings',
    `groups: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}\n`,
    'SOURCE_YAML',
    'depth',
  ],
  ['a merge conflict', `<<<<<<< HEAD\n${GROUPS}=======\n>>>>>>> other\n`, 'conflict', 'side'],
  ['a template that nobody filled in', 'groups: {{ .Values.groups }}\n', 'SOURCE_YAML', ''],
  ['JSON that ends in the middle', '{"groups": [{"name": "a"', 'SOURCE_YAML', ''],
  ['a text that begins with @', 'groups: [{ name: @a }]\n', 'cannot begin with', 'quotes'],
  ['an escape that is none', 'groups: [{ name: "\\q" }]\n', 'escape', 'single quotes'],
  ['a key that is a list', '? [a, b]\n: 1\n', 'SOURCE_NO_KIND', ''],
  ['a kind that is misspelt', 'gruops: []\n', 'SOURCE_NO_KIND', 'groups'],
];
