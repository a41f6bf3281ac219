// What the map of a page says beside its drawings.
import { expect, test } from 'vitest';
import { accessPicture } from '../../src/access/picture/picture.ts';
import { stateOfFiles } from '../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../src/cli/files/serverForm.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { AS_WRITTEN } from '../../src/report/access/readableNames.ts';
import { element } from '../../src/report/graph/markup.ts';
import { signsOf } from '../../src/report/graph/signs.ts';
import { mapSection } from '../../src/report/page/map.ts';
import { desiredOf } from '../support/files.ts';

const NETWORK = `groups: [{ name: staff }, { name: gw }, { name: dbs }]
networks:
  - name: prod
    resources: [{ name: db, address: 10.20.0.5, groups: [dbs] }]
    routers: [{ peer_groups: [gw], metric: 100, masquerade: true }]
`;
const POLICY = `policies:
  - { name: pg, rules: [{ name: pg, sources: [staff], destinations: [dbs], protocol: tcp, ports: ["5432"] }] }
`;

const SIGNS = signsOf(loadSchemas().kinds);

const textOf = (files: string, only?: readonly string[]): string => {
  const picture = accessPicture(stateOfFiles(desiredOf(files), serverForm('netbird')));
  return element(
    'main',
    {},
    mapSection({ picture, only }, { readable: AS_WRITTEN, signs: SIGNS }).content,
  ).markup;
};

const NOBODY = 'grants access: the map has networks and their routers only, and nobody reaches';

test('the map of an account with networks and no rules says that nobody reaches them', () => {
  expect(textOf(NETWORK)).toContain(NOBODY);
  expect(textOf(NETWORK)).toContain('network_resource/prod/db');
  expect(textOf(NETWORK + POLICY)).not.toContain(NOBODY);
});

test('a part of a map without rules does not say so, because the account may have rules', () => {
  expect(textOf(NETWORK, ['network/prod'])).not.toContain(NOBODY);
});

test('the map of an account without policies and networks is a sentence', () => {
  expect(textOf('groups: [{ name: staff }]\n')).toContain(
    'There is no policy, no network and nothing that is open.',
  );
});
