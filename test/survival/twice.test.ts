// One saved plan, applied by several runs: whatever is in it, it is carried out once.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HAZARD_CODES } from '../../src/model/codes.ts';
import type { Desired } from '../../src/model/object.ts';
import { leftToDo, OUTSIDE, onAccount, settle, withMoves } from '../properties/appliedAccount.ts';
import { anyJourney, type Journey } from '../properties/generators/accounts.ts';
import { fileText } from '../properties/generators/fileText.ts';
import type { TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { pictureOf } from '../support/picture.ts';
import { patience, proof } from '../support/proof.ts';
import { plan, type ReconcileOptions } from '../support/reconcile.ts';

const ROUNDS = { slice: 6, full: 1000 };
// Guards that were loosened are judged when a plan is made: a saved plan takes no flag for them.
const ALLOWED = Object.keys(HAZARD_CODES)
  .filter(code => code !== 'LOOSENS_GUARDS')
  .flatMap(code => ['--allow', code]);

/** How the second run meets the first. */
const MEETINGS = ['at once', 'after it', 'after it, without its journal'] as const;

test(
  'a plan that two runs apply, concurrently or one after the other, is carried out once',
  async () => {
    const { count, seed, found } = proof('the same plan applied by two runs', ROUNDS);
    const figures = { refused: 0, already: 0, stale: 0, nothing: 0, inTheWay: 0 };
    const generated = fc.sample(
      fc
        .tuple(
          anyJourney.filter(({ to }) => to.length > 0),
          fc.constantFrom(...MEETINGS),
        )
        .map(([journey, how]) => ({ how, journey })),
      { numRuns: count, seed },
    );
    for (const { how, journey } of generated)
      await onAccount(journey.server, async account => {
        const { dialect } = journey.server;
        const about = `seed ${seed}, ${how}: ${fc.stringify(journey)}`;
        await settle(account, journey.from);
        const options = { ...OUTSIDE, prune: 'unmanaged' } as const;
        const reported = await withMoves(account, journey.to, options);
        if (await isRefused(account, reported, options)) {
          figures.inTheWay += 1;
          return;
        }
        await inFolder(async folder => {
          await writeFile(join(folder, 'network.yaml'), fileText(reported));
          const env = { ...environmentOf(account), ...OUTSIDE.env, MESHFORM_JOURNALS: '' };
          const settings = ['--dialect', dialect, '--prune', 'unmanaged', '--out', 'plan.json'];
          const words = ['plan', 'network.yaml', ...settings];
          const made = await meshform(words, { env, cwd: folder });
          expect([made.code, made.code === 0 ? '' : made.stderr], about).toEqual([0, '']);
          const apply = (run: string, ...flags: string[]) =>
            meshform(
              [
                'apply',
                'plan.json',
                '--yes',
                ...ALLOWED,
                '--secrets-to',
                `file:${run}.secret`,
                ...flags,
              ],
              { env, cwd: folder },
            );
          const runs =
            how === 'at once'
              ? await Promise.all([apply('one'), apply('two')])
              : [
                  await apply('one', ...(how === 'after it' ? [] : ['--journal', 'one.jsonl'])),
                  await apply('two', ...(how === 'after it' ? [] : ['--journal', 'two.jsonl'])),
                ];
          const codes = runs.map(({ code }) => code).sort();
          const said = runs.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
          expect(codes[0], `${about}\n${said}`).toBe(0);
          expect([0, 5, 6], `${about}\n${said}`).toContain(codes[1]);
          if (codes[1] === 6) figures.refused += 1;
          else if (codes[1] === 5) figures.stale += 1;
          else figures[said.includes('Already applied') ? 'already' : 'nothing'] += 1;
        });
        expect((await pictureOf(account)).length, about).toBe(await sizeAfterOnce(journey));
        expect(leftToDo(await plan(account, reported, options)), about).toEqual([]);
      });
    const { refused, already, stale, nothing, inTheWay } = figures;
    found(
      `nothing was doubled; of the second runs ${refused} were refused by the lock, ${stale} were stale, ${already} found it applied, ${nothing} had nothing to do; ${inTheWay} pairs were left out, because their plan is refused: another network has the name of a resource`,
    );
  },
  patience(ROUNDS, 4_000),
);

/**
 * Whether the plan is refused because an object in another parent has a name that is unique in the account, and nobody can tell
 * whether it moved.
 */
async function isRefused(
  account: TestAccount,
  desired: readonly Desired[],
  options: ReconcileOptions,
): Promise<boolean> {
  const { diagnostics } = await plan(account, desired, { ...OUTSIDE, ...options });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 && errors.every(({ code }) => code === 'OBJECT_IN_THE_WAY');
}

/** How many objects an account holds after a journey that one run makes. */
function sizeAfterOnce({ server, from, to }: Journey): Promise<number> {
  return onAccount(server, async account => {
    await settle(account, from);
    const options = { prune: 'unmanaged' } as const;
    await settle(account, await withMoves(account, to, options), options);
    return (await pictureOf(account)).length;
  });
}
