// Gained access to an address that sources already reached in another way, such as by an exit node: the line says so.
import { expect, test } from 'vitest';
import { filesComparison } from '../../../src/access/plan/filesComparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { declaredChanges } from '../../../src/engine/declared/declaredChanges.ts';
import { sentenceOf } from '../../../src/report/access/accessSentences.ts';
import { alreadyTexts } from '../../../src/report/access/accessWords.ts';
import { element } from '../../../src/report/graph/markup.ts';
import { changeSentence } from '../../../src/report/page/changeSentence.ts';
import { desiredOf, KINDS } from '../../support/files.ts';

interface Files {
  readonly roamers?: string;
  readonly isNew?: boolean;
  readonly ports?: string;
}

const files = ({ roamers = 'roamers', isNew = false, ports = '' }: Files) => `
peers: [{ name: ann }, { name: bob }, { name: gate }]
groups:
  - { name: engineers, peers: [ann, bob] }
  - { name: roamers, peers: [bob] }
  - { name: gateways, peers: [gate] }
  - { name: exit }
  - { name: dbs }
networks:
  - name: prod
    resources: [{ name: db, address: 10.20.0.5, groups: [dbs] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
routes:
  - { network_id: exit, network: 0.0.0.0/0, peer_groups: [gateways], masquerade: true, groups: [${roamers}], access_control_groups: [exit] }
policies:
  - { name: out, rules: [{ name: out, sources: [${roamers}], destinations: [gateways, exit], protocol: ${ports === '' ? 'all' : `tcp, ports: [${ports}]`} }] }
${isNew ? '  - { name: pg, rules: [{ name: pg, sources: [engineers], destinations: [dbs], protocol: tcp, ports: ["5432"] }] }' : ''}`;

/** The gain of access to the database. */
function gainOf(given: Files) {
  const sides = {
    before: desiredOf(files(given)),
    after: desiredOf(files({ ...given, isNew: true })),
  };
  const edits = declaredChanges(sides.before, sides.after, KINDS);
  const changes = edits.map(({ change }) => change);
  const compared = filesComparison({ ...sides, edits, areCausesExact: true }, serverForm());
  return planAccess({ changes }, compared).changes.find(({ to }) => to.endsWith('/db'));
}

test('a gain of sources that an exit node already leads to the address says so', () => {
  const gain = gainOf({ roamers: 'engineers' });
  expect(gain).toMatchObject({ change: 'gained', from: 'group/engineers', ports_after: ['5432'] });
  expect(gain?.already_reached).toEqual([{ by: 'route/exit', address: '0.0.0.0/0' }]);
  const { markup } = element('p', {}, changeSentence(sentenceOf(gain ? [gain] : [], KINDS)));
  expect(markup).toContain(': tcp/5432; already reached by route/exit 0.0.0.0/0<');
});

test('if only some sources use the exit node, the line names them', () => {
  const gain = gainOf({});
  expect(gain?.already_reached).toMatchObject([
    { by: 'route/exit', from: 'peer/bob', machines: ['bob'] },
  ]);
  expect(gain && alreadyTexts(gain)).toEqual([
    'peer/bob already reached it by route/exit 0.0.0.0/0',
  ]);
});

test('an exit node that leads there on other ports is no other way', () => {
  const gain = gainOf({ roamers: 'engineers', ports: '"443"' });
  expect(gain).toMatchObject({ change: 'gained' });
  expect(gain).not.toHaveProperty('already_reached');
});
