// Layers that a discovered account does not have: they declare nothing, and are never taken for a removal.
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { FLEET, inFleet, type TestFleet } from './fleetFolder.ts';
import { fleetState } from './fleetStates.ts';

const AUTO = ['--prune', 'removed', '--base', 'auto', '--record-base'];
const PLAN = ['plan', ...AUTO, '--allow', 'DELETES_OBJECT', '--out', 'plans', '--force'];
const APPLY = ['apply', 'plans', '--yes'];

/** Nothing that the accounts share. */
const OWN_ONLY = FLEET.replace('baseline, ', '');

const commit = ({ folder }: TestFleet, message: string): void => {
  git(folder, 'add', '--all', '--', ':!plans');
  git(folder, 'commit', '--quiet', '--message', message);
};

/** Writes files of the folder of a tenant, and commits them. */
async function withFolder(fleet: TestFleet, tenant: number, text: string): Promise<void> {
  await fleet.write({ [`customers/${fleet.domain(tenant)}/own.yaml`]: text });
  commit(fleet, 'The folder of a customer');
}

async function withoutFolder(fleet: TestFleet, folder: string): Promise<void> {
  await rm(join(fleet.folder, folder), { recursive: true });
  commit(fleet, 'A folder is gone');
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Plans and applies everything. */
async function applied(fleet: TestFleet): Promise<void> {
  const planned = await fleet.fleet(PLAN);
  expect({ code: planned.code, stderr: planned.stderr }).toEqual({ code: 0, stderr: '' });
  const { code, stderr } = await fleet.fleet(APPLY);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

/** One account without a folder, and the same after its first apply. */
const one = fleetState({ tenants: 1 });
const appliedOnce = one.after(applied);

async function groupsOf({ msp }: TestFleet, tenant: number): Promise<readonly string[]> {
  const { body } = await msp.call(msp.tenants[tenant - 1]?.id, 'GET', '/api/groups');
  return (body as unknown as { name: string }[]).map(({ name }) => name).sort();
}

interface Base {
  readonly ref: string;
  readonly document: {
    readonly folder: string;
    readonly layers?: readonly string[];
    readonly absent?: readonly string[];
  };
}

/** The bases at the remote, in the order of their refs. */
function basesOf({ remote }: TestFleet): readonly Base[] {
  const refs = git(remote, 'for-each-ref', '--format=%(refname)', 'refs/meshform-base').trim();
  return refs
    .split('\n')
    .filter(Boolean)
    .map(ref => ({ ref, document: JSON.parse(git(remote, 'show', `${ref}:base.json`)) }));
}

describe('an account without any layer folder', () => {
  const files = { 'fleet.yaml': OWN_ONLY, 'customers/readme.txt': 'A folder for each customer' };

  test('is listed, and does not affect other accounts', async () => {
    await inFleet({ files }, async fleet => {
      await withFolder(fleet, 2, 'groups: [{ name: own }]\n');
      const listed = await fleet.fleet(['list'], { columns: 200 });
      expect({ code: listed.code, stderr: listed.stderr }).toEqual({ code: 0, stderr: '' });
      expect(listed.stdout).toMatch(
        new RegExp(`${fleet.domain(1)}.*no files of its own; without customers/`),
      );
      expect(listed.stdout).toContain('3 accounts, 2 without files of their own');
      await applied(fleet);
      expect(await groupsOf(fleet, 1)).toEqual(['All']);
      expect(await groupsOf(fleet, 2)).toEqual(['All', 'own']);
    });
  });

  test('declares nothing, so a plan changes nothing, and deletes nothing that somebody created', async () => {
    await inFleet({ files, tenants: 1 }, async fleet => {
      await fleet.msp.call(fleet.msp.tenants[0]?.id, 'POST', '/api/groups', { name: 'by hand' });
      for (const flags of [AUTO, ['--prune', 'unmanaged'], ['--prune', 'none']]) {
        const words = ['plan', ...flags, '--detailed-exitcode'];
        const { code, stderr } = await fleet.fleet(words);
        expect({ flags, code, stderr }).toEqual({ flags, code: 0, stderr: '' });
      }
      expect((await fleet.fleet(['drift'])).code).toBe(0);
    });
  });

  test('gets a folder later, which is not in its first base', { tags: 'variation' }, async () => {
    await inFleet({ files, tenants: 1 }, async fleet => {
      await applied(fleet);
      const before = basesOf(fleet);
      await withFolder(fleet, 1, 'groups: [{ name: own }]\n');
      await applied(fleet);
      expect(await groupsOf(fleet, 1)).toEqual(['All', 'own']);
      expect(basesOf(fleet).map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
    });
  });
});

describe('the base is named after the last layer of the entry, even if its folder does not exist:', () => {
  test('an account that gets its folder later keeps its base', { tags: 'variation' }, async () => {
    await appliedOnce.use(async fleet => {
      const own = `customers/${fleet.domain(1)}`;
      const [first] = basesOf(fleet);
      expect(first?.document).toMatchObject({
        folder: own,
        layers: ['baseline', own],
        absent: [own],
      });
      await withFolder(fleet, 1, 'groups: [{ name: own }]\n');
      await applied(fleet);
      expect(await groupsOf(fleet, 1)).toEqual(['All', 'admins', 'own', 'servers']);
      const after = basesOf(fleet);
      expect(after.map(({ ref }) => ref)).toEqual([first?.ref]);
      expect(after[0]?.document).toMatchObject({ folder: own, layers: ['baseline', own] });
      expect(after[0]?.document).not.toHaveProperty('absent');
    });
  });

  test('objects that an earlier layer no longer declares are still removed', {
    tags: 'variation',
  }, async () => {
    await appliedOnce.use(async fleet => {
      await fleet.write({ 'baseline/base.yaml': 'groups: [{ name: admins }]\n' });
      commit(fleet, 'Fewer groups');
      await applied(fleet);
      expect(await groupsOf(fleet, 1)).toEqual(['All', 'admins']);
    });
  });

  test('a clone that is reached through a link has the same base', {
    tags: 'variation',
  }, async () => {
    await inFleet({ tenants: 1 }, async fleet => {
      const link = join(fleet.home, 'link');
      await symlink(fleet.folder, link);
      const cwd = { cwd: link };
      expect(await fleet.fleet(PLAN, cwd)).toMatchObject({ code: 0, stderr: '' });
      expect(await fleet.fleet(APPLY, cwd)).toMatchObject({ code: 0, stderr: '' });
      expect(basesOf(fleet)[0]?.document.folder).toBe(`customers/${fleet.domain(1)}`);
      const again = await fleet.fleet(['plan', ...AUTO, '--detailed-exitcode'], cwd);
      expect(again).toMatchObject({ code: 0, stderr: '' });
    });
  });
});

describe('a layer in the recorded base that no longer exists stops only its account', () => {
  const own = 'groups: [{ name: own }]\n';

  /** The account was applied with its folder, which is gone. */
  const withoutOwn = one.after(async fleet => {
    await withFolder(fleet, 1, own);
    await applied(fleet);
    await withoutFolder(fleet, `customers/${fleet.domain(1)}`);
  });

  /** The fault of the first tenant, of which `folder` is gone, in runs with these flags; the others go on. */
  async function expectStopped(
    fleet: TestFleet,
    folder: string,
    runs: readonly (readonly string[])[],
  ): Promise<void> {
    const [base] = basesOf(fleet).filter(({ ref }) => ref.endsWith(fleet.domain(1)));
    for (const flags of runs) {
      const { code, stdout } = await fleet.fleet(['plan', ...flags]);
      expect({ flags, code }).toEqual({ flags, code: 3 });
      expect(onOneLine(stdout)).toContain(
        `FLEET_LAYER the layer \`${folder}\` does not exist, but the base at ${base?.ref} has it`,
      );
      expect(stdout).toContain('2 accounts: 1 without changes, 1 could not be planned');
    }
  }

  test('only its account stops even if it was the last layer', { tags: 'variation' }, async () => {
    await inFleet({ tenants: 2 }, async fleet => {
      const folder = `customers/${fleet.domain(1)}`;
      await withFolder(fleet, 1, own);
      await applied(fleet);
      await withoutFolder(fleet, folder);
      const none = ['--prune', 'none'];
      await expectStopped(fleet, folder, [AUTO, none, ['--base', 'auto'], ['--base', 'HEAD']]);
      const drift = await fleet.fleet(['drift']);
      expect(drift.code).toBe(3);
      expect(onOneLine(drift.stdout)).toContain(
        `FLEET_LAYER the layer \`${folder}\` does not exist`,
      );
    });
  });

  test('only its account stops even if it was the only layer', { tags: 'variation' }, async () => {
    const files = { 'fleet.yaml': OWN_ONLY, 'customers/readme.txt': 'A folder for each' };
    await inFleet({ tenants: 2, files }, async fleet => {
      const folder = `customers/${fleet.domain(1)}`;
      await withFolder(fleet, 1, own);
      await applied(fleet);
      await withoutFolder(fleet, folder);
      await expectStopped(fleet, folder, [['--prune', 'none']]);
    });
  });

  test('only its account stops even if other layers follow it', { tags: 'variation' }, async () => {
    const entry = FLEET.replace('baseline,', 'baseline, "regions/${account.name}",');
    await inFleet({ tenants: 2, files: { 'fleet.yaml': entry } }, async fleet => {
      const folder = `regions/${fleet.domain(1)}`;
      await fleet.write({ [`${folder}/own.yaml`]: own });
      await withFolder(fleet, 1, 'groups: [{ name: last }]\n');
      await applied(fleet);
      await withoutFolder(fleet, folder);
      await expectStopped(fleet, folder, [['--prune', 'none']]);
    });
  });

  test('the account is applied again once its folder says that it declares nothing', {
    tags: 'variation',
  }, async () => {
    await withoutOwn.use(async fleet => {
      await withFolder(fleet, 1, 'groups: []\n');
      await applied(fleet);
      expect(await groupsOf(fleet, 1)).toEqual(['All', 'admins', 'servers']);
    });
  });

  test('only its account stops even if no base is recorded, but the revision of --base has the layer', {
    tags: 'variation',
  }, async () => {
    await inFleet({ tenants: 1 }, async fleet => {
      const folder = `customers/${fleet.domain(1)}`;
      await withFolder(fleet, 1, own);
      await withoutFolder(fleet, folder);
      const { code, stdout } = await fleet.fleet(['plan', '--base', 'HEAD~1']);
      expect(onOneLine(stdout)).toContain(
        `FLEET_LAYER the layer \`${folder}\` does not exist, but the base at "HEAD~1" has it`,
      );
      expect(code).toBe(3);
    });
  });

  test('only its account stops in the clone of somebody who has not fetched the base', {
    tags: 'variation',
  }, async () => {
    await withoutOwn.use(async fleet => {
      git(fleet.folder, 'push', '--quiet', 'origin', 'main');
      const clone = join(fleet.home, 'other');
      git(fleet.home, 'clone', '--quiet', '--branch', 'main', fleet.remote, clone);
      const { code, stdout } = await fleet.fleet(['plan', '--prune', 'none'], { cwd: clone });
      expect(stdout).toContain('FLEET_LAYER');
      expect(code).toBe(3);
    });
  });
});

describe('the base of an earlier version, named after the last existing layer', () => {
  /** Applies with the first layer alone, so that the base has its path, and commits the fleet file with all layers. */
  async function recordedBefore(fleet: TestFleet, now = FLEET): Promise<void> {
    await fleet.write({ 'fleet.yaml': FLEET.replace(/layers: .*/, 'layers: [baseline]') });
    commit(fleet, 'One layer');
    await applied(fleet);
    expect(basesOf(fleet)[0]?.document.folder).toBe('baseline');
    await fleet.write({ 'fleet.yaml': now });
    commit(fleet, 'All layers');
  }

  const before = one.after(fleet => recordedBefore(fleet));

  test('is taken over by the account, and is recorded under the new path', {
    tags: 'variation',
  }, async () => {
    await before.use(async fleet => {
      const [former] = basesOf(fleet);
      await fleet.write({ 'baseline/base.yaml': 'groups: [{ name: admins }]\n' });
      await withFolder(fleet, 1, 'groups: [{ name: own }]\n');
      await applied(fleet);
      // It is its base: what it declared and the files no longer declare is removed.
      expect(await groupsOf(fleet, 1)).toEqual(['All', 'admins', 'own']);
      expect(basesOf(fleet)).toMatchObject([
        { ref: former?.ref, document: { folder: `customers/${fleet.domain(1)}` } },
      ]);
      const again = await fleet.fleet(['plan', ...AUTO, '--detailed-exitcode']);
      expect(again).toMatchObject({ code: 0, stderr: '' });
    });
  });

  test('is taken over without a folder, too', { tags: 'variation' }, async () => {
    await before.use(async fleet => {
      await applied(fleet);
      expect(basesOf(fleet)).toMatchObject([
        { document: { folder: `customers/${fleet.domain(1)}` } },
      ]);
    });
  });

  test('is not taken over if its path is not a layer of the entry', {
    tags: 'variation',
  }, async () => {
    await inFleet({ tenants: 1 }, async fleet => {
      await fleet.write({ 'other/base.yaml': 'groups: [{ name: other }]\n' });
      await recordedBefore(fleet, FLEET.replace('baseline', 'other'));
      const { code, stdout } = await fleet.fleet(['plan', ...AUTO]);
      expect(stdout).toContain('BASE_NAME_TAKEN');
      expect(code).toBe(6);
    });
  });
});

test('a base that was recorded without the last layer counts for an entry that no longer has it', {
  tags: 'variation',
}, async () => {
  await appliedOnce.use(async fleet => {
    await fleet.write({ 'fleet.yaml': FLEET.replace(/layers: .*/, 'layers: [baseline]') });
    await fleet.write({ 'baseline/base.yaml': 'groups: [{ name: admins }]\n' });
    commit(fleet, 'One layer');
    await applied(fleet);
    expect(await groupsOf(fleet, 1)).toEqual(['All', 'admins']);
    expect(basesOf(fleet)).toMatchObject([{ document: { folder: 'baseline' } }]);
  });
});

test('commands without a server read an account without its last layer', {
  tags: 'variation',
}, async () => {
  const entry = FLEET.replace('name}"]', 'name}", "overrides/${account.name}"]');
  await inFleet({ tenants: 2, files: { 'fleet.yaml': entry } }, async fleet => {
    await withFolder(fleet, 1, 'groups: [{ name: own }]\n');
    for (const words of [['validate'], ['test'], ['compare', '--baseline']]) {
      const { code, stderr } = await fleet.fleet(words);
      expect({ words, code, stderr }).toEqual({
        words,
        code: words[0] === 'compare' ? 2 : 0,
        stderr: '',
      });
    }
    const compared = await fleet.fleet(['compare', '--baseline']);
    expect(compared.stdout).toContain('own');
  });
});
