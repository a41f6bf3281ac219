// `layers` in a project file of an account: in a fleet, the entry in the fleet file has the layers.
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { inFleet, type TestFleet } from './fleetFolder.ts';

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const STATIC = `accounts:
  - { name: acme, credentials: msp, layers: [LAYERS] }
`;

const fleetWith = (layers: string): string => STATIC.replace('LAYERS', layers);

async function planned(fleet: TestFleet) {
  const { code, stdout } = await fleet.fleet(['plan']);
  return { code, said: onOneLine(stdout) };
}

test.each([
  ['baseline, acme', '[../common, ../baseline, .]', '`common`, `baseline` and `acme`'],
  ['baseline, acme', '[.]', '`acme`'],
  // Without further layers in the entry, the list brought the files of another account into this one.
  ['acme', '[../other, .]', '`other` and `acme`'],
])(
  'a list that differs from the entry is a fault (entry: %s, list: %s)',
  async (entry, list, shown) => {
    const files = {
      'fleet.yaml': fleetWith(entry),
      'acme/meshform.yaml': `layers: ${list}\n`,
      'acme/own.yaml': 'groups: [{ name: own }]\n',
      'common/common.yaml': 'groups: [{ name: common }]\n',
      'other/other.yaml': 'groups: [{ name: other }]\n',
    };
    await inFleet({ tenants: 1, files }, async fleet => {
      for (const words of [['validate'], ['plan']]) {
        const { code, stdout } = await fleet.fleet(words);
        const said = onOneLine(stdout);
        expect(said).toContain(
          `acme/meshform.yaml:1:10 error LAYER_INVALID \`layers\` lists ${shown}, but in a fleet the entry of the account has its layers`,
        );
        expect(said).toContain('write the layers into `layers` of the entry in fleet.yaml');
        expect(code).toBe(3);
      }
    });
  },
);

test('a list that is equal to the entry is allowed, so that the folder can also be planned alone', async () => {
  const files = {
    'fleet.yaml': fleetWith('baseline, acme'),
    'acme/meshform.yaml': 'layers: [../baseline, .]\n',
    'acme/own.yaml': 'groups: [{ name: own }]\n',
  };
  await inFleet({ tenants: 1, files }, async fleet => {
    expect((await planned(fleet)).code).toBe(0);
  });
});

test('an entry may lose a layer, because a commit to the fleet file is reviewed', async () => {
  const files = {
    'fleet.yaml': fleetWith('common, baseline, acme'),
    'acme/own.yaml': 'groups: [{ name: own }]\n',
    'common/common.yaml': 'groups: [{ name: common }]\n',
  };
  await inFleet({ tenants: 1, files }, async fleet => {
    const plan = ['plan', '--prune', 'removed', '--base', 'auto', '--record-base'];
    const allow = ['--allow', 'DELETES_OBJECT', '--out', '../plans', '--force'];
    expect((await fleet.fleet([...plan, ...allow])).code).toBe(0);
    expect((await fleet.fleet(['apply', '../plans', '--yes'])).code).toBe(0);
    await fleet.write({ 'fleet.yaml': fleetWith('baseline, acme') });
    git(fleet.folder, 'commit', '--quiet', '--all', '--message', 'One layer less');
    const again = await fleet.fleet([...plan, ...allow]);
    expect([again.code, onOneLine(again.stdout)]).toEqual([
      0,
      expect.stringContaining('- group "common"'),
    ]);
  });
});
