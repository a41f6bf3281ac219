// `base show`: prints the recorded base of a folder.
import { readKinds } from '../../kinds/registry.ts';
import { baseJson, baseText } from '../../report/baseText.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { signerIn } from '../machine.ts';
import { withBaseStore } from './baseStore.ts';
import { ownBaseOrStop, shownBase } from './ownBase.ts';

/** Prints the base of the folder at `path`. Resolves to the exit code; throws a `Stop`. */
export async function showBase(
  path: string,
  { format }: { readonly format: 'text' | 'json' },
  io: Io,
): Promise<number> {
  return withBaseStore(path, io, async store => {
    const shown = shownBase(await ownBaseOrStop(store), signerIn(io));
    io.stdout.write(format === 'json' ? baseJson(shown) : baseText(shown, readKinds()));
    return EXIT.done;
  });
}
