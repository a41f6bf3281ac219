// Processes that all find the lock of a dead one: exactly one of them gets it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { inFolder } from '../support/cli.ts';
import { patience, proof } from '../support/proof.ts';

const CONTENDER = fileURLToPath(new URL('lockContender.ts', import.meta.url));
const CONTENDERS = 12;
const ROUNDS = { slice: 5, full: 400 };
/** No process has it: Linux gives none above 2^22. */
const DEAD = 2 ** 22 + 1;

test(
  'exactly one of 12 processes that find the lock of a dead process gets the lock',
  () =>
    inFolder(async folder => {
      const { count, found } = proof('contention for a dead lock, 12 processes', ROUNDS);
      const contenders = Array.from({ length: CONTENDERS }, () => fork(CONTENDER));
      onTestFinished(() => contenders.forEach(contender => void contender.kill()));
      const path = join(folder, 'server.lock');
      const holders = new Set<number>();
      for (let round = 0; round < count; round++) {
        const dead = { id: `dead ${round}`, pid: DEAD, host: hostname(), since: 0 };
        await writeFile(path, JSON.stringify({ ...dead, until: Date.now() + 900_000 }));
        const answers = contenders.map(contender => once(contender, 'message'));
        for (const contender of contenders) contender.send(path);
        const got = (await Promise.all(answers)).map(([answer]) => answer);
        expect(
          got.filter(answer => answer === 'held'),
          `round ${round}`,
        ).toHaveLength(1);
        holders.add(got.indexOf('held'));
        await rm(path);
      }
      found(`one holder in each of ${count} rounds; ${holders.size} of the ${CONTENDERS} got it`);
    }),
  patience(ROUNDS, 1_000),
);
