// A project file that a neighbour on the machine has put above the files is not obeyed, and not passed over: it may be a guard.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { give, giveLink, mayGiveAway } from '../../support/neighbour.ts';

interface Place {
  /** A folder that users share, and the project file in it. */
  readonly shared: string;
  readonly planted: string;
  /** The folder of desired state below it. */
  readonly network: string;
}

const ground = (prepare: (place: Place) => void, argv = ['validate', 'network']) =>
  inFolder(async shared => {
    const place = {
      shared,
      planted: join(shared, 'meshform.yaml'),
      network: join(shared, 'own/network'),
    };
    mkdirSync(place.network, { recursive: true });
    writeFileSync(join(place.network, 'a.yaml'), 'groups: [{ name: a }]\n');
    chmodSync(shared, 0o1777);
    writeFileSync(place.planted, 'allow: [DELETES_OBJECT]\n');
    chmodSync(place.planted, 0o644);
    prepare(place);
    const { code, stdout, stderr } = await meshform(argv, { cwd: join(shared, 'own') });
    return { code, said: stdout + stderr };
  });

describe.runIf(mayGiveAway)('a project file of another user above the folder', () => {
  test.each([
    [['validate', 'network']],
    [['test', 'network']],
    [['plan', 'network']],
    [['graph', 'network']],
    [['drift', 'network']],
    [['export', '--check', 'network']],
  ])('is refused by %j', async argv => {
    const { code, said } = await ground(({ planted }) => give(planted), argv);
    expect(code, said).toBe(3);
    expect(said).toContain('PROJECT_FOREIGN');
    expect(said).toContain('../meshform.yaml');
    expect(said).toContain('it belongs to another user (uid 65534)');
    expect(said).toMatch(/remove it.*chown/s);
  });

  test('is refused if it is a link, too', async () => {
    const { code, said } = await ground(({ shared, planted }) => {
      rmSync(planted);
      writeFileSync(join(shared, 'other.yaml'), 'allow: [DELETES_OBJECT]\n');
      symlinkSync('other.yaml', planted);
      giveLink(planted);
    });
    expect(code, said).toBe(3);
    expect(said).toContain('uid 65534');
  });

  test('is used if its owner also owns the folder of desired state', async () => {
    const { code, said } = await ground(({ planted, network }) => give(planted, network));
    expect(code, said).toBe(0);
  });

  test('is used if root owns it', async () => {
    const { code, said } = await ground(({ network }) => give(network));
    expect(code, said).toBe(0);
  });
});

describe('a project file that other users can write to', () => {
  test.each([[0o646], [0o664]])('is refused (mode %o)', async mode => {
    const { code, said } = await ground(({ planted, network }) => {
      chmodSync(network, 0o755);
      chmodSync(planted, mode);
    });
    expect(code, said).toBe(3);
    expect(said).toContain('PROJECT_FOREIGN');
    expect(said).toContain('other users can write it');
    expect(said).toContain('chmod go-w');
  });

  // Such as a checkout that a runner has made with umask 0, or a group with umask 2.
  test.each([
    [0o777, 0o666],
    [0o775, 0o664],
    [0o777, 0o664],
  ])(
    'is used if they can write to the desired state too (modes %o and %o)',
    async (folder, file) => {
      const { code, said } = await ground(({ planted, network }) => {
        chmodSync(network, folder);
        chmodSync(planted, file);
      });
      expect(code, said).toBe(0);
    },
  );
});

test('a project file that nobody else can write to is used', async () => {
  const { code, said } = await ground(() => {});
  expect(code, said).toBe(0);
});
