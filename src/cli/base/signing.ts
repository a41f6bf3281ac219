// `base sign`: signs a base with the current key, after a person has checked it.
import { readKinds } from '../../kinds/registry.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText } from '../../model/text/visible.ts';
import { baseText } from '../../report/baseText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { signerOrStop } from '../machine.ts';
import { Stop } from '../stop.ts';
import { type BaseStore, withBaseStore } from './baseStore.ts';
import { noteNewest, ownBaseOrStop, refuseOlder, shownBase } from './ownBase.ts';

/** Signs the base of the folder at `path`. Resolves to the exit code; throws a `Stop`. */
export async function signBase(
  path: string,
  { digest }: { readonly digest?: string },
  io: Io,
): Promise<number> {
  const signer = signerOrStop(io);
  return withBaseStore(path, io, store => signIn(store, { path, signer, digest }, io));
}

async function signIn(
  store: BaseStore,
  {
    path,
    signer,
    digest,
  }: { readonly path: string; readonly signer: Signer; readonly digest: string | undefined },
  io: Io,
): Promise<number> {
  const stored = await ownBaseOrStop(store);
  const shown = shownBase(stored, signer);
  const { ref, text, commit, base } = stored;
  if (signer.sign('base', text) === stored.signature) {
    say(io.stderr, `${nameText(ref)} is signed already`);
    return EXIT.done;
  }
  await refuseOlder(path, stored, { ...store, signer }, io);
  io.stdout.write(baseText(shown, readKinds()));
  if (digest === undefined) await confirmOrStop(shown.digest, io);
  else if (digest !== shown.digest)
    throw new Stop(
      EXIT.refused,
      `the digest of the base is ${shown.digest}`,
      `look at the base with \`meshform base show ${shellWord(path)}\`, and give its digest`,
    );
  const signature = signer.sign('base', text);
  const parents = [base.revision, commit];
  const signed = await store.record(
    { ref, text, signature, recordedAt: io.now(), parents, before: commit },
    { signer, recordedAt: base.recordedAt },
  );
  if ('why' in signed)
    throw new Stop(EXIT.failed, `the base could not be signed: ${signed.why}`, PUT_RIGHT);
  await noteNewest(path, { base: signed }, signer, io);
  say(io.stderr, `${nameText(ref)} is signed`);
  return EXIT.done;
}

async function confirmOrStop(digest: string, io: Io): Promise<void> {
  if (!io.ask)
    throw new Stop(
      EXIT.usage,
      'there is no terminal to ask for confirmation',
      `look at the base, then add --digest ${digest}`,
    );
  const answer = await io.ask(
    '\nAn apply with --prune removed then deletes what this base declares and the files do not. Sign it? Type "yes" to continue: ',
  );
  if (answer.trim() === 'yes') return;
  throw new Stop(EXIT.refused, 'not signed: the answer was not "yes"', 'run it again and type yes');
}

const PUT_RIGHT = 'repair the repository, then run the command again';
