// `base forget`: removes a base whose folder is gone, or which cannot be read.
import { baseRef } from '../../base/refName.ts';
import { readKinds } from '../../kinds/registry.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { commitOf } from '../../read/git/revision.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { baseText } from '../../report/baseText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { signerIn } from '../machine.ts';
import { Stop } from '../stop.ts';
import { withBaseStore } from './baseStore.ts';
import { type BaseQuestion, confirmOrStop } from './confirming.ts';
import { shownBase } from './ownBase.ts';

/** Removes the base called `name`. Resolves to the exit code; throws a `Stop`. */
export async function forgetBase(
  { name, path }: { readonly name: string; readonly path: string },
  { yes }: { readonly yes?: boolean },
  io: Io,
): Promise<number> {
  return withBaseStore(path, io, async store => {
    const { account, place } = store;
    const ref = baseRef(account, { name, folder: name });
    const found = await commitOf(place, ref);
    if (!('commit' in found))
      throw new Stop(
        EXIT.invalid,
        `there is no base called ${quoted(name)}: git has no ${nameText(ref)}`,
        'a base is called by the `name` of its folder, or else by its path in the repository',
      );
    const stored = await storedBase(place, ref);
    if (stored && !('why' in stored))
      io.stdout.write(baseText(shownBase(stored, signerIn(io)), readKinds()));
    await confirmOrStop(FORGET, yes === true, io);
    const why = await store.move({ ref, from: found.commit, to: null });
    if (why)
      throw new Stop(EXIT.failed, `the base could not be removed: ${why.why}`, 'try it again');
    say(io.stderr, `${nameText(ref)} (${found.commit.slice(0, 12)}) is removed`);
    return EXIT.done;
  });
}

const FORGET: BaseQuestion = {
  about:
    'What this base declares and no file declares stays in the account, and is pruned no more.',
  question: 'Forget it?',
  not: 'not removed',
};
