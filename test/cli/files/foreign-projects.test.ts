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

describe.runIf(mayGiveAway)('of another user', () => {
  test.each([
    [['validate', 'network']],
    [['test', 'network']],
    [['plan', 'network']],
    [['graph', 'network']],
    [['drift', 'network']],
    [['export', '--check', 'network']],
  ])('%j is refused', async argv => {
    const { code, said } = await ground(({ planted }) => give(planted), argv);
    expect(code, said).toBe(3);
    expect(said).toContain('PROJECT_FOREIGN');
    expect(said).toContain('../meshform.yaml');
    expect(said).toContain('it belongs to another user (uid 65534)');
    expect(said).toMatch(/remove it.*chown/s);
  });

  test('a link is refused, too', async () => {
    const { code, said } = await ground(({ shared, planted }) => {
      rmSync(planted);
      writeFileSync(join(shared, 'other.yaml'), 'allow: [DELETES_OBJECT]\n');
      symlinkSync('other.yaml', planted);
      giveLink(planted);
    });
    expect(code, said).toBe(3);
    expect(said).toContain('uid 65534');
  });

  test('the owner of the folder of desired state may have written it', async () => {
    const { code, said } = await ground(({ planted, network }) => give(planted, network));
    expect(code, said).toBe(0);
  });

  test('root may have written it for everybody', async () => {
    const { code, said } = await ground(({ network }) => give(network));
    expect(code, said).toBe(0);
  });
});

describe('that other users can write', () => {
  test.each([[0o646], [0o664]])('is refused (%o)', async mode => {
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
  ])('counts if they can write the desired state itself (%o, %o)', async (folder, file) => {
    const { code, said } = await ground(({ planted, network }) => {
      chmodSync(network, folder);
      chmodSync(planted, file);
    });
    expect(code, said).toBe(0);
  });
});

test('one that nobody else can write counts', async () => {
  const { code, said } = await ground(() => {});
  expect(code, said).toBe(0);
});
