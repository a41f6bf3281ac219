// A plan looks at the journals of all earlier applies; how long that takes must not grow with what complete ones did.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownByJournals } from '../../src/apply/earlierRuns/unfinishedHere.ts';
import { isRefusal } from '../../src/apply/refusal.ts';
import { signerOf } from '../../src/apply/signing/signer.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import type { Signer } from '../../src/model/signer.ts';
import { startAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';

const KEY = 'a key for signatures';

test('only the last line of the journal of a complete apply is verified', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    try {
      const journals = join(cwd, 'journals');
      const names = Array.from({ length: 20 }, (_, i) => `{ name: g${i} }`);
      await writeFile(join(cwd, 'a.yaml'), `groups: [${names.join(', ')}]\n`);
      const env = {
        ...environmentOf(account),
        MESHFORM_JOURNALS: journals,
        MESHFORM_SIGNING_KEY: KEY,
      };
      expect((await meshform(['apply', '.', '--yes'], { cwd, env })).code).toBe(0);
      const made = signerOf({ signingKey: KEY, token: '' });
      if (isRefusal(made)) throw new Error(made.refused);
      let verified = 0;
      const signer: Signer = {
        ...made,
        isSigned: (...signed) => {
          verified += 1;
          return made.isSigned(...signed);
        },
      };
      const left = await knownByJournals({
        path: '.',
        request: {
          kinds: readKinds(),
          connection: account.transport,
          host: { cwd, env, secrets: new KnownSecrets() },
        },
        host: { cwd, env, journals },
        signer,
        journals: undefined,
      });
      expect(left.unverified).toEqual([]);
      expect(verified).toBe(1);
    } finally {
      await account.close();
    }
  }));
