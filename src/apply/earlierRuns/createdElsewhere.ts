// Finds objects that another run created, according to its journal. The user alone does not show which run created an object,
// because the same user may have made both runs.
import { createdIn } from '../../model/journal.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Signer } from '../../model/signer.ts';
import { journalIn } from './foundJournal.ts';

/** Returns whether the verified journal of a run other than `run` shows that it created the object with this id. */
export type IsCreatedElsewhere = (id: RemoteId, run: string) => boolean;

/** Returns an `IsCreatedElsewhere` for the texts of journals. Only journals that contain the id are parsed. */
export function createdElsewhere(texts: readonly string[], signer: Signer): IsCreatedElsewhere {
  const known = new Map<string, ReturnType<typeof creatorIn>>();
  const creator = (text: string) => {
    const found = known.get(text) ?? creatorIn(text, signer);
    known.set(text, found);
    return found;
  };
  return (id, run) =>
    texts.some(text => {
      if (!text.includes(JSON.stringify(id))) return false;
      const { by, created } = creator(text);
      return by !== undefined && by !== run && created.has(id);
    });
}

function creatorIn(text: string, signer: Signer) {
  const read = journalIn(text, signer);
  return 'chain' in read && read.chain
    ? { by: read.chain.run, created: createdIn(read.entries) }
    : { by: undefined, created: new Set<RemoteId>() };
}
