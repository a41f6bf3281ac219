// What `init` writes can be planned at once, and nothing that is there is written over.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';

test('a new folder validates, plans, applies, and then has no changes', async () => {
  const account = await startAccount();
  await inFolder(async cwd => {
    const env = environmentOf(account);
    expect((await meshform(['init', 'net'], { cwd })).code).toBe(0);
    expect((await meshform(['validate', 'net'], { cwd })).stdout).toMatch(
      /^Valid: \d+ objects declared\.\n$/,
    );
    expect((await meshform(['apply', 'net', '--yes'], { cwd, env })).code).toBe(0);
    expect((await meshform(['plan', 'net', '--detailed-exitcode'], { cwd, env })).code).toBe(0);
  });
  await account.close();
});

test('init places the editor schema where the first file refers to it', () =>
  inFolder(async cwd => {
    await meshform(['init'], { cwd });
    const [, schema = ''] =
      (await readFile(join(cwd, 'network.yaml'), 'utf8')).match(/\$schema=(.*)$/m) ?? [];
    const written = JSON.parse(await readFile(join(cwd, schema), 'utf8'));
    expect(Object.keys(written.properties)).toContain('groups');
  }));

test('init refuses a folder that already has desired state, and leaves it unchanged', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'groups.yaml'), 'groups: []\n');
    const ended = await meshform(['init'], { cwd });
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain('groups.yaml');
  }));

test('init writes a schema of an earlier init again, and no other file', () =>
  inFolder(async cwd => {
    await meshform(['init'], { cwd });
    const schema = join(cwd, '.meshform/desired-state.schema.json');
    const fresh = await readFile(schema, 'utf8');
    await writeFile(schema, '{ "title": "meshform desired state" }');
    for (const name of ['meshform.yaml', 'network.yaml']) await rm(join(cwd, name));
    expect((await meshform(['init'], { cwd })).code).toBe(0);
    expect(await readFile(schema, 'utf8')).toBe(fresh);
    for (const name of ['meshform.yaml', 'network.yaml']) await rm(join(cwd, name));
    await writeFile(schema, 'mine');
    const refused = await meshform(['init'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('schema.json')]);
    expect(await readFile(schema, 'utf8')).toBe('mine');
    expect(await readdir(cwd)).toEqual(['.meshform']);
  }));

describe('init --update', () => {
  const SCHEMA = '.meshform/desired-state.schema.json';

  test('writes the editor schema again, and no other file', () =>
    inFolder(async cwd => {
      await meshform(['init', 'net'], { cwd });
      const fresh = await readFile(join(cwd, 'net', SCHEMA), 'utf8');
      await writeFile(join(cwd, 'net', SCHEMA), '{ "title": "meshform desired state" }');
      await writeFile(join(cwd, 'net/network.yaml'), 'groups: []\n');
      const { code, stdout } = await meshform(['init', '--update', 'net'], { cwd });
      expect([code, stdout]).toEqual([0, `Updated: net/${SCHEMA}\n`]);
      expect(await readFile(join(cwd, 'net', SCHEMA), 'utf8')).toBe(fresh);
      expect(await readFile(join(cwd, 'net/network.yaml'), 'utf8')).toBe('groups: []\n');
      expect((await meshform(['init', '--update', 'net'], { cwd })).stdout).toBe(
        `Up to date: net/${SCHEMA}\n`,
      );
    }));

  test('adds the schema to files that have none', () =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'groups.yaml'), 'groups: []\n');
      const { code, stdout } = await meshform(['init', '--update'], { cwd });
      expect([code, stdout]).toEqual([0, `Updated: ${SCHEMA}\n`]);
      expect(JSON.parse(await readFile(join(cwd, SCHEMA), 'utf8')).title).toBe(
        'meshform desired state',
      );
    }));

  test('refuses a folder without desired state, and a file in place of the schema that is not ours', () =>
    inFolder(async cwd => {
      const lost = await meshform(['init', '--update', 'lost'], { cwd });
      expect(lost.code).toBe(64);
      expect(lost.stderr).toContain('`lost` contains no desired state');
      expect(lost.stderr).toContain('meshform init lost');
      expect(await readdir(cwd)).toEqual([]);
      await meshform(['init'], { cwd });
      await writeFile(join(cwd, SCHEMA), 'mine');
      expect((await meshform(['init', '--update'], { cwd })).code).toBe(64);
      expect(await readFile(join(cwd, SCHEMA), 'utf8')).toBe('mine');
    }));
});

describe('init in a folder that it cannot write to is an error with the reason:', () => {
  test.each([
    ['a file', 'file', 'it is not a folder'],
    ['below a file', 'file/net', 'a part of its path is not a folder'],
    ['a link to itself', 'loop', 'its links form a loop'],
    ['where no folder can be made', '/proc/net/meshform', 'it does not exist'],
  ])('%s', (_, folder, why) =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'file'), '');
      await symlink('loop', join(cwd, 'loop'));
      const { code, stderr } = await meshform(['init', folder], { cwd });
      expect(code).toBe(64);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        `\`init\` cannot write to \`${folder}\`: ${why}`,
      );
      expect((await readdir(cwd)).sort()).toEqual(['file', 'loop']);
    }),
  );

  test('a folder without write permission', () =>
    inFolder(async cwd => {
      await mkdir(join(cwd, 'net'));
      await chmod(join(cwd, 'net'), 0o555);
      await chmod(cwd, 0o755);
      // An administrator may write everywhere, so somebody else has to.
      const own = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
      const child = spawn(process.execPath, [LAUNCHER, 'init', 'net/here'], {
        cwd,
        stdio: ['ignore', 'ignore', 'pipe'],
        ...own,
      });
      const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
      expect([code, stderr]).toEqual([
        64,
        expect.stringMatching(/^Error: `init` cannot write to `net\/here`: permission denied\n/),
      ]);
    }));
});
