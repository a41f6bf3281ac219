// Hostile names of groups, machines, resources and rules in every output that has lines of access: each is quoted there, and no line is
// another kind of line because of a name.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { hostileText } from '../../support/hostile.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';

const EXTENT: Extent = { slice: 2, full: 100 };

/** Parts of lines that a name may imitate. */
const IMITATIONS = [
  'db:443  unchanged',
  'x → peer/db  tcp/22',
  'x, internet',
  'all (3 machines)',
  'x\n  + group/all → peer/db  tcp/22',
  'PASS  x',
  'x" → "y',
  "x'], peer['y",
  'x"], peer["y',
  'x\\',
  'x | y | z',
  'x` → `y',
  '+ x',
  'Access: unchanged',
  'x is reached',
  'x (future members)',
  '10.0.0.1 tcp/22',
  'x; policy "y"',
];

/** The plain names of a small network. */
const PLAIN = [
  'laptops',
  'servers',
  'gateways',
  'mia',
  'tom',
  'gate',
  'office',
  'wiki',
  'ssh',
  'web',
  'recent',
  'exit',
];
type Names = Readonly<Record<string, string>>;

const named = (texts: readonly string[]): Names =>
  Object.fromEntries(
    // No two are the same, each is no plain word, and each ends in a word that nothing else has.
    PLAIN.map((plain, i) => {
      const text = (texts[i % texts.length] ?? '').replaceAll('${', '$ {').slice(0, 30);
      return [plain, `${text.toWellFormed()} zq${i}x`];
    }),
  );

const asYaml = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const selector = (type: string, name: string): string =>
  `${type}/${name.replaceAll(/[\\/]/g, '\\$&')}`;

function desired(name: (plain: string) => string, sources: readonly string[]): string {
  const [laptops, servers, gateways] = ['laptops', 'servers', 'gateways'].map(name);
  return asYaml({
    groups: [laptops, servers, gateways].map(one => ({ name: one })),
    posture_checks: [
      { name: name('recent'), checks: { nb_version_check: { min_version: '0.30.0' } } },
    ],
    networks: [
      {
        name: name('office'),
        resources: [{ name: name('wiki'), address: '10.1.0.0/24', groups: [servers] }],
        routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }],
      },
    ],
    policies: [
      {
        name: name('ssh'),
        source_posture_checks: [name('recent')],
        rules: [
          {
            name: name('web'),
            sources: sources.map(name),
            destinations: [servers],
            protocol: 'tcp',
            ports: ['22', '443'],
          },
        ],
      },
    ],
    access_tests: [
      {
        name: 'wiki',
        from: selector('group', name('laptops')),
        deny: [`${selector('group', name('servers'))}:tcp/22`],
        allow: [`${selector('group', name('gateways'))}:tcp/22`],
      },
    ],
  });
}

/** What the commands print, by command. */
async function outputs(name: (plain: string) => string): Promise<ReadonlyMap<string, string>> {
  const account = await startAccount();
  try {
    return await inFolder(async cwd => {
      const env = environmentOf(account);
      const found = new Map<string, string>();
      const run = async (...argv: string[]) => {
        const { stdout, stderr, code } = await meshform(argv, { env, cwd });
        expect([0, 1, 2, 6], `${argv.join(' ')}\n${stderr}`).toContain(code);
        found.set(argv.join(' '), stdout);
      };
      const write = (sources: readonly string[]) =>
        writeFile(join(cwd, 'net/a.yaml'), desired(name, sources));
      await mkdir(join(cwd, 'net'));
      await writeFile(
        join(cwd, 'net/meshform.yaml'),
        asYaml({
          access_thresholds: { gained: 0 },
          guarded: [selector('group', name('servers'))],
        }),
      );
      await write(['laptops']);
      const applied = await meshform(
        ['apply', 'net', '--yes', '--no-tests', '--allow', 'WIDENS_ACCESS'],
        {
          env,
          cwd,
        },
      );
      expect(applied.code, applied.stderr + applied.stdout).toBe(0);
      const groups = (await account.call('GET', '/api/groups')) as { name: string; id: string }[];
      const ids = new Map(groups.map(one => [one.name, one.id]));
      for (const [machine, group] of [
        ['mia', 'laptops'],
        ['tom', 'servers'],
        ['gate', 'gateways'],
      ])
        await account.enrol(name(machine ?? ''), [ids.get(name(group ?? '')) ?? '']);
      await run('access', 'to', 'all', 'net');
      await run('access', 'from', 'all', 'net', '--why', '--format', 'markdown');
      await run('access', 'to', 'all', '--live');
      await run('test', 'net');
      await write(['laptops', 'gateways']);
      for (const format of ['text', 'markdown', 'comment']) {
        await run('plan', 'net', '--no-new-access', '--format', format);
        await run('drift', 'net', '--format', format);
      }
      return found;
    });
  } finally {
    await account.close();
  }
}

const decoded = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

const unquoted = (text: string): string => decoded(text).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');

/** How lines of a kind of their own begin, in their order. */
const kindsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap(
      line =>
        /^(?: *(?:[+−~!#|>*-] |-\/\+)|PASS|FAIL|\p{Lu}[\p{L} ]*:)/u.exec(line)?.slice(0, 1) ?? [],
    );

test('a hostile name is quoted in every line about access', {
  timeout: patience(EXTENT, 60_000),
}, async () => {
  const { count, seed, found } = proof('hostile names in lines of access', EXTENT);
  const plain = await outputs(text => text);
  const drawn = fc.sample(
    fc.array(fc.oneof(fc.constantFrom(...IMITATIONS), hostileText), {
      minLength: 12,
      maxLength: 12,
    }),
    { numRuns: count, seed },
  );
  let looked = 0;
  for (const texts of [IMITATIONS, ...drawn]) {
    const names = named(texts);
    const hostile = await outputs(text => names[text] ?? text);
    for (const [command, text] of hostile) {
      const left = unquoted(text)
        .split('\n')
        .filter(line => /zq\d+x/.test(line));
      expect(left, command).toEqual([]);
      expect(kindsOf(text), command).toEqual(kindsOf(plain.get(command) ?? ''));
      looked += 1;
    }
  }
  found(`${looked} outputs`);
});
