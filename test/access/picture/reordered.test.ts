// Two states that say the same in another order have pictures without a difference.
import { expect, test } from 'vitest';
import { comparedPictures } from '../../../src/access/picture/picture.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { accessGraph } from '../../../src/report/graph/accessGraph.ts';
import { changedPart, differenceGraph } from '../../../src/report/graph/differenceGraph.ts';
import { changedPairs } from '../../../src/report/page/mapList.ts';
import { desiredOf } from '../../support/files.ts';

const FILES = `
groups: [{ name: staff }, { name: db }]
posture_checks:
  - name: agent
    checks: { nb_version_check: { min_version: 0.60.0 } }
  - name: countries
    checks:
      geo_location_check: { action: allow, locations: [{ country_code: DE }, { country_code: NL }] }
policies:
  - name: pg
    source_posture_checks: [agent, countries]
    rules: [{ name: pg, sources: [staff], destinations: [db], protocol: tcp, ports: ["22", "5432"] }]
`;

const REORDERED = FILES.replace('[agent, countries]', '[countries, agent]')
  .replace(
    '[{ country_code: DE }, { country_code: NL }]',
    '[{ country_code: NL }, { country_code: DE }]',
  )
  .replace('["22", "5432"]', '["5432", "22"]');

const stateOf = (text: string): AccessState => stateOfFiles(desiredOf(text), serverForm('netbird'));

test('reordering posture checks, countries and ports changes neither the map nor the matrix', () => {
  const { before, after, changes } = comparedPictures(stateOf(FILES), stateOf(REORDERED));
  expect(changes).toEqual([]);
  expect(changedPairs(before.matrix, after.matrix)).toEqual([]);
  expect(after.matrix.cells).toEqual(before.matrix.cells);
  const graph = differenceGraph(accessGraph(before), accessGraph(after), changes);
  expect(changedPart(graph).nodes).toEqual([]);
});

test('a check that admits another country is a difference', () => {
  const other = FILES.replace('country_code: NL', 'country_code: PL');
  const { before, after } = comparedPictures(stateOf(FILES), stateOf(other));
  expect(changedPairs(before.matrix, after.matrix)).not.toEqual([]);
});
