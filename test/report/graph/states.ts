// The states that drawings are tested with: the examples, and drawn accounts.
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { present } from '../../../src/model/errors.ts';
import { jsonOf } from '../../../src/model/text/jsonText.ts';
import { loadDesired } from '../../../src/pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import { generatedAccount } from '../../access/generated.ts';
import { KINDS } from '../../support/files.ts';
import { fc } from '../../support/seeded.ts';

const EXAMPLES = new URL('../../../examples/', import.meta.url).pathname;

/** The state that the files of an example describe. */
export async function exampleState(name: string): Promise<AccessState> {
  const { desired } = await loadDesired(loadSchemas(KINDS), {
    path: `${EXAMPLES}${name}`,
    strict: true,
    env: () => undefined,
    cwd: EXAMPLES,
    host: { env: {} },
    shownAs: path => path,
  });
  return stateOfFiles(desired, serverForm('netbird'));
}

/** Drawn accounts: small, and as odd as the API allows. */
export const drawnStates = (count: number): readonly AccessState[] =>
  fc.sample(generatedAccount, { numRuns: count, seed: 33 }).map(stateOf);

/** The state of saved answers. */
export function stateOf(account: unknown): AccessState {
  const answered = stateOfAnswers(present(jsonOf(JSON.stringify(account)), 'JSON'));
  if ('faults' in answered) throw new Error(answered.faults[0]);
  return answered.state;
}
