// `plan --suggest-renames`: after its patch, a rename that was made by `sed` is a rename, whatever the files look like.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { someOf } from '../../support/variations.ts';

const EXTENT: Extent = { slice: 6, full: 300 };

type Files = Readonly<Record<string, string>>;

interface Suggested {
  readonly patch: string;
  readonly said: string;
  /** The changes of the plan after the patch: `create group.a`. */
  readonly changes: readonly string[];
  readonly after: Files;
}

/** The patch for files that replace others which were applied, and the plan after `git apply`. */
async function suggestedFor(
  before: Files,
  after: Files,
  { dialect = 'netbird', from = '.' }: { dialect?: 'spec' | 'netbird'; from?: string } = {},
): Promise<Suggested> {
  const account = await startAccount({ dialect });
  try {
    return await inFolder(async folder => {
      git(folder, 'init', '-q');
      const env = environmentOf(account);
      const write = async (files: Files) => {
        for (const [file, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, file)), { recursive: true });
          await writeFile(join(folder, file), text);
        }
      };
      await write(before);
      const applied = await meshform(['apply', 'net', '--yes'], { cwd: folder, env });
      expect(applied.code, applied.stderr).toBe(0);
      await write(after);
      const cwd = join(folder, from);
      const path = from === '.' ? 'net' : '.';
      const run = (...flags: string[]) => meshform(['plan', path, ...flags], { cwd, env });
      const { code, stdout: patch, stderr: said } = await run('--suggest-renames');
      // A plan that is refused because of the renames has the patch too.
      expect([0, 3], said).toContain(code);
      if (patch !== '') {
        await writeFile(join(folder, 'renames.patch'), patch);
        git(cwd, 'apply', join(folder, 'renames.patch'));
      }
      const planned = await run('--format', 'json');
      expect(planned.code, planned.stderr).toBe(0);
      const { resource_changes: changes } = JSON.parse(planned.stdout) as {
        resource_changes: { address: string; change: { actions: string[] } }[];
      };
      const read = Object.keys(after).map(async file => [
        file,
        await readFile(join(folder, file), 'utf8'),
      ]);
      return {
        patch,
        said,
        changes: changes
          .map(({ address, change }) => `${change.actions.join('+')} ${address}`)
          .filter(text => !text.startsWith('no-op'))
          .sort(),
        after: Object.fromEntries(await Promise.all(read)) as Files,
      };
    });
  } finally {
    await account.close();
  }
}

const BLOCK = `groups:
  - name: laptops # people
  - name: servers
policies:
  - name: web
    rules:
      - { name: web, sources: [laptops], destinations: [servers], protocol: tcp, ports: ["443"] }
`;
const renamed = (text: string) => text.replaceAll('laptops', 'notebooks');

test.each(
  someOf(
    [
      ['block style', BLOCK, '  - name: notebooks # people\n    lifecycle: { was: laptops }\n'],
      [
        'flow style',
        BLOCK.replace('- name: laptops # people', '- { name: laptops, peers: [] }'),
        '  - { name: notebooks, lifecycle: { was: laptops }, peers: [] }\n',
      ],
      [
        'several objects on one line',
        `groups: [{ name: laptops }, { name: servers }]\n${BLOCK.slice(BLOCK.indexOf('policies'))}`,
        'groups: [{ name: notebooks, lifecycle: { was: laptops } }, { name: servers }]\n',
      ],
      ['CRLF', BLOCK.replaceAll('\n', '\r\n'), '# people\r\n    lifecycle: { was: laptops }\r\n'],
      ['a byte order mark', `\uFEFF${BLOCK}`, '\n    lifecycle: { was: laptops }\n'],
      [
        'no newline at the end',
        `${BLOCK.slice(BLOCK.indexOf('policies'))}groups:\n  - name: servers\n  - name: laptops`,
        '  - name: notebooks\n    lifecycle: { was: laptops }',
      ],
      [
        'a lifecycle of its own',
        BLOCK.replace(' # people', '\n    lifecycle: { protect: true }'),
        '    lifecycle: { was: laptops, protect: true }\n',
      ],
      [
        'a lifecycle of several lines',
        BLOCK.replace(' # people', '\n    lifecycle:\n      protect: true'),
        '    lifecycle:\n      was: laptops\n      protect: true\n',
      ],
    ],
    3,
  ),
)('the suggested patch applies to %s', async (_, text, expected) => {
  const file = 'net/a file.yaml';
  const { changes, after } = await suggestedFor({ [file]: text }, { [file]: renamed(text) });
  expect(changes).toEqual(['update group.notebooks']);
  expect(after[file]).toContain(expected);
});

test.each(someOf(['${each.key}', '${office.key}', '${var:A', '$${env:B}'], 2))(
  'a former name %j is read back from the patch unchanged',
  async name => {
    const quotedName = JSON.stringify(name.replaceAll('${', () => '$${'));
    const before = BLOCK.replaceAll('laptops', () => quotedName);
    const file = 'net/groups.yaml';
    const { changes } = await suggestedFor({ [file]: before }, { [file]: renamed(BLOCK) });
    expect(changes).toEqual(['update group.notebooks']);
  },
);

test('the paths of the patch are relative to the repository, also in a subfolder', {
  tags: 'variation',
}, async () => {
  const file = 'net/inner/groups.yaml';
  const before = { [file]: BLOCK };
  const { patch, changes } = await suggestedFor(
    before,
    { [file]: renamed(BLOCK) },
    { from: 'net' },
  );
  expect(patch).toContain(`--- a/${file}\n`);
  expect(changes).toEqual(['update group.notebooks']);
});

test('a child of a renamed parent needs no entry, unless it has a new name too', {
  tags: 'variation',
}, async () => {
  const text = `groups: [{ name: servers }, { name: gw }]
networks:
  - name: office
    resources:
      - { name: wiki, address: 10.0.0.5, groups: [servers] }
      - { name: files, address: 10.0.0.6, groups: [servers] }
    routers: [{ peer_groups: [gw], metric: 100, masquerade: true }]
`;
  const now = text.replace('office', 'hq').replace('files', 'share').replaceAll('gw', 'gates');
  const { after, changes } = await suggestedFor({ 'net/n.yaml': text }, { 'net/n.yaml': now });
  expect(after['net/n.yaml']).toContain('  - name: hq\n    lifecycle: { was: office }\n');
  expect(after['net/n.yaml']).toContain('{ name: wiki, address');
  expect(after['net/n.yaml']).toContain('{ name: share, lifecycle: { was: files }, address');
  expect(changes).toEqual([
    'update group.gates',
    'update network.hq',
    'update network_resource.hq/share',
  ]);
});

const rule = (sources: string, destinations: string, port: number) =>
  `      - { name: "${port}", sources: [${sources}], destinations: [${destinations}], protocol: tcp, ports: ["${port}"] }\n`;
const policy = (name: string, ...rules: string[]) =>
  `  - name: ${name}\n    rules:\n${rules.join('')}`;
const accountOf = (groups: readonly string[], ...policies: string[]) =>
  `groups:\n${groups.map(name => `  - { name: ${name} }\n`).join('')}policies:\n${policies.join('')}`;

test.each(
  someOf(
    [
      ['the side of a rule', accountOf(['aa', 'bb'], policy('ssh', rule('aa', 'bb', 22)))],
      [
        'the side of a rule of a policy that is renamed too',
        accountOf(['aa', 'bb'], policy('pp', rule('aa', 'bb', 22))),
      ],
      [
        'the rule of a policy',
        accountOf(['aa', 'bb', 'cc'], policy('web', rule('aa', 'cc', 80), rule('bb', 'cc', 443))),
      ],
      [
        'a neighbour of a neighbour',
        accountOf(
          ['aa', 'bb', 'cc', 'dd'],
          policy('one', rule('aa', 'bb', 22)),
          policy('two', rule('cc', 'dd', 22)),
          policy('end', rule('dd', 'All', 443)),
        ),
      ],
    ],
    2,
  ),
)('similar objects are distinguished by %s', async (_, text) => {
  const now = text.replace(/\b(aa|bb|cc|dd|pp)\b/g, 'new-$1');
  const { said, changes } = await suggestedFor({ 'net/n.yaml': text }, { 'net/n.yaml': now });
  const names = [...new Set(text.match(/\b(aa|bb|cc|dd|pp)\b/g))];
  for (const name of names) expect(said).toMatch(new RegExp(`new-${name} was \\w+\\.${name}\\n`));
  expect(changes.filter(change => !change.startsWith('update '))).toEqual([]);
});

test('ambiguous candidates are listed, and none is chosen', { tags: 'variation' }, async () => {
  const text = (one: string, other: string) => `groups:
  - { name: ${one} }
  - { name: ${other} }
  - { name: servers }
policies:
  - name: web
    rules: [{ name: web, sources: [${one}, ${other}], destinations: [servers], protocol: tcp, ports: ["443"] }]
`;
  const { patch, said } = await suggestedFor(
    { 'net/n.yaml': text('a', 'b') },
    { 'net/n.yaml': text('x', 'y') },
  );
  expect(patch).toBe('');
  expect(said).toContain('group.a, group.b and the new objects are alike');
  expect(said).toContain('group.x at net/n.yaml:2:5');
});

test('a name that `for_each` generates is listed with the entry to write', async () => {
  const text = (name: string) => `groups:
  - { name: "\${each.value}-people", for_each: [${name}] }
  - { name: servers }
policies:
  - name: web
    rules: [{ name: web, sources: [${name}-people], destinations: [servers], protocol: tcp, ports: ["443"] }]
`;
  const { patch, said } = await suggestedFor(
    { 'net/n.yaml': text('it') },
    { 'net/n.yaml': text('ops') },
  );
  expect(patch).toBe('');
  expect(said).toContain('it is made by `for_each`');
  expect(said).toContain('write: lifecycle: { was: it-people }');
});

test('the suggestion for objects of one `for_each` names the entry to edit', {
  tags: 'variation',
}, async () => {
  const text = (one: string, other: string) => `groups:
  - { name: "people in \${office.key}", for_each: offices, as: office }
  - { name: servers }
sets:
  offices:
    ${one}: { net: 1 }
    ${other}: { net: 2 }
policies:
${policy('web', rule(`people in ${one}`, 'servers', 80), rule(`people in ${other}`, 'servers', 443))}`;
  const now = text('hamburg', 'lyon');
  const { patch, said } = await suggestedFor(
    { 'net/n.yaml': text('berlin', 'paris') },
    { 'net/n.yaml': now },
  );
  expect(patch).toBe('');
  expect(said).toContain(
    [
      'net/n.yaml:2:5: group["people in lyon"] was group["people in paris"]: it is made by `for_each`',
      '  write at net/n.yaml:2:5: lifecycle: { was: "${office.value.was}" }',
      '  and into the entry `lyon` at net/n.yaml:7:5: was: people in paris',
    ].join('\n'),
  );
  const followed = now
    .replace('as: office', 'as: office, lifecycle: { was: "${office.value.was}" }')
    .replace('net: 1', 'net: 1, was: people in berlin')
    .replace('net: 2', 'net: 2, was: people in paris');
  const { changes } = await suggestedFor(
    { 'net/n.yaml': text('berlin', 'paris') },
    { 'net/n.yaml': followed },
  );
  expect(changes.filter(change => !change.startsWith('update '))).toEqual([]);
});

test('an entry to write is read back as the same name', { tags: 'variation' }, async () => {
  const text = (name: string) => `groups:
  - { name: "\${each.value}-people", for_each: ["${name}"] }
  - { name: servers }
policies:
  - name: web
    rules: [{ name: web, sources: ["${name}-people"], destinations: [servers], protocol: tcp, ports: ["443"] }]
`;
  const { said } = await suggestedFor(
    { 'net/n.yaml': text('$${var:IT}') },
    { 'net/n.yaml': text('ops') },
  );
  expect(said).toContain('write: lifecycle: { was: "$${var:IT}-people" }');
});

test('stdout is empty without a rename, and a sentence on stderr says so', async () => {
  const { patch, said } = await suggestedFor({ 'net/n.yaml': BLOCK }, { 'net/n.yaml': BLOCK });
  expect(patch).toBe('');
  expect(said).toContain('No renames to suggest');
});

/** A drawn account: groups, each told from the others by a policy, and networks with resources. */
const drawnState = fc.record({
  groups: fc.integer({ min: 1, max: 5 }),
  networks: fc.integer({ min: 0, max: 2 }),
  renamed: fc.uniqueArray(
    fc.constantFrom('g0', 'g1', 'g2', 'g3', 'p0', 'p1', 'p2', 'n0', 'n1', 'r0', 'r1'),
    { minLength: 1, maxLength: 6 },
  ),
  to: fc.constantFrom('new-', 'a b ', 'yes', "it's ", '"q" ', 'ä'),
  isFlow: fc.boolean(),
  isWindows: fc.boolean(),
  isEnded: fc.boolean(),
});
type Drawn = typeof drawnState extends fc.Arbitrary<infer T> ? T : never;

function drawnFiles({ groups, networks, ...drawn }: Drawn, isRenamed: boolean): Files {
  const named = (name: string) =>
    isRenamed && drawn.renamed.some(one => one === name) ? `${drawn.to}${name}` : name;
  const all = Array.from({ length: groups }, (_, i) => i);
  const asText = (value: object) => {
    const text = stringify(value, drawn.isFlow ? { collectionStyle: 'flow' } : {});
    const cut = drawn.isEnded ? text : text.trimEnd();
    return drawn.isWindows ? cut.replaceAll('\n', '\r\n') : cut;
  };
  return {
    'net/groups.yaml': asText({ groups: all.map(i => ({ name: named(`g${i}`) })) }),
    'net/policies/p.yaml': asText({
      policies: all.map(i => ({
        name: named(`p${i}`),
        rules: [
          {
            name: named(`p${i}`),
            sources: [named(`g${i}`)],
            destinations: [named(`g${(i + 1) % groups}`)],
            protocol: 'tcp',
            ports: [String(1000 + i)],
          },
        ],
      })),
    }),
    'net/networks.yaml': asText({
      networks: Array.from({ length: networks }, (_, i) => ({
        name: named(`n${i}`),
        resources: [{ name: named(`r${i}`), address: `10.0.${i}.5`, groups: [named('g0')] }],
      })),
    }),
  };
}

test('generated renames are planned as renames after the patch is applied', {
  timeout: patience(EXTENT, 20_000),
}, async () => {
  const { count, seed, found } = proof('suggested renames of drawn files', EXTENT);
  let renames = 0;
  for (const drawn of fc.sample(drawnState, { numRuns: count, seed })) {
    const [before, after] = [false, true].map(isRenamed => drawnFiles(drawn, isRenamed));
    const { changes, said } = await suggestedFor(before ?? {}, after ?? {});
    const others = changes.filter(change => !change.startsWith('update '));
    expect(others, `${JSON.stringify(drawn)}\n${said}`).toEqual([]);
    renames += changes.length;
  }
  found(`${renames} changes, all of them renames`);
});
