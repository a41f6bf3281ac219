// Bad inputs of templates, sets, layers and ends: each is one fault, at one place, with what to do next.

/** A bad input: the texts of its layers in their order, and what is said of it. */
export interface BadRow {
  readonly title: string;
  readonly layers: readonly string[];
  readonly code: string;
  /** The layer, the line and the column, such as `0:3:14`. */
  readonly at: string;
  readonly help: string;
}

const row = (title: string, text: string, code: string, at: string, help: string): BadRow => ({
  title,
  layers: [text],
  code,
  at: `0:${at}`,
  help,
});

const layered = (
  title: string,
  [base, over]: readonly [string, string],
  code: string,
  at: string,
  help: string,
): BadRow => ({ title, layers: [base, over], code, at, help });

const GROUPS = 'groups: [{ name: staff }, { name: servers }]\n';
const RULE =
  '{ name: web, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }';
const each = (name: string, more = ''): string =>
  `sets: { offices: { hamburg: { port: 80, list: [a], none: null }, bremen: { port: 81 } } }\ngroups:\n  - { name: "${name}", for_each: offices${more} }\n`;
const policy = (rules: string): string =>
  `${GROUPS}sets: { offices: { hamburg: { port: 80, on: yes please, name: web, list: [a] } } }\npolicies:\n  - name: \${each.key}\n    for_each: offices\n    rules: [${rules}]\n`;
const rule = (more: string): string =>
  `{ name: web, sources: [staff], destinations: [servers], protocol: tcp, ${more} }`;
const numbered = (count: number, textOf: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => textOf(n)).join('');
const many = (count: number): string =>
  `sets: { all: [${Array.from({ length: count }, (_, n) => `n${n}`).join(', ')}] }\n`;

const CYCLES: readonly BadRow[] = [
  row(
    'a template that extends itself',
    'templates:\n  - { name: a, extends: a }\ngroups: [{ name: x, extends: a }]\n',
    'TEMPLATE_CYCLE',
    '2:25',
    'extends',
  ),
  row(
    'two templates that extend each other',
    'templates:\n  - { name: a, extends: b }\n  - { name: b, extends: a }\ngroups: [{ name: x, extends: b }]\n',
    'TEMPLATE_CYCLE',
    '2:25',
    'extends',
  ),
  row(
    'a cycle of four through lists',
    `templates:\n${['ab', 'bc', 'cd', 'da'].map(([one, other]) => `  - { name: ${one}, extends: [${other}] }`).join('\n')}\ngroups: [{ name: x, extends: c }]\n`,
    'TEMPLATE_CYCLE',
    '3:26',
    'extends',
  ),
  row(
    'a cycle of templates that nothing uses',
    `${GROUPS}templates:\n  - { name: a, extends: b }\n  - { name: b, extends: a }\n`,
    'TEMPLATE_CYCLE',
    '3:25',
    'extends',
  ),
];

const NAMES: readonly BadRow[] = [
  row(
    'a template that is not there',
    'groups: [{ name: x, extends: nowhere }]\n',
    'TEMPLATE_UNKNOWN',
    '1:30',
    'templates',
  ),
  row(
    'a misspelt template',
    'templates: [{ name: office }]\ngroups: [{ name: x, extends: ofice }]\n',
    'TEMPLATE_UNKNOWN',
    '2:30',
    'did you mean `office`',
  ),
  row(
    'a template named like a method of objects',
    'groups: [{ name: x, extends: constructor }]\n',
    'TEMPLATE_UNKNOWN',
    '1:30',
    'templates',
  ),
  row(
    'a template named __proto__ that is not there',
    'groups: [{ name: x, extends: __proto__ }]\n',
    'TEMPLATE_UNKNOWN',
    '1:30',
    'templates',
  ),
  row(
    'two templates of one name',
    'templates: [{ name: a }, { name: a }]\ngroups: [{ name: x, extends: a }]\n',
    'OBJECT_DUPLICATE',
    '1:34',
    'the first is at',
  ),
  layered(
    'two templates of one name in two layers',
    [
      'templates: [{ name: a }]\ngroups: [{ name: x, extends: a }]\n',
      'templates: [{ name: a }]\ngroups: [{ name: y }]\n',
    ],
    'OBJECT_DUPLICATE',
    '1:1:21',
    'the first is at',
  ),
  row(
    'a set that is not there',
    'groups: [{ name: "${each.key}", for_each: nowhere }]\n',
    'FOR_EACH_UNKNOWN',
    '1:43',
    'name of a set',
  ),
  row(
    'a set named __proto__',
    'groups: [{ name: "${each.key}", for_each: __proto__ }]\n',
    'FOR_EACH_UNKNOWN',
    '1:43',
    'name of a set',
  ),
  row(
    'an identity field in a template',
    'templates: [{ name: r, network_id: same, masquerade: true }]\ngroups: [{ name: g }]\nroutes: [{ extends: r, network: 10.1.0.0/16, peer: gw, groups: [g] }]\n',
    'TEMPLATE_FIELD',
    '1:24',
    'object itself',
  ),
  row(
    'an until in a template',
    'templates: [{ name: t, lifecycle: { until: 2036-12-01 } }]\ngroups: [{ name: x, extends: t }]\n',
    'TEMPLATE_FIELD',
    '1:37',
    'object itself',
  ),
  row(
    'an id in a template',
    'templates: [{ name: t, lifecycle: { id: abc } }]\ngroups: [{ name: x, extends: t }]\n',
    'TEMPLATE_FIELD',
    '1:37',
    'object itself',
  ),
  row(
    'a was in a template of a template',
    'templates: [{ name: t, lifecycle: { was: old } }, { name: u, extends: t }]\ngroups: [{ name: x, extends: u }]\n',
    'TEMPLATE_FIELD',
    '1:37',
    'object itself',
  ),
  row('one name after expansion', each('the same'), 'OBJECT_DUPLICATE', '3:13', 'the first is at'),
  row(
    'one name from two declarations',
    `${each('${each.key}')}  - { name: hamburg }\n`,
    'OBJECT_DUPLICATE',
    '4:13',
    'the first is at',
  ),
  row(
    'one name from two sets',
    'groups:\n  - { name: "${each.key}", for_each: [a, b] }\n  - { name: "${each.key}", for_each: [b, c] }\n',
    'OBJECT_DUPLICATE',
    '3:39',
    'the first is at',
  ),
  row(
    'one name that differs in the file only',
    'groups: [{ name: "${each.value}", for_each: { a: x, b: x } }]\n',
    'OBJECT_DUPLICATE',
    '1:56',
    'the first is at',
  ),
  row(
    'one key after it is filled in',
    `${GROUPS}policies:\n  - name: \${each.key}\n    for_each: [root]\n    rules: [{ name: r, sources: [staff], destinations: [servers], protocol: netbird-ssh, authorized_groups: { staff: [a], "\${each.value}": [b], root: [c] } }]\n`,
    'SOURCE_DUPLICATE_KEY',
    '5:145',
    'differ',
  ),
];

const TYPES: readonly BadRow[] = [
  row(
    'a number as ports',
    policy(rule('ports: "${each.value.port}"')),
    'SCHEMA_TYPE',
    '2:37',
    'brackets',
  ),
  row(
    'a text as a flag',
    policy(rule('ports: ["443"], bidirectional: "${each.value.on}"')),
    'SCHEMA_TYPE',
    '2:45',
    'value of that type',
  ),
  row(
    'a number in a list of texts',
    policy(rule('ports: ["${each.value.port}"]')),
    'SCHEMA_TYPE',
    '2:37',
    'quotes',
  ),
  row(
    'a list in a text',
    policy(rule('ports: ["443"], description: "for ${each.value.list}"')),
    'FOR_EACH_INVALID',
    '6:113',
    'to get the whole value',
  ),
  row(
    'a mapping as a name',
    'groups: [{ name: "${each.value}", for_each: { a: { b: 1 } } }]\n',
    'SCHEMA_TYPE',
    '1:50',
    'value of that type',
  ),
  row(
    'a number as a name',
    each('${each.value.port}').replace(', bremen: { port: 81 }', ''),
    'SCHEMA_TYPE',
    '1:37',
    'quotes',
  ),
  row(
    'a text as a list of rules',
    policy('"${each.value.name}"'),
    'SCHEMA_TYPE',
    '2:63',
    'its keys',
  ),
  row(
    'a default of the wrong type',
    policy(rule('ports: "${each.value.ports:-443}"')),
    'SCHEMA_TYPE',
    '6:91',
    'brackets',
  ),
  row(
    'rules from a template as a mapping',
    `${GROUPS}templates: [{ name: t, rules: { web: 1 } }]\npolicies: [{ name: p, extends: t }]\n`,
    'SCHEMA_TYPE',
    '2:31',
    'dash',
  ),
  row(
    'an extends that is a number',
    'groups: [{ name: x, extends: 7 }]\n',
    'SCHEMA_TYPE',
    '1:30',
    'name of a template',
  ),
  row(
    'an extends that is a mapping',
    'groups: [{ name: x, extends: { name: t } }]\n',
    'SCHEMA_TYPE',
    '1:30',
    'name of a template',
  ),
  row(
    'a for_each that is a number',
    'groups: [{ name: "${each.key}", for_each: 3 }]\n',
    'FOR_EACH_INVALID',
    '1:43',
    'a list of texts',
  ),
  row(
    'a for_each over numbers',
    'groups: [{ name: "${each.key}", for_each: [1, a] }]\n',
    'FOR_EACH_INVALID',
    '1:44',
    'quotes',
  ),
  row(
    'a for_each over itself',
    'groups: [{ name: "${each.key}", for_each: "${each.value}" }]\n',
    'FOR_EACH_UNKNOWN',
    '1:43',
    '`for_each`',
  ),
  row('sets that are a list', `${GROUPS}sets: [a, b]\n`, 'SCHEMA_TYPE', '2:7', 'NAME'),
  row(
    'a set that is a text',
    `${GROUPS}sets: { offices: hamburg }\n`,
    'FOR_EACH_INVALID',
    '2:18',
    'list of texts',
  ),
  row(
    'templates that are a mapping',
    `${GROUPS}templates: { office: { description: x } }\n`,
    'SCHEMA_TYPE',
    '2:12',
    'name',
  ),
];

const NULLS: readonly BadRow[] = [
  row(
    'an extends without a value',
    'groups:\n  - name: x\n    extends:\n',
    'SCHEMA_TYPE',
    '3:5',
    'remove the key',
  ),
  row(
    'a null among templates to extend',
    'templates: [{ name: t }]\ngroups: [{ name: x, extends: [t, null] }]\n',
    'SCHEMA_TYPE',
    '2:34',
    'name of a template',
  ),
  row(
    'a for_each without a value',
    'groups: [{ name: "${each.key}", for_each: null }]\n',
    'FOR_EACH_INVALID',
    '1:43',
    'a list of texts',
  ),
  row(
    'an entry without a value',
    'sets: { offices: { a: } }\ngroups: [{ name: "${each.key}", for_each: offices }]\n',
    'FOR_EACH_INVALID',
    '1:20',
    'a: {}',
  ),
  row(
    'a name that a template removes',
    'templates: [{ name: t, name2: null }]\ngroups: [{ extends: t }]\n',
    'SCHEMA_MISSING_FIELD',
    '2:10',
    'name',
  ),
  row(
    'a null where nothing is to be removed',
    'groups: [{ name: x, peers: null }]\n',
    'SCHEMA_TYPE',
    '1:28',
    'remove',
  ),
  row(
    'a null that an entry fills in',
    each('${each.value.none}').replace(', bremen: { port: 81 }', ''),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'give a default',
  ),
  row(
    'a required field that an object removes',
    `${GROUPS}templates: [{ name: t, rules: [${RULE}] }]\npolicies: [{ name: p, extends: t, rules: null }]\n`,
    'SCHEMA_MISSING_FIELD',
    '3:12',
    'rules',
  ),
  row(
    'a template without a name',
    'templates: [{ name: null }]\ngroups: [{ name: x }]\n',
    'OBJECT_NAMELESS',
    '1:21',
    'extends',
  ),
  row(
    'a set without a value',
    `${GROUPS}sets: { offices: null }\n`,
    'FOR_EACH_INVALID',
    '2:18',
    'list of texts',
  ),
  row(
    'an as without a value',
    each('${each.key}', ', as: null'),
    'FOR_EACH_INVALID',
    '3:51',
    'letters',
  ),
];

const REFERENCES: readonly BadRow[] = [
  row(
    'a reference outside of a for_each',
    'groups: [{ name: "${each.key}" }]\n',
    'FOR_EACH_UNKNOWN',
    '1:18',
    '$${each.key}',
  ),
  row(
    'a reference to what as names elsewhere, outside of a for_each',
    'sets: { o: { a: {} } }\nnetworks: [{ name: "${office.key}", for_each: o, as: office }]\ngroups: [{ name: "x ${office.key}" }]\n',
    'FOR_EACH_UNKNOWN',
    '3:18',
    'add `for_each` and `as: office` to the object; for the text itself, write `$${office.key}`',
  ),
  row(
    'what looks like a reference, in files without any for_each',
    'groups: [{ name: "${site.value.name}" }]\n',
    'FOR_EACH_UNKNOWN',
    '1:18',
    '$${site.value.name}',
  ),
  row(
    'what looks like a reference and does not end, in files without any for_each',
    'groups: [{ name: "${site.key" }]\n',
    'FOR_EACH_INVALID',
    '1:18',
    '$${site',
  ),
  row(
    'a key that looks like a reference, outside of a for_each',
    `${GROUPS}policies:\n  - name: p\n    "\${office.key}": x\n    rules: [${RULE}]\n`,
    'FOR_EACH_UNKNOWN',
    '4:5',
    '$${office.key}',
  ),
  row(
    'a name that no for_each around it has',
    each('${site.key}', ', as: office'),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'write `${office.key}`: `as` gives an entry its name; for the text itself, write `$${site.key}`',
  ),
  row(
    'a part that no entry has',
    each('${each.value.prot}'),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'did you mean `port`',
  ),
  row(
    'a part named __proto__',
    each('${each.value.__proto__}'),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'default',
  ),
  row(
    'a part that every object of the language has',
    each('${each.value.toString}'),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'default',
  ),
  row(
    'a part of a list by its length',
    each('${each.value.list.length}').replace(', bremen: { port: 81 }', ''),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'did you mean `list`',
  ),
  row(
    'each, where as gives another name',
    each('${each.key}', ', as: office'),
    'FOR_EACH_UNKNOWN',
    '3:13',
    'office',
  ),
  row(
    'an as that is a source of values',
    each('${var.key}', ', as: var'),
    'FOR_EACH_INVALID',
    '3:50',
    'var',
  ),
  row(
    'an as without a for_each',
    'groups: [{ name: x, as: office }]\n',
    'SCHEMA_UNKNOWN_FIELD',
    '1:21',
    'allowed here',
  ),
  row(
    'a reference inside of one to a secret',
    'sets: { s: { a: {} } }\nsetup_keys: []\nidentity_providers: [{ name: "${each.key}", for_each: s, type: google, client_id: c, client_secret: "${env:KEY_${each.key}}" }]\n',
    'FOR_EACH_INVALID',
    '3:101',
    'whole reference',
  ),
  row(
    'a reference to a secret that is put together from two parts of an entry',
    'sets: { s: { a: { d: "$", b: "{env:KEY}" } } }\nsetup_keys: []\nidentity_providers: [{ name: "${each.key}", for_each: s, type: google, client_id: c, client_secret: "${each.value.d}${each.value.b}" }]\n',
    'FOR_EACH_INVALID',
    '3:101',
    'whole reference',
  ),
  row(
    'a reference to a secret that begins in an entry and ends in the text',
    'sets: { s: { a: { d: "${env" } } }\nsetup_keys: []\nidentity_providers: [{ name: "${each.key}", for_each: s, type: google, client_id: c, client_secret: "${each.value.d}:KEY}" }]\n',
    'FOR_EACH_INVALID',
    '3:101',
    'whole reference',
  ),
  row(
    'a reference to a secret that ends in an entry',
    'sets: { s: { a: { d: "nv:KEY}" } } }\nsetup_keys: []\nidentity_providers: [{ name: "${each.key}", for_each: s, type: google, client_id: c, client_secret: "$${each.key}${e${each.value.d}" }]\n',
    'FOR_EACH_INVALID',
    '3:101',
    'whole reference',
  ),
  row(
    'two unnamed for_each inside each other',
    `${GROUPS}networks:\n  - name: \${each.key}\n    for_each: [a]\n    resources: [{ for_each: [b], name: "\${each.key}", address: 10.0.0.1, groups: [staff] }]\n`,
    'FOR_EACH_INVALID',
    '5:19',
    'as: office',
  ),
  row(
    'a reference that does not end',
    each('${each.key'),
    'FOR_EACH_INVALID',
    '3:13',
    '`${each.key}`; for the text itself, write `$${each`',
  ),
  row(
    'a reference that does not end, outside of a for_each',
    'groups: [{ name: "${each.key" }]\n',
    'FOR_EACH_INVALID',
    '1:18',
    '$${each',
  ),
  row(
    'a reference that does not end before another',
    each('${each.value.port of ${each.key}'),
    'FOR_EACH_INVALID',
    '3:13',
    '${each.key}',
  ),
  row(
    'a reference with a colon',
    each('${each:key}'),
    'FOR_EACH_UNKNOWN',
    '3:13',
    '`${each.key}`, `${each.value}`',
  ),
  row(
    'a reference to what as names that does not end',
    each('${office.key', ', as: office'),
    'FOR_EACH_INVALID',
    '3:13',
    '`${office.key}`',
  ),
  row(
    'a reference to a misspelt name that does not end',
    each('${offic.key', ', as: office'),
    'FOR_EACH_INVALID',
    '3:13',
    '`${office.key}`',
  ),
  row(
    'a variable that does not end',
    'groups: [{ name: "${var:NAME" }]\n',
    'INPUT_UNDEFINED',
    '1:18',
    '`${var:NAME}`; for the text itself, write `$${var:`',
  ),
  row(
    'a secret that does not end',
    `identity_providers: [{ name: g, type: google, client_id: c, client_secret: "\${env:KEY" }]\n`,
    'INPUT_UNDEFINED',
    '1:76',
    '`${env:NAME}`',
  ),
  row(
    'a key that does not end',
    `${GROUPS}policies:\n  - name: p\n    "\${each.key": x\n    rules: [${RULE}]\n`,
    'FOR_EACH_INVALID',
    '4:5',
    '$${each',
  ),
  row(
    'a for_each over a reference that does not end',
    `${GROUPS}networks:\n  - name: \${office.key}\n    for_each: { a: { list: [b] } }\n    as: office\n    resources: [{ for_each: "\${office.value.list", name: "\${each.key}", address: 10.0.0.1, groups: [staff] }]\n`,
    'FOR_EACH_INVALID',
    '6:29',
    '`${office.key}`',
  ),
  row(
    'an entry with a reference that does not end',
    'sets: { s: { a: { x: "${each.key" } } }\ngroups: [{ name: "${each.value.x}", for_each: s }]\n',
    'FOR_EACH_INVALID',
    '1:22',
    '$${each',
  ),
  row(
    'a default with a brace',
    each('${each.value.prot:-{}}'),
    'FOR_EACH_INVALID',
    '3:13',
    '${each.key}',
  ),
  row(
    'a for_each of what is there once',
    'dns: { settings: { for_each: [a], disabled_management_groups: [] } }\n',
    'FOR_EACH_INVALID',
    '1:20',
    'only one',
  ),
];

const HOSTILE: readonly BadRow[] = [
  row(
    '__proto__ as a field of a template',
    'templates: [{ name: t, __proto__: { peers: [x] } }]\ngroups: [{ name: x, extends: t }]\n',
    'SCHEMA_UNKNOWN_FIELD',
    '1:24',
    'allowed here',
  ),
  row(
    '__proto__ as a field of an object',
    'groups: [{ name: x, __proto__: { peers: [y] } }]\n',
    'SCHEMA_UNKNOWN_FIELD',
    '1:21',
    'allowed here',
  ),
  row(
    'constructor as a field of a lifecycle',
    'templates: [{ name: t, lifecycle: { constructor: x } }]\ngroups: [{ name: x, extends: t }]\n',
    'SCHEMA_UNKNOWN_FIELD',
    '1:37',
    'allowed here',
  ),
  row(
    'a key that an entry makes __proto__',
    `${GROUPS}policies:\n  - name: \${each.key}\n    for_each: [__proto__]\n    "\${each.key}": x\n    rules: [${RULE}]\n`,
    'SCHEMA_UNKNOWN_FIELD',
    '5:5',
    'allowed here',
  ),
  row(
    '10,001 objects of one declaration',
    `${many(10_001)}groups: [{ name: "\${each.key}", for_each: all }]\n`,
    'EXPANSION_LIMIT',
    '2:33',
    'divide the entries',
  ),
  row(
    'a list that is empty because of its set',
    `${GROUPS}policies: [{ name: p, rules: [{ name: a, for_each: nope, sources: [staff], destinations: [staff], protocol: all }] }]\n`,
    'FOR_EACH_UNKNOWN',
    '2:52',
    'write the name of a set',
  ),
  row(
    'a chain of 1,500 templates',
    `templates:\n${numbered(1500, n => `  - { name: t${n}, extends: t${n + 1} }\n`)}  - { name: t1500 }\n${GROUPS}networks: [{ name: n, extends: t0 }]\n`,
    'EXPANSION_LIMIT',
    '102:28',
    'fewer templates',
  ),
  row(
    'a bomb of references in one text',
    `sets: { s: { ${numbered(1000, n => `k${n}: { v: ${'x'.repeat(100)} }, `)} } }\ngroups: [{ name: "\${each.key} ${'${each.value.v}'.repeat(1000)}", for_each: s }]\n`,
    'EXPANSION_LIMIT',
    '2:18',
    'shorter texts',
  ),
  row(
    'a list that names a large template many times',
    `${GROUPS}templates: [{ name: t, checks: { ${numbered(1000, n => `k${n}: 1, `)} } }]\nposture_checks: [{ name: p, extends: [${'t, '.repeat(20_000)}] }]\n`,
    'EXPANSION_LIMIT',
    '3:38',
    'name each template once',
  ),
  row(
    'a bomb of templates',
    `${GROUPS}templates:
  - { name: t, rules: [${Array.from({ length: 40 }, (_, n) => `{ name: r${n}, sources: [${Array.from({ length: 900 }, () => 'g').join(', ')}], destinations: [g], protocol: all }`).join(', ')}] }
policies:
${numbered(
  80,
  n => `  - { name: p${n}, extends: t }
`,
)}`,
    'EXPANSION_LIMIT',
    '60:27',
    'smaller templates',
  ),
];

const LAYERS: readonly BadRow[] = [
  layered(
    "an access test of the name of another layer's",
    [
      `${GROUPS}access_tests: [{ name: t, from: group/staff, deny: ["group/servers"] }]\n`,
      'groups: [{ name: more }]\naccess_tests: [{ name: t, from: group/staff, deny: ["group/more"] }]\n',
    ],
    'ACCESS_TEST_INVALID',
    '1:2:16',
    'another name',
  ),
  layered(
    'an override of nothing',
    ['groups: [{ name: a }]\n', 'groups: [{ name: b, lifecycle: { override: true } }]\n'],
    'OVERRIDE_NOTHING',
    '1:1:44',
    'remove',
  ),
  layered(
    'an omit of nothing',
    ['groups: [{ name: a }]\n', 'groups: [{ name: b, lifecycle: { omit: true } }]\n'],
    'OVERRIDE_NOTHING',
    '1:1:40',
    'remove',
  ),
  row(
    'an override in the only layer',
    'groups: [{ name: b, lifecycle: { override: true } }]\n',
    'OVERRIDE_NOTHING',
    '1:44',
    'remove',
  ),
  layered(
    'an override of a misspelt name',
    ['groups: [{ name: staff }]\n', 'groups: [{ name: stuff, lifecycle: { override: true } }]\n'],
    'OVERRIDE_NOTHING',
    '1:1:48',
    'check its name',
  ),
  layered(
    'an item of nothing',
    [
      `${GROUPS}policies: [{ name: p, rules: [${RULE}] }]\n`,
      'policies: [{ name: p, lifecycle: { override: true }, rules: [{ name: wbe, omit: true }] }]\n',
    ],
    'OVERRIDE_NOTHING',
    '1:1:81',
    'remove',
  ),
  layered(
    'one object in two layers',
    ['networks: [{ name: n, description: a }]\n', 'networks: [{ name: n, description: b }]\n'],
    'OBJECT_DUPLICATE',
    '1:1:12',
    'override',
  ),
  layered(
    'an override and an omit',
    [
      'groups: [{ name: a }]\n',
      'groups: [{ name: a, lifecycle: { override: true, omit: true } }]\n',
    ],
    'SCHEMA_COMBINATION',
    '1:1:56',
    'keep one',
  ),
  layered(
    'an override that removes a required field',
    [
      `${GROUPS}policies: [{ name: p, rules: [${RULE}] }]\n`,
      'policies: [{ name: p, lifecycle: { override: true }, rules: null }]\n',
    ],
    'SCHEMA_MISSING_FIELD',
    '1:1:12',
    'rules',
  ),
  layered(
    'an omit of what is protected',
    [
      'groups: [{ name: a, lifecycle: { protect: true } }]\n',
      'groups: [{ name: a, lifecycle: { omit: true } }]\n',
    ],
    'LAYER_LOOSENS',
    '1:1:10',
    'loosen another',
  ),
  layered(
    'an override that takes protection away',
    [
      'groups: [{ name: a, lifecycle: { protect: true } }]\n',
      'groups: [{ name: a, lifecycle: { override: true, protect: false } }]\n',
    ],
    'LAYER_LOOSENS',
    '1:1:10',
    'loosen another',
  ),
  layered(
    'an override that is a text',
    ['groups: [{ name: a }]\n', 'groups: [{ name: a, lifecycle: { override: "true" } }]\n'],
    'SCHEMA_TYPE',
    '1:1:44',
    'true',
  ),
  layered(
    'an override that hides a name in __proto__',
    [
      'groups: [{ name: a }]\n',
      'groups: [{ name: a, lifecycle: { override: true, __proto__: {} } }]\n',
    ],
    'SCHEMA_UNKNOWN_FIELD',
    '1:1:50',
    'allowed here',
  ),
];

/** All rows. */
export const BAD_ROWS: readonly BadRow[] = [
  ...CYCLES,
  ...NAMES,
  ...TYPES,
  ...NULLS,
  ...REFERENCES,
  ...HOSTILE,
  ...LAYERS,
];
