// `base show`: the recorded base of a folder.
import { readKinds } from '../../kinds/registry.ts';
import { baseJson, baseText } from '../../report/baseText.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { folderOfBase, ownBaseOrStop, shownBase, signerIn } from './ownBase.ts';

/** Prints the base of the folder at `path`. Resolves to the exit code; throws a `Stop`. */
export async function showBase(
  path: string,
  { format }: { readonly format: 'text' | 'json' },
  io: Io,
): Promise<number> {
  const stored = await ownBaseOrStop(await folderOfBase(path, io));
  const shown = shownBase(stored, signerIn(io));
  io.stdout.write(format === 'json' ? baseJson(shown) : baseText(shown, readKinds()));
  return EXIT.done;
}
