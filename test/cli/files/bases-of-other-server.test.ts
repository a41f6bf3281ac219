// A folder without a base, whose account has bases of another server: nobody is told to take one of them over.
import { expect, test } from 'vitest';
import type { SharedJournals } from '../../../src/apply/journal/sharedJournals.ts';
import { formerBase, type ServerOfRun } from '../../../src/cli/files/formerBase.ts';
import type { Io } from '../../../src/cli/io.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';

const OURS = 'https://ours.example';
const THEIRS = 'https://theirs.example';
const REF = 'refs/meshform-base/a1/team';

/** What a run at `OURS` is told about its missing base, if the note at the remote has the other address. */
function told(server: ServerOfRun, isFirst = false) {
  const journals: Pick<SharedJournals, 'ref' | 'note' | 'all'> = {
    ref: 'refs/meshform-journal/a1',
    note: async () => JSON.stringify({ addresses: [THEIRS] }),
    all: async () => [],
  };
  const io: Partial<Io> = {
    cwd: '/',
    env: { MESHFORM_URL: OURS },
    secrets: new KnownSecrets(),
    sharedJournals: async () => journals as SharedJournals,
  };
  return formerBase('team', { ref: REF, isFirst, server }, io as Io);
}

test('names both servers, and how to say that they are one', async () => {
  const { message = '', hint = '' } = (await told({})) ?? {};
  expect(message).toContain(`of the account \`a1\` belong to the server ${THEIRS}`);
  expect(message).toContain(`this run reaches ${OURS}`);
  expect(hint).toContain('--any-server');
  expect(hint).not.toMatch(/base adopt|--first/);
});

test.each<[string, ServerOfRun, boolean]>([
  ['that names the noted address', { url: `${THEIRS}/api/` }, false],
  ['that names it as the former one', { formerUrl: THEIRS }, false],
  ['that says that all addresses are one server', { anyServer: true }, false],
  ['that is the first of its folder', {}, true],
])('says nothing of another server to a run %s', async (_, server, isFirst) => {
  expect(await told(server, isFirst)).toBeNull();
});
