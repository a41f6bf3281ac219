// Several folders are one desired state: as arguments, and as a list of the project file. A list leads nowhere else than into the work tree.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { write } from '../../read/sourceFolder.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const GROUPS = 'groups: [{ name: staff }, { name: gateways }]\n';
const POLICY = `policies:
  - { name: ping, rules: [{ name: ping, sources: [staff], destinations: [gateways], protocol: icmp }] }
`;
const FILES = { 'base/groups.yaml': GROUPS, 'prod/policies.yaml': POLICY };
const LIST = 'layers: [../base, .]\n';

/** Runs commands in a clone with these files. */
const inClone = (
  files: Readonly<Record<string, string>>,
  use: (run: (...argv: string[]) => Promise<string>, cwd: string) => Promise<void>,
) =>
  inFolder(async cwd => {
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    await write(cwd, files);
    await use(async (...argv) => {
      const { code, stdout, stderr } = await meshform(argv, { cwd });
      return `${code} ${`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')}`;
    }, cwd);
  });

describe('the desired state of several layers', () => {
  test('is read from arguments, in their order', () =>
    inClone(FILES, async run => {
      expect(await run('validate', 'prod', '--strict')).toMatch(/^3 .*REF_NOT_DECLARED/);
      expect(await run('validate', 'base', 'prod', '--strict')).toContain('0 Valid: 3 objects');
      expect(await run('access', 'from', 'group/staff', 'base', 'prod')).toContain(
        'group/gateways',
      );
      expect(await run('graph', 'base', 'prod')).toContain('gateways');
    }));

  test('is read from the list in the project file, in any working folder', () =>
    inClone({ ...FILES, 'prod/meshform.yaml': LIST }, async (run, cwd) => {
      expect(await run('validate', 'prod', '--strict')).toContain('0 Valid: 3 objects');
      const { code } = await meshform(['validate', '--strict'], { cwd: join(cwd, 'prod') });
      expect(code).toBe(0);
      // Arguments take precedence.
      await write(cwd, { 'other/a.yaml': GROUPS });
      expect(await run('validate', 'other', 'prod', '--strict')).toContain('0 Valid: 3 objects');
    }));

  test('may have a last layer with only a project file, and no other empty layer', () =>
    inClone({ 'base/groups.yaml': GROUPS, 'prod/meshform.yaml': LIST }, async (run, cwd) => {
      expect(await run('validate', 'prod')).toContain('0 Valid: 2 objects');
      await mkdir(join(cwd, 'none'));
      expect(await run('validate', 'none', 'prod')).toMatch(/^3 .*SOURCE_EMPTY.*`none`/);
      expect(await run('validate', 'base', 'none')).toMatch(/^3 .*SOURCE_EMPTY.*`none`/);
    }));

  test('may declare an object twice only if the later declaration is marked as an override', () =>
    inClone(
      {
        ...FILES,
        'base/networks.yaml': 'networks: [{ name: office, description: a }]\n',
        'prod/networks.yaml': 'networks: [{ name: office, description: b }]\n',
      },
      async (run, cwd) => {
        const said = await run('validate', 'base', 'prod');
        expect(said).toMatch(/^3 .*OBJECT_DUPLICATE/);
        expect(said).toContain('prod/networks.yaml:1:12');
        expect(said).toContain('base/networks.yaml:1:12');
        const overriding =
          'networks: [{ name: office, description: b, lifecycle: { override: true } }]\n';
        await write(cwd, { 'prod/networks.yaml': overriding });
        expect(await run('validate', 'base', 'prod')).toContain('0 Valid');
      },
    ));

  test('excludes in each layer the files that its own project file excludes', () =>
    inClone(
      {
        ...FILES,
        'base/meshform.yaml': 'exclude: [charts]\n',
        'base/charts/values.yaml': 'image: x\n',
        'prod/meshform.yaml': 'layers: [../base, .]\nexclude: [old.yaml]\n',
        'prod/old.yaml': 'image: x\n',
      },
      async run => {
        expect(await run('validate', 'prod')).toContain('0 Valid: 3 objects');
      },
    ));
});

describe('a list of layers', () => {
  const faults: readonly (readonly [string, string, string, string])[] = [
    ['names nothing', '[../lost, .]', 'the layer `lost` does not exist', 'prod/meshform.yaml:1:10'],
    ['leads out of the work tree', '[../../, .]', 'is not in the work tree of `prod`', ':1:10'],
    [
      'leads out by a link',
      '[../link, .]',
      'work tree of `prod`, after links are followed',
      ':1:10',
    ],
    ['leads into git', '[../.git/hooks, .]', 'is not in the work tree of `prod`', ':1:10'],
    [
      'names a layer twice',
      '[../base, ../prod/../base/, .]',
      'the layer `base` is named twice',
      ':1:19',
    ],
    [
      'names a link to another layer',
      '[../base, ../same, .]',
      'the layer `same` is named twice',
      ':1:19',
    ],
    ['names a folder around another', '[.., .]', '`prod` is inside the layer `.`', ':1:10'],
    ['does not end with itself', '[., ../base]', 'the last of the layers must be "."', ':1:10'],
    ['lacks itself', '[../base]', 'the last of the layers must be "."', ':1:10'],
    ['is absolute', '[/etc, .]', 'SCHEMA_FORMAT', ':1:10'],
    ['is of another type', '{ a: 1 }', 'SCHEMA_TYPE', ':1:9'],
    ['is empty', '[]', 'SCHEMA_COUNT', ':1:9'],
    ['has a variable', "['${var:X}', .]", 'PROJECT_INVALID', ':1:10'],
  ];

  test.each(faults)('a list that %s is an error with its place', (_, list, message, place) =>
    inClone({ ...FILES, 'prod/meshform.yaml': `layers: ${list}\n` }, async (run, cwd) => {
      await mkdir(join(cwd, '.git/hooks'), { recursive: true });
      await writeFile(join(cwd, '.git/hooks/a.yaml'), GROUPS);
      await symlink('/etc', join(cwd, 'link'));
      await symlink('base', join(cwd, 'same'));
      const said = await run('validate', 'prod');
      expect(said).toMatch(/^3 /);
      expect(said).toContain(message);
      expect(said).toContain(place);
      expect(said).toContain('hint: ');
    }),
  );

  test('needs a work tree, and no layer may be in another repository', () =>
    inFolder(async cwd => {
      await write(cwd, { ...FILES, 'prod/meshform.yaml': LIST });
      const alone = await meshform(['validate', 'prod'], { cwd });
      expect(alone.code).toBe(3);
      expect(alone.stdout).toContain('is in no work tree of git');
      expect((await meshform(['validate', 'base', 'prod'], { cwd })).code).toBe(0);
      git(cwd, 'init', '--quiet');
      expect((await meshform(['validate', 'prod'], { cwd })).code).toBe(0);
      git(join(cwd, 'base'), 'init', '--quiet');
      for (const paths of [['prod'], ['base', 'prod']]) {
        const { code, stdout } = await meshform(['validate', ...paths], { cwd });
        expect(code).toBe(3);
        expect(stdout).toContain('the layer `base` is not in the work tree of `prod`');
      }
    }));

  test('a list that omits a layer which its layers extend is an error', () =>
    inClone(
      {
        ...FILES,
        'lab/meshform.yaml': LIST.replace('../base', '../base, ../prod'),
        'lab/a.yaml': 'groups: [{ name: lab }]\n',
        'prod/meshform.yaml': LIST,
      },
      async (run, cwd) => {
        expect(await run('validate', 'lab')).toContain('0 Valid: 4 objects');
        await writeFile(join(cwd, 'lab/meshform.yaml'), 'layers: [../prod, .]\n');
        expect(await run('validate', 'lab')).toContain(
          'the layer `prod` is built on `base`, which is not among the layers before it',
        );
        expect(await run('validate', 'prod', 'lab')).toMatch(/^3 .*LAYER_INVALID/);
      },
    ));
});

test('a saved plan cannot be a layer', () =>
  inClone({ ...FILES, 'plan.json': '{"format_version": "1.0"}' }, async run => {
    expect(await run('apply', 'base', 'plan.json', '--yes')).toMatch(
      /^64 .*`plan.json` is a saved plan/,
    );
    expect(await run('apply', '-', 'base', '--yes')).toMatch(/^64 .*`-` is a saved plan/);
  }));
