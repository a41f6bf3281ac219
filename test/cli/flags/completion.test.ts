// What a shell offers at the cursor. All shells ask one hidden verb; bash is tried for real, since the tests need it anyway.
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { bashLine, insertion } from '../../../src/cli/completion/bashLine.ts';
import { SCRIPTS } from '../../../src/cli/completion/scripts.ts';
import { EXIT_MEANING } from '../../../src/cli/exitCodes.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { fc } from '../../support/seeded.ts';

const BREAKS = ' \t\n"\'@><=;|&(:';
const HOSTILE = '$(touch PWNED)`touch PWNED`;\'"! \\ *~x';
const FILES = stringify({
  groups: [{ name: 'engineers' }, { name: 'a/b' }, { name: HOSTILE }, { name: 'two\nlines' }],
  networks: [
    {
      name: 'office',
      resources: [{ name: 'db', address: '10.0.0.1', groups: ['engineers'] }],
    },
  ],
});

/** What is offered for the last of these words, in a folder with these files. */
const offered = (...words: readonly string[]) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), FILES);
    const ended = await meshform(['complete', 'fish', '--', ...words], { cwd });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    return ended.stdout.split('\n').filter((_, i, all) => i % 2 === 0 && i < all.length - 1);
  });

describe('completion offers', () => {
  test('every verb that help lists, and no hidden one', async () => {
    const { stdout } = await meshform(['--help']);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].flatMap(([, name]) => name ?? []);
    const verbs = await offered('');
    expect(verbs).toContain('completion');
    expect(verbs).not.toContain('complete');
    expect(listed.filter(name => !(name in EXIT_MEANING))).toEqual(expect.arrayContaining(verbs));
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['a verb', ['pl'], ['plan']],
    ['a verb of a verb', ['api', 'de'], ['describe']],
    ['a flag', ['plan', '--prun'], ['--prune']],
    ['a choice', ['plan', '--prune', 're'], ['removed']],
    ['a choice after =', ['plan', '--prune=re'], ['--prune=removed']],
    ['a choice after an argument', ['plan', 'net', '--format', 'm'], ['markdown']],
    ['a shell', ['completion', 'f'], ['fish']],
    ['a kind', ['explain', 'posture'], ['posture_check']],
    ['kinds with commas', ['plan', '--kinds', 'group,posture'], ['group,posture_check']],
    ['an operation', ['api', 'call', 'createG'], ['createGroup']],
    ['an object', ['plan', '--only', 'group/e'], ['group/engineers']],
    ['an object with a slash', ['drift', '--except', 'group/a'], ['group/a\\/b']],
    ['a nested object', ['export', '--only', 'network_'], ['network_resource/office/db']],
    ['a hazard', ['plan', '--allow', 'GA'], ['GAP']],
    ['a hazard of an object', ['apply', '--allow', 'GAP=group/e'], ['GAP=group/engineers']],
    ['a resolution', ['apply', '--resolve', 'l'], ['live']],
    ['a resolution of an object', ['apply', '--resolve', 'live=group/e'], ['live=group/engineers']],
    ['a question', ['access', 'f'], ['from']],
    ['its source', ['access', 'from', 'group/e'], ['group/engineers']],
    ['no source of a network', ['access', 'from', 'network'], []],
    ['its destination', ['access', 'to', 'network/'], ['network/office']],
    ['a file, which the shell knows', ['plan', '--token-file', 'ne'], []],
    ['a folder, which the shell knows', ['plan', 'ne'], []],
    ['nothing after --', ['plan', '--', '--pr'], []],
  ])('%s', async (_, words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });

  test('the objects of the folder that the command line names, not those of the current folder', () =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'network.yaml'), FILES);
      await mkdir(join(cwd, 'cmp'));
      await writeFile(
        join(cwd, 'cmp', 'groups.yaml'),
        stringify({ groups: [{ name: 'elsewhere' }] }),
      );
      const words = ['plan', 'cmp', '--only', 'group/'];
      const { stdout } = await meshform(['complete', 'fish', '--', ...words], { cwd });
      expect(stdout).toBe('group/elsewhere\n\n');
    }));

  test('the objects of all layers in the command line or the project file', () =>
    inFolder(async cwd => {
      for (const [layer, name] of [
        ['base', 'common'],
        ['prod', 'own'],
      ] as const) {
        await mkdir(join(cwd, layer));
        await writeFile(join(cwd, layer, 'groups.yaml'), stringify({ groups: [{ name }] }));
      }
      await mkdir(join(cwd, '.git'));
      const asked = async (...paths: readonly string[]) => {
        const words = ['plan', ...paths, '--only', 'group/'];
        const { stdout } = await meshform(['complete', 'fish', '--', ...words], { cwd });
        return stdout.split('\n').filter(text => text !== '');
      };
      expect(await asked('base', 'prod')).toEqual(['group/common', 'group/own']);
      expect(await asked('prod')).toEqual(['group/own']);
      await writeFile(join(cwd, 'prod', 'meshform.yaml'), 'layers: [../base, .]\n');
      expect(await asked('prod')).toEqual(['group/common', 'group/own']);
    }));

  test('no unprintable names, and the valid names even if the files have another fault', async () => {
    const groups = await offered('plan', '--only', 'group/');
    expect(groups).toHaveLength(3);
    expect(groups.join('\n')).not.toContain('two');
  });
});

const shell = (script: string, cwd: string) =>
  promisify(execFile)('bash', ['--norc', '--noprofile', '-c', script], { cwd });

describe('completion in bash', () => {
  test('asks the program, and inserts only safe text', () =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'network.yaml'), FILES);
      const program = join(cwd, 'meshform');
      await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`);
      await chmod(program, 0o755);
      const line = './meshform plan --only group/';
      const { stdout } = await shell(
        `${SCRIPTS.bash}
COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(./meshform plan --only group/) COMP_CWORD=3
_meshform
for reply in "\${COMPREPLY[@]}"; do eval "printf '%s\\n' $reply"; done`,
        cwd,
      );
      expect(stdout.trimEnd().split('\n').sort()).toEqual(
        [`group/${HOSTILE.replaceAll(/[\\/*]/g, '\\$&')}`, 'group/a\\/b', 'group/engineers'].sort(),
      );
      expect(execFileSync('ls', { cwd }).toString()).toBe('meshform\nnetwork.yaml\n');
    }));

  test('inserts text that means the name and nothing else, in and out of quotes', () =>
    inFolder(async cwd => {
      const unit = fc.constantFrom(...'ab/=:@ $`"\'\\!*?~#&;|<>()[]{}%^-é漢👋');
      const name = fc.string({ unit, minLength: 1, maxLength: 12 }).map(text => `group/${text}`);
      const begun = fc.constantFrom('', "'", '"', 'gr', "'gr", '"gr', 'group/', '"group/');
      const cases = fc.sample(fc.tuple(name, begun), { numRuns: 300, seed: 13 });
      const lines = cases.flatMap(([text, start]) => {
        const line = bashLine(`meshform plan --only ${start}`);
        const inserted = insertion(text, line, BREAKS);
        if (inserted === null) return [];
        const kept = line.quote === '' ? '' : line.quote;
        return [{ text, word: `${kept}${inserted}${kept}` }];
      });
      const script = lines.map(({ word }) => `printf '%s\\n' ${word}`).join('\n');
      await writeFile(join(cwd, 'script'), `${script}\n`);
      const { stdout } = await shell('. ./script', cwd);
      expect(stdout.trimEnd().split('\n')).toEqual(lines.map(({ text }) => text));
      expect(execFileSync('ls', { cwd }).toString()).toBe('script\n');
    }));

  test.each<[string, string, string]>([
    ['plan --prune=re', '--prune=removed', 'removed'],
    ['plan --allow GAP=group/e', 'GAP=group/engineers', 'group/engineers'],
    ['plan --only user/ada@ex', 'user/ada@example.com', 'example.com'],
    ['plan --only "user/ada@ex', 'user/ada@example.com', 'user/ada@example.com'],
    ['plan --only group/a\\ ', 'group/a b', 'group/a\\ b'],
  ])('replaces only the text after the last word break: %s', (line, text, inserted) => {
    expect(insertion(text, bashLine(`meshform ${line}`), BREAKS)).toBe(inserted);
  });
});

describe('completion scripts', () => {
  test.each(['bash', 'zsh', 'fish'] as const)('%s', async name => {
    const { code, stdout } = await meshform(['completion', name]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: SCRIPTS[name] });
    expect(stdout).toContain(`complete ${name} -- `);
    // Nothing that comes from the program is evaluated.
    expect(stdout).not.toMatch(/\beval\b|compgen -W/);
  });

  // bash has to be there; that the others parse is checked where they are, and what they do is one call of the verb above.
  test('parse', () =>
    inFolder(async cwd => {
      for (const [name, flags] of [
        ['bash', '-n'],
        ['zsh', '-n'],
        ['fish', '--no-execute'],
      ] as const) {
        const file = join(cwd, name);
        await writeFile(file, SCRIPTS[name]);
        const parsed = await promisify(execFile)(name, [flags, file]).catch(
          (error: unknown) => error,
        );
        const isMissing = parsed instanceof Error && 'code' in parsed && parsed.code === 'ENOENT';
        if (isMissing && name !== 'bash') continue;
        expect(parsed).toMatchObject({ stderr: '' });
      }
    }));
});
