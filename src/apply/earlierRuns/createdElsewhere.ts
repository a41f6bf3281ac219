// Finds objects that another run created, according to its journal. The user alone does not show
// which run created an object, because one user may have started both runs.
import { createdIn } from '../../model/journal.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Signer } from '../../model/signer.ts';
import { journalIn } from './foundJournal.ts';

/**
 * Returns whether another run than `run` created the object with this id. Only the verified journal
 * of that other run proves this.
 */
export type IsCreatedElsewhere = (id: RemoteId, run: string) => boolean;

/**
 * Returns an `IsCreatedElsewhere` for the texts of journals. Parses only journals that contain the
 * id.
 */
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
